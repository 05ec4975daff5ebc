"""The chain and the order: every event is the one that was appended, in its place, and none is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, get_args

from eventlog.chain import digest, genesis, link
from eventlog.envelope import Envelope
from eventlog.frames import HiddenFrame
from eventlog.verification.report import Found
from rulesets.people import Role

Link: TypeAlias = Envelope | HiddenFrame
"""An event, or what a copy keeps of one its reader may not see."""

ROLES = frozenset(get_args(Role))

End: TypeAlias = tuple[int, bytes]
"""Version and hash a log should end with: those of the store's head, of a header, or of a receipt."""


def chained(session: str, log: str, events: Iterable[Link], end: End | None) -> Iterator[Link]:
    """The events as they pass, each after its check. Raises `Found` at the first that is not what it was.

    `log` is the id of the log's first session, at which the chain begins.
    """
    previous, seq, before = genesis(log), 0, None
    for event in events:
        seq += 1
        if event.seq != seq:
            raise Found(seq, None, "seq", f"Event {seq} is missing: event {event.seq} stands in its place")
        previous = _linked(event, previous)
        if isinstance(event, Envelope):
            misplaced = _misplaced(session, event, before)
            if misplaced is not None:
                field, how = misplaced
                raise Found(event.seq, event.action, field, f"Event {event.seq} {how}")
            before = event
        yield event
    _complete(seq, previous, end)


def _linked(event: Link, previous: bytes) -> bytes:
    if isinstance(event, HiddenFrame):
        action, kept, digested = None, bytes.fromhex(event.hash), bytes.fromhex(event.digest)
    else:
        action, kept, digested = event.action, event.hash, _digest(event)
    if link(previous, event.seq, digested) != kept:
        raise Found(
            event.seq,
            action,
            "hash",
            f"Event {event.seq} is not the one that was recorded there: its hash does not follow",
        )
    return kept


def _digest(event: Envelope) -> bytes:
    try:
        return digest(event)
    except (AttributeError, TypeError, ValueError):  # a column was given a value of another type
        return b""


def _misplaced(session: str, event: Envelope, before: Envelope | None) -> tuple[str, str] | None:
    """The field by which an event does not belong where it stands, and how; `None` where it does."""
    if event.session != session:
        return "session", "belongs to another session"
    if before is not None and not _rises(before.position, event.position):
        return "position", "stands before an earlier one"
    if not _counts(before, event):
        return "action", "has an action number that does not follow"
    if before is not None and before.at > event.at:
        return "at", "has a time before that of an earlier one"
    if event.slot is not None and event.slot > event.action:
        return "slot", "belongs to a place not made yet"
    return _signed(event, before)


def _signed(event: Envelope, before: Envelope | None) -> tuple[str, str] | None:
    """Whoever took an action signs all of its events, in one of the roles there are."""
    if before is not None and before.action == event.action:
        return None if event.by == before.by else ("by", "is signed by somebody else than its action")
    return None if event.by.role in ROLES else ("by", "is signed in a role that there is not")


def _rises(before: int, position: int) -> bool:
    """Copies carry no positions (0); in a store each is higher than the one before."""
    return not before or before < position


def _counts(before: Envelope | None, event: Envelope) -> bool:
    """Actions count from 0; in a copy with hidden events whole actions may be out of sight."""
    if before is None:
        return event.action == 0 or event.seq > 1
    return event.action in (before.action, before.action + 1) or event.seq > before.seq + 1


def _complete(seq: int, reached: bytes, end: End | None) -> None:
    if end is None or (seq, reached) == end:
        return
    version, _ = end
    if seq < version:
        raise Found(
            seq + 1, None, "version", f"The log was cut off: {version} events were recorded, {seq} are here"
        )
    if seq > version:
        raise Found(version + 1, None, "version", f"There are {seq} events, and only {version} were recorded")
    raise Found(seq, None, "hash", "The log ends with another hash than the one it was last known by")
