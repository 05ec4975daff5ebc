"""Pages: a stretch of a log as frames, encoded once for everybody who sees and asks for the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

from api.feeds.frames import Heartbeat, cloud_event
from api.feeds.spelling import SPELLINGS, Form
from eventlog.audience import seen_as
from eventlog.frames import shown
from eventlog.store import Store
from projections.cursors import Log, Place, SessionLog, WholeLog
from projections.feeds import Sought, changes, told
from rulesets.people import Viewer

Format = Literal["events", "cloudevents", "state"]


@dataclass(frozen=True, slots=True)
class Page:
    """Frames from the place numbered `after` to another; `count` of them, perhaps none. `closes` ends the session."""

    after: int
    place: Place
    frames: bytes
    count: int
    closes: bool = False


Teller: TypeAlias = Callable[[Place], Page]
"""Reads and encodes the page after a place. It waits for the disk, so it runs in a thread."""


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to hear: which log (`None`: all sessions), which events, told how, written how."""

    session: str | None
    sought: Sought
    format: Format
    form: Form

    def log(self, store: Store) -> Log:
        """The log it is about."""
        return WholeLog(store) if self.session is None else SessionLog(store, self.session)

    def shared_by(self, viewer: Viewer) -> tuple[Asking, object]:
        """Equal for all who are told the same frames: events by audience, tables by person."""
        return self, viewer if self.format == "state" else seen_as(viewer)

    def teller(self, store: Store, viewer: Viewer) -> Teller:
        """What reads its pages for somebody."""
        if self.format == "state" and self.session is not None:
            return _tables(store, self.session, viewer, self.form)
        return _events(self.log(store), viewer, self)


def heartbeat(place: Place, form: Form) -> Page:
    """A page that tells nothing but where it is."""
    frame = SPELLINGS[form]("heartbeat", place.cursor, Heartbeat(cursor=place.cursor))
    return Page(place.number, place, frame, 1)


def _events(log: Log, viewer: Viewer, asking: Asking) -> Teller:
    spell, clouded = SPELLINGS[asking.form], asking.format == "cloudevents"

    def tell(after: Place) -> Page:
        page = told(log, viewer, asking.sought, after)
        frames = []
        for event in page.events:
            frame, here = shown(event), Place(log.number(event), event.hash).cursor
            frames.append(spell("event", here, cloud_event(frame) if clouded else frame))
        return Page(page.after, page.place, b"".join(frames), len(frames), page.closes)

    return tell


def _tables(store: Store, session: str, viewer: Viewer, form: Form) -> Teller:
    spell = SPELLINGS[form]

    def tell(after: Place) -> Page:
        page = changes(store, session, viewer, after)
        frames = [spell("patch", place.cursor, change) for place, change in page.changes]
        return Page(page.after, page.place, b"".join(frames), len(frames), page.closes)

    return tell
