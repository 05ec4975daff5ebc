"""The log as one person may read it: their events whole, of the others only what keeps the chain."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from eventlog.frames import EventFrame, Frame, HiddenFrame, event_frames
from eventlog.store import Store
from projections.cursors import cursor, parse_cursor
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


class EventPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some events in order, the session's version, and the cursor to go on from."""

    events: tuple[Frame, ...]
    version: int
    next: str


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
