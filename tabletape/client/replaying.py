"""A replay that is followed: frame after frame, from one connection to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tabletape.client.call import Parameters
from tabletape.client.coming_back import ComingBack, breaks_off
from tabletape.client.sending import query, stranger
from tabletape.client.shapes.replay import ReplayFrame

SERVER_SENT = "text/event-stream"


class _End(msgspec.Struct, frozen=True, kw_only=True):
    """The last frame."""

    reason: str


_action = msgspec.json.Decoder(ReplayFrame).decode
_end = msgspec.json.Decoder(_End).decode


@dataclass(slots=True)
class Replaying(ComingBack):
    """One reader of one replay. `cursor` is the number of the action that came last."""

    path: str
    params: Parameters
    cursor: str | None = field(default=None, init=False)
    _kind: str = field(default="", init=False)

    @property
    def request(self) -> Mapping[str, Any]:
        """What `httpx` asks for: the whole, or what comes after the last frame."""
        headers = {} if self.cursor is None else {"Last-Event-ID": self.cursor}
        return self.asking(self.path, query(self.params), SERVER_SENT, headers)

    def told(self, part: bytes) -> Iterator[ReplayFrame]:
        """The frames of what came over the line, wherever it was cut."""
        for line in self.lines(part):
            name, _, value = line.partition(b": ")
            if name == b"event":
                self._kind = value.decode()
            elif name == b"data":
                frame = self._told(value)
                if frame is not None:
                    yield frame

    def _told(self, data: bytes) -> ReplayFrame | None:
        self.hears(works=True)
        try:
            if self._kind == "end":
                self._last(_end(data).reason)
                return None
            frame = _action(data)
        except msgspec.MsgspecError as error:
            raise stranger(self.url) from error
        self.cursor = str(frame.action)
        return frame

    def _last(self, reason: str) -> None:
        """Why it ends. Whose token was taken away comes back, and is told so."""
        breaks_off(reason)
        self.over = reason == "done"

    def _gives_up(self) -> bool:
        """Whether the server stays away: nobody waits for ever for what has an end."""
        return self._failed + 1 >= self.patience.tries
