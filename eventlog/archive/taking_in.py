"""Taking in a copy: everything is checked first, then all of it is stored at once, or nothing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec

from eventlog.archive.header import Header
from eventlog.archive.reading import CopiedLine, newer, read_archive, refused
from eventlog.codec import codec_for, core_type
from eventlog.core import CORE, SessionClosed, SessionForked, SessionImported, SessionOpened
from eventlog.dice import SEED_BYTES, commitment
from eventlog.envelope import By, Envelope, row_of
from eventlog.errors import (
    ImportRefused,
    KeyReused,
    LogDiverged,
    NewerThanHead,
    OlderThanHead,
    SessionUnknown,
)
from eventlog.forking import begun, called_after, parent_of
from eventlog.frames import HiddenFrame
from eventlog.history.copied import CopiedLog
from eventlog.history.points import rewound
from eventlog.playing import Draft
from eventlog.recorder import Recorder
from eventlog.sealing import seal
from eventlog.store import Append, Checkpoint, Head, Opening, Store, Stored
from eventlog.tape import CHECKPOINT_EVERY, Tape, fold, wrap
from eventlog.verification import verify_envelopes
from eventlog.verification.forks import forks_in, log_of
from rulesets.contract import Ruleset
from rulesets.installed import package_of, ruleset_named
from rulesets.people import EVERYONE

IMPORTED = core_type(SessionImported)
AS_FORK = "To go on from the copy beside it, take it in as a fork (`as=fork`, on the command line `--fork`)"


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A copy was taken in: `added` events, none of them when the log was here already."""

    session: str
    version: int
    added: int


class CheckedCopy(msgspec.Struct, frozen=True, kw_only=True):
    """A copy that is complete and valid, ready to be stored: what its header says, and what storing it takes.

    Taken in as a fork, the header has the fork's own id and title.
    """

    header: Header
    item: Append
    as_fork: bool = False


async def import_log(recorder: Recorder, lines: Iterable[bytes]) -> Imported:
    """Take in a complete copy of a log, all of it or nothing.

    Raises what `checked_copy` and `take_in` raise.
    """
    return await take_in(recorder, await asyncio.to_thread(checked_copy, lines))


def foreseen(store: Store, copy: CheckedCopy) -> Imported:
    """What `take_in` would do, as the store is now. Nothing is stored; raises what `take_in` raises."""
    header, events = copy.header, copy.item.events
    known = _already_here(store, copy)
    if known is None and store.removed(header.session):
        raise _removed(header.session)
    return known or Imported(session=header.session, version=events[-1].seq, added=len(events))


async def take_in(recorder: Recorder, copy: CheckedCopy) -> Imported:
    """Store a copy that was checked.

    A log that still runs goes on under a new seed, since the old one stays where it was recorded; this is an
    event of its own. Raises `OlderThanHead`, `NewerThanHead` or `LogDiverged` where another log of that id is
    here (`KeyReused`, for a fork of that id), and `ImportRefused` where it was removed.
    """
    item = copy.item
    known = await asyncio.to_thread(_already_here, recorder.store, copy)
    if known is None and isinstance(await recorder.take_in(item), Stored):
        return Imported(session=item.session, version=item.events[-1].seq, added=len(item.events))
    known = known or await asyncio.to_thread(_already_here, recorder.store, copy)
    if known is None:
        raise _removed(item.session)
    return known


# --- checking -----------------------------------------------------------------------------------------------


def checked_copy(lines: Iterable[bytes], fork: str | None = None) -> CheckedCopy:
    """Check a copy from end to end, without any store.

    With an id for a `fork` it becomes a session of its own that goes on from the copy's end. Raises `ImportRefused`, naming line and event, or `RulesetNotInstalled`.
    """
    header, copied = read_archive(lines)
    events = _complete(header, copied)
    ruleset = ruleset_named(header.ruleset)
    _known_here(ruleset, events)
    fault = verify_envelopes(ruleset, header.session, events, redecide=False).first_fault
    if fault is not None:
        raise refused(
            fault.message,
            "invalid",
            line=fault.seq + 1,
            seq=fault.seq,
            action=fault.action,
            field=fault.field,
        )
    last = events[-1]
    if (header.version, header.head_hash) != (last.seq, last.hash.hex()):
        raise refused(
            f"the copy ends with event {last.seq}, and its header says {header.version} with another hash: "
            "a part of it is missing",
            "truncated",
            line=len(events) + 1,
            seq=last.seq,
        )
    _beginning(ruleset, header, events)
    if fork is not None:
        return _fork(ruleset, header, events, fork)
    return CheckedCopy(header=header, item=_append(ruleset, header, events))


def _complete(header: Header, copied: Sequence[CopiedLine]) -> tuple[Envelope, ...]:
    events = tuple(event for event in copied if not isinstance(event, HiddenFrame))
    if header.copy != "complete" or len(events) < len(copied):
        raise refused(
            "this copy was made for somebody who may not see everything; only the GM's or the server "
            "keeper's copy is complete and can be taken in",
            "not-complete",
            line=1,
        )
    if not events:
        raise refused("there is no event after the header", "empty", line=1)
    return events


def _known_here(ruleset: Ruleset[Any], events: Sequence[Envelope]) -> None:
    """Refuse what a newer version wrote, by name and before it is taken for damage."""
    codec = codec_for(ruleset)
    for event in events:
        newest, slug = codec.newest(event.type), event.type.partition(".")[0]
        if slug not in (CORE, ruleset.slug) or (newest is not None and event.v <= newest):
            continue
        reads = "does not know that type" if newest is None else f"reads it up to version {newest}"
        raise newer(
            f"event {event.seq} is {event.type!r} version {event.v}, and this installation {reads}",
            "newer-event",
            package_of(slug),
            line=event.seq + 1,
            seq=event.seq,
            type=event.type,
            v=event.v,
        )


def _beginning(ruleset: Ruleset[Any], header: Header, events: Sequence[Envelope]) -> None:
    """Compare the header with the opening of the log, or with the last fork, which gives it another title."""
    opened, fork = codec_for(ruleset).event(events[0]), _last_fork(events)
    if isinstance(opened, SessionOpened):
        title = opened.title if fork is None else fork.title
        log = log_of(header.session, events)
        said = (header.ruleset, header.rules, header.title, header.log or header.session)
        if said == (opened.ruleset, opened.rules, title, log):
            return
    raise refused("the header does not say what the opening of the log says", "header", line=1)


def _last_fork(events: Sequence[Envelope]) -> SessionForked | None:
    return next(reversed(list(forks_in(events))), None)


# --- storing ------------------------------------------------------------------------------------------------


def _append(ruleset: Ruleset[Any], header: Header, events: tuple[Envelope, ...]) -> Append:
    tape, checkpoints = _wound(ruleset, header.session, events)
    seed = _revealed(ruleset, events[-1]) if tape.closed else secrets.token_bytes(SEED_BYTES)
    if not tape.closed:
        events = (*events, *_new_seed(tape, seed))
        tape = fold(ruleset, header.session, [row_of(events[-1])], tape)
    return Append(
        session=header.session,
        expected=0,
        events=events,
        opening=_opening(header, events, seed),
        checkpoint=wrap(tape),
        checkpoints=tuple(checkpoints),
        closes=tape.closed,
    )


def _fork(ruleset: Ruleset[Any], header: Header, events: tuple[Envelope, ...], session: str) -> CheckedCopy:
    """The copy as the beginning of another session, with dice of its own: what was recorded elsewhere stays there."""
    tape, checkpoints = _wound(ruleset, session, events)
    seed = secrets.token_bytes(SEED_BYTES)
    event = SessionForked(
        parent=header.session,
        at=tape.action,
        version=tape.version,
        kind="fork",
        title=called_after(header.title, "fork", tape.action),
        session=session,
        dice_commitment=commitment(seed),
        first_roll=tape.next_roll,
    )
    own, after = begun(tape, event, By(role="admin"))
    header = msgspec.structs.replace(header, session=session, title=event.title)
    item = Append(
        session=session,
        expected=0,
        events=(*(msgspec.structs.replace(each, session=session) for each in events), *own),
        opening=_opening(header, (*events, *own), seed),
        checkpoint=wrap(after),
        checkpoints=tuple(checkpoints),
    )
    return CheckedCopy(header=header, item=item, as_fork=True)


def _opening(header: Header, events: Sequence[Envelope], seed: bytes) -> Opening:
    fork = _last_fork(events)
    return Opening(
        ruleset=header.ruleset,
        rules=header.rules,
        title=header.title,
        seed=seed,
        log=log_of(header.session, events),
        parent=None if fork is None else parent_of(fork, held_by=None),
    )


def _wound(
    ruleset: Ruleset[Any], session: str, events: Sequence[Envelope]
) -> tuple[Tape[Any], list[Checkpoint]]:
    """The tape at the end, and the checkpoints its own store would have made on the way."""
    tape, checkpoints, log = None, list[Checkpoint](), CopiedLog(session, events)
    for action, group in groupby(events, key=lambda event: event.action):
        tape = fold(ruleset, session, map(row_of, group), tape, lambda corrected: rewound(log, corrected))
        if action % CHECKPOINT_EVERY == 0:
            checkpoints.append(Checkpoint(action=action, version=tape.version, tape=wrap(tape)))
    assert tape is not None  # noqa: S101 - there is at least the opening
    return tape, checkpoints


def _new_seed(tape: Tape[Any], seed: bytes) -> tuple[Envelope, ...]:
    draft = Draft(event=SessionImported(dice_commitment=commitment(seed)), audience=EVERYONE)
    return seal(tape, [draft], By(role="admin"), tape.action + 1)


def _revealed(ruleset: Ruleset[Any], last: Envelope) -> bytes:
    """The seed the close revealed; the close is the last event of a valid log."""
    event = codec_for(ruleset).event(last)
    return bytes.fromhex(event.seed) if isinstance(event, SessionClosed) else b""


# --- what is here already -----------------------------------------------------------------------------------


def _already_here(store: Store, copy: CheckedCopy) -> Imported | None:
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


def _removed(session: str) -> ImportRefused:
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
