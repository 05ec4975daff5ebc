"""The log as one person may read it: their events whole, of the others only what keeps the chain."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec

from eventlog.audience import visible
from eventlog.envelope import Envelope
from eventlog.errors import CursorUnknown
from eventlog.frames import EventFrame, Frame, HiddenFrame, hidden, shown
from eventlog.store import Store
from rulesets.people import Viewer

__all__ = [
    "EventFrame",
    "EventPage",
    "Frame",
    "HiddenFrame",
    "cursor",
    "event_frames",
    "event_page",
    "parse_cursor",
]

CURSOR = re.compile(r"(0|[1-9][0-9]{0,15})(?:\.([0-9a-f]{8}))?")


class EventPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some events in order, the session's version, and the cursor to go on from."""

    events: tuple[Frame, ...]
    version: int
    next: str


def event_frames(envelopes: Sequence[Envelope], viewer: Viewer) -> tuple[Frame, ...]:
    """Events of one session as this person may read them."""
    seen = {envelope.seq for envelope in visible(viewer, envelopes)}
    return tuple([shown(each) if each.seq in seen else hidden(each) for each in envelopes])


def cursor(seq: int, hashed: bytes) -> str:
    """Where a reader stands: the number of an event and the first eight digits of its hash."""
    return f"{seq}.{hashed.hex()[:8]}" if seq else "0"


def parse_cursor(store: Store, session: str, text: str) -> int:
    """The `seq` a cursor stands at. Raises `CursorUnknown` where it does not fit this log."""
    match, head = CURSOR.fullmatch(text), store.head(session)
    seq = int(match[1]) if match else -1
    if match is None or seq > head.version or (match[2] and not _fits(store, session, seq, match[2])):
        raise CursorUnknown(
            f"The cursor {text[:40]!r} does not fit this log, which ends at {cursor(head.version, head.hash)}",
            head=cursor(head.version, head.hash),
        )
    return seq


def _fits(store: Store, session: str, seq: int, digits: str) -> bool:
    found = store.envelopes(session, seq - 1, 1) if seq else []
    return bool(found) and found[0].hash.hex().startswith(digits)


def event_page(  # noqa: PLR0913 - where, for whom, and which
    store: Store,
    session: str,
    viewer: Viewer,
    *,
    after: int = 0,
    limit: int = 200,
    types: Collection[str] | None = None,
) -> EventPage:
    """The events after a number. A page once full never changes; `types` keeps only visible events of these types."""
    head = store.head(session)
    envelopes = store.envelopes(session, after, limit)
    frames = event_frames(envelopes, viewer)
    if types is not None:
        frames = tuple(frame for frame in frames if isinstance(frame, EventFrame) and frame.type in types)
    last = envelopes[-1] if envelopes else None
    standing = cursor(last.seq, last.hash) if last else _standing(store, session, after)
    return EventPage(events=frames, version=head.version, next=standing)


def _standing(store: Store, session: str, after: int) -> str:
    found = store.envelopes(session, after - 1, 1) if after else []
    return cursor(after, found[0].hash) if found else str(after)
