"""Following a feed, without speaking or waiting: where the reader stands, what a frame means, when to come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec

from tabletape.client.call import LINES, path_of
from tabletape.client.patience import Patience
from tabletape.client.sending import (
    NEVER_PASSES,
    NOT_NOW,
    asked_to_wait,
    query,
    refusal,
    stranger,
    unreachable,
)
from tabletape.client.shapes.events import Event

SILENCE = 45.0
"""Seconds without a frame after which the line is taken for dead; a server beats every 15."""


TOLD = frozenset({"event", "heartbeat"})
"""Frames of a line that does its work."""


class _Frame(msgspec.Struct, frozen=True, kw_only=True):
    """Enough of a frame to tell what it is. `cursor` is where its reader stands after it."""

    frame: str
    cursor: str
    reason: str | None = None
    retry: int | None = None


_frame = msgspec.json.Decoder(_Frame).decode
_event = msgspec.json.Decoder(Event).decode


@dataclass(slots=True)
class Following:
    """One reader of one session's feed, from one connection to the next.

    `after` is where they begin: a cursor or a number, or `None` for what happens from now on. `over` says that
    there is nothing to come back for.
    """

    url: str
    session: str
    token: str | None
    patience: Patience
    after: str | int | None
    types: Sequence[str] = ()
    cursor: str | None = field(init=False)
    over: bool = field(default=False, init=False)
    _seq: int = field(init=False)
    _met: bool = field(default=False, init=False)
    _failed: int = field(default=0, init=False)
    _pause: float = field(default=0.0, init=False)
    _rest: bytes = field(default=b"", init=False)

    def __post_init__(self) -> None:
        self.cursor = None if self.after is None else str(self.after)
        self._seq = number_of(self.cursor)

    @property
    def request(self) -> dict[str, Any]:
        """What `httpx` asks for, from where the reader stands."""
        headers = {"Accept": LINES, **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        return {
            "method": "GET",
            "url": path_of(self.session, "feed"),
            "params": query({"after": self.cursor, "types": ",".join(self.types) or None}),
            "headers": headers,
            "timeout": httpx.Timeout(30.0, read=SILENCE),
        }

    def begins(self, answer: httpx.Response) -> bool:
        """Whether frames follow. Call `refused` with the body where not."""
        self._rest = b""
        if answer.status_code == httpx.codes.NO_CONTENT:
            self.over = True
        return answer.status_code == httpx.codes.OK

    def refused(self, answer: httpx.Response) -> None:
        """The server would not begin: not now, or not at all. Raises `Problem` when not at all."""
        if answer.status_code not in NOT_NOW or self._gives_up():
            raise refusal(self.url, answer.status_code, answer.content)
        self._pause = asked_to_wait(answer)

    def broken(self, fault: httpx.TransportError) -> None:
        """The line broke. Raises `Unreachable` where there never was one."""
        if isinstance(fault, NEVER_PASSES) or self._gives_up():
            raise unreachable(self.url, fault) from fault

    def pause(self) -> float:
        """How long to wait before the next connection: longer with each that told nothing."""
        self._failed += 1
        wait, self._pause = max(self._pause, self.patience.pause(self._failed)), 0.0
        return wait

    def events(self, part: bytes) -> Iterator[Event]:
        """The events of what came over the line, wherever it was cut; the reader stands after each as it comes."""
        # Not at every line break of Unicode: somebody's words may hold those.
        *lines, self._rest = (self._rest + part).split(b"\n")
        for line in lines:
            event = self._event(line) if line else None
            if event is not None:
                yield event

    def _event(self, line: bytes) -> Event | None:
        """The event of a line that is new to the reader; `None` for a frame that only says where things stand."""
        try:
            frame = _frame(line)
            event = _event(line) if frame.frame == "event" else None
        except msgspec.MsgspecError as error:
            raise stranger(self.url) from error
        self._met = True
        if frame.frame in TOLD:
            self._failed = 0
        if frame.frame in ("closed", "bye"):
            self._last(frame)
        if number_of(frame.cursor) < self._seq or (event is not None and event.seq <= self._seq):
            return None
        self.cursor, self._seq = frame.cursor, number_of(frame.cursor)
        return event

    def _last(self, frame: _Frame) -> None:
        """A frame after which the server hangs up: for good, or until it is back."""
        self.over = frame.frame == "closed" or frame.reason == "removed"
        self._pause = (frame.retry or 0) / 1000

    def _gives_up(self) -> bool:
        """Whether nobody ever answered, and it was tried often enough; a feed that was heard is waited for."""
        return not self._met and self._failed + 1 >= self.patience.tries


def number_of(cursor: str | None) -> int:
    """The `seq` a cursor stands at; 0 where it says none, which the server will refuse or explain."""
    digits = (cursor or "").partition(".")[0]
    return int(digits) if digits.isdecimal() else 0
