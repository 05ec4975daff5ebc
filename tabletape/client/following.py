"""Following, without speaking or waiting: where the reader stands, what a frame means, when to come back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from tabletape.client.call import LINES, Parameters
from tabletape.client.coming_back import ComingBack, breaks_off
from tabletape.client.sending import query, stranger

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

TOLD = frozenset({"event", "patch", "heartbeat"})
"""Frames of a line that does its work."""


class _Frame(msgspec.Struct, frozen=True, kw_only=True):
    """Enough of a frame to tell what it is. `cursor` is where its reader stands after it."""

    frame: str
    cursor: str
    reason: str | None = None
    retry: int | None = None


_frame = msgspec.json.Decoder(_Frame).decode


class Teller(Protocol[T_co]):
    """What is told of the frames of a feed."""

    @property
    def path(self) -> str:
        """Where it is told."""
        ...

    @property
    def params(self) -> Parameters:
        """How it is asked for."""
        ...

    def told(self, kind: str, line: bytes) -> T_co | None:
        """What a frame tells the reader; `None` for one that tells nothing of its own."""
        ...


@dataclass(slots=True)
class Following(ComingBack, Generic[T]):
    """One reader of one feed, from one connection to the next.

    `after` is where they begin: a cursor or a number, or `None` for what happens from now on. `over` says that
    there is nothing to come back for.
    """

    teller: Teller[T]
    after: str | int | None
    cursor: str | None = field(init=False)
    _number: int = field(init=False)

    def __post_init__(self) -> None:
        self.cursor = None if self.after is None else str(self.after)
        self._number = number_of(self.cursor)

    @property
    def request(self) -> Mapping[str, Any]:
        """What `httpx` asks for, from where the reader stands."""
        return self.asking(self.teller.path, query({"after": self.cursor, **self.teller.params}), LINES)

    def told(self, part: bytes) -> Iterator[T]:
        """What came over the line tells, wherever it was cut; the reader stands after each as it comes."""
        for line in self.lines(part):
            told = self._told(line) if line else None
            if told is not None:
                yield told

    def _told(self, line: bytes) -> T | None:
        """What a line tells that is new to the reader; `None` for a frame that only says where things stand."""
        try:
            frame = _frame(line)
            self.hears(works=frame.frame in TOLD)
            if frame.frame in ("closed", "bye"):
                self._last(frame)
            if self._is_old(frame):
                return None
            told = self.teller.told(frame.frame, line)
        except msgspec.MsgspecError as error:
            raise stranger(self.url) from error
        self.cursor, self._number = frame.cursor, number_of(frame.cursor)
        return told

    def _is_old(self, frame: _Frame) -> bool:
        """Whether the reader is past it. A table is where the server puts its reader, after a whole action."""
        number = number_of(frame.cursor)
        if frame.frame == "state":
            return False
        return number < self._number or (frame.frame in ("event", "patch") and number <= self._number)

    def _last(self, frame: _Frame) -> None:
        """A frame after which the server hangs up: for good, or until it is back. Raises `Problem`."""
        if frame.reason is not None:
            breaks_off(frame.reason)
        self.over = frame.frame == "closed"
        self.waits((frame.retry or 0) / 1000)


def number_of(cursor: str | None) -> int:
    """The number a cursor stands at; 0 where it says none, which the server will refuse or explain."""
    digits = (cursor or "").partition(".")[0]
    return int(digits) if digits.isdecimal() else 0
