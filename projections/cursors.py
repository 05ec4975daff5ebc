"""Where a reader stands in a log, and what comes after it: in one session, or in all of them together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from eventlog.envelope import Envelope
from eventlog.errors import CursorUnknown
from eventlog.store import Store
from projections.naming import Game

CURSOR = re.compile(r"(0|[1-9][0-9]{0,15})(?:\.([0-9a-f]{8}))?")


def cursor(number: int, hashed: bytes) -> str:
    """Where a reader stands: the number of an event and the first eight digits of its hash."""
    return f"{number}.{hashed.hex()[:8]}" if number else "0"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a log: right after the event of that number, which has this hash; 0 is before all of them."""

    number: int
    hash: bytes = b""

    @property
    def cursor(self) -> str:
        """How it is written."""
        return cursor(self.number, self.hash)


START = Place(0)


class Log(Protocol):
    """Events in order, numbered; the numbers rise."""

    def read(self, after: int, limit: int) -> list[Envelope]:
        """The events numbered above `after`, at most so many."""
        ...

    def number(self, event: Envelope) -> int:
        """The number of an event in this log."""
        ...

    def end(self) -> Place:
        """The place after the last event."""
        ...

    def closed_at(self, place: Place) -> bool:
        """Whether nothing can ever come after a place."""
        ...

    def game(self, event: Envelope) -> Game:
        """The game of the session an event is of."""
        ...


@dataclass(frozen=True, slots=True)
class SessionLog:
    """One session, numbered by `seq`. Every look at it raises `SessionUnknown` where there is none."""

    store: Store
    session: str

    def read(self, after: int, limit: int) -> list[Envelope]:
        """The events numbered above `after`, at most so many."""
        return self.store.envelopes(self.session, after, limit)

    def number(self, event: Envelope) -> int:
        """The number of an event in this log."""
        return event.seq

    def end(self) -> Place:
        """The place after the last event."""
        head = self.store.head(self.session)
        return Place(head.version, head.hash)

    def closed_at(self, place: Place) -> bool:
        """Whether nothing can ever come after a place."""
        head = self.store.head(self.session)
        return head.closed_at is not None and head.version == place.number

    def game(self, event: Envelope) -> Game:
        """The game of the session."""
        del event
        return game_of(self.store, self.session)


@dataclass(frozen=True, slots=True)
class WholeLog:
    """All sessions of a store, numbered by `position`. Sessions that were removed leave gaps."""

    store: Store

    def read(self, after: int, limit: int) -> list[Envelope]:
        """The events numbered above `after`, at most so many."""
        return self.store.stream(after, limit)

    def number(self, event: Envelope) -> int:
        """The number of an event in this log."""
        return event.position

    def end(self) -> Place:
        """The place after the last event."""
        last = self.store.last()
        return Place(last.position, last.hash) if last else START

    def closed_at(self, place: Place) -> bool:
        """Never: sessions are opened for as long as there is a server."""
        del place
        return False

    def game(self, event: Envelope) -> Game:
        """The game of the session an event is of."""
        return game_of(self.store, event.session)


def game_of(store: Store, session: str) -> Game:
    """The game a session plays. Raises `SessionUnknown`."""
    head = store.head(session)
    return Game(head.ruleset, head.rules)


def place_of(log: Log, text: str) -> Place:
    """The place a cursor or a bare number names. Raises `CursorUnknown` where it does not fit this log.

    Where the event it names was removed with its session, the hash is no longer there to compare.
    """
    match, end = CURSOR.fullmatch(text), log.end()
    number = int(match[1]) if match else -1
    if match is None or number > end.number:
        raise _does_not_fit(text, end)
    found = log.read(number - 1, 1) if number else []
    there = found[0] if found and log.number(found[0]) == number else None
    if match[2] and (not number or (there and not there.hash.hex().startswith(match[2]))):
        raise _does_not_fit(text, end)
    return Place(number, there.hash if there else bytes.fromhex(match[2] or "00000000"))


def _does_not_fit(text: str, end: Place) -> CursorUnknown:
    return CursorUnknown(
        f"The cursor {text[:40]!r} does not fit this log, which ends at {end.cursor}", head=end.cursor
    )


def parse_cursor(store: Store, session: str, text: str) -> int:
    """The `seq` a cursor of a session stands at. Raises `CursorUnknown` where it does not fit its log."""
    return place_of(SessionLog(store, session), text).number
