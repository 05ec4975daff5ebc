"""What a store has already of a copy: the same log, another one of that id, or none."""

from __future__ import annotations

import msgspec

from eventlog.archive.header import Header
from eventlog.archive.preparing import CheckedCopy
from eventlog.codec import core_type
from eventlog.core import SessionImported
from eventlog.errors import (
    ImportRefused,
    KeyReused,
    LogDiverged,
    NewerThanHead,
    OlderThanHead,
    SessionUnknown,
)
from eventlog.logs import Head
from eventlog.store import Store

IMPORTED = core_type(SessionImported)
AS_FORK = "To go on from the copy beside it, take it in as a fork (`as=fork`, on the command line `--fork`)"


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A copy was taken in: `added` events, none of them when the log was here already."""

    session: str
    version: int
    added: int


def already_here(store: Store, copy: CheckedCopy) -> Imported | None:
    """The same log, found here; `None` where no session has that id. Raises where another log has it."""
    header, events = copy.header, copy.item.events
    try:
        head = store.head(header.session)
    except SessionUnknown:
        return None
    if copy.as_fork:
        return _same_fork(store, head, header)
    if head.version < header.version:
        same = events[head.version - 1].hash == head.hash
        raise _newer(head, header) if same else _diverged(head, header)
    last, *since = store.envelopes(header.session, header.version - 1, 3)
    if last.hash.hex() != header.head_hash:
        raise _diverged(head, header)
    if [event.type for event in since] not in ([], [IMPORTED]):
        raise _older(head, header)
    return Imported(session=header.session, version=head.version, added=0)


def _same_fork(store: Store, head: Head, header: Header) -> Imported:
    """The fork of that id, however far it went since, where it goes on from this copy. Raises `KeyReused`."""
    shared = store.envelopes(header.session, header.version - 1, 1)
    began = head.parent is not None and head.parent.version == header.version
    if not began or shared[0].hash.hex() != header.head_hash:
        raise KeyReused("This Idempotency-Key came with another file before; use a new key for another fork")
    return Imported(session=header.session, version=head.version, added=0)


def removed(session: str) -> ImportRefused:
    """The refusal of a session that was removed here."""
    return ImportRefused(
        f"The session {session} was removed from this store; its id is not used again",
        reason="removed",
        session=session,
    )


def _older(head: Head, header: Header) -> OlderThanHead:
    return OlderThanHead(
        f"This session is here and has gone on: the copy ends at version {header.version}, the session is at "
        f"{head.version}. Nothing was changed; there is nothing in the copy that is not here. {AS_FORK}",
        file=header.version,
        head=head.version,
    )


def _newer(head: Head, header: Header) -> NewerThanHead:
    return NewerThanHead(
        f"This session is here, but only up to version {head.version}; the copy goes on to {header.version}. "
        f"Nothing was changed. {AS_FORK}",
        file=header.version,
        head=head.version,
    )


def _diverged(head: Head, header: Header) -> LogDiverged:
    return LogDiverged(
        f"A session of this id is here (version {head.version}), and the copy (version {header.version}) went "
        f"another way. Nothing was changed. {AS_FORK}",
        file=header.version,
        head=head.version,
    )
