"""Somebody who listens to a feed of the application in this process, frame by frame."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from serving import Server, Table

SECONDS = 60
LINES = {"Accept": "application/x-ndjson"}


class Heard(NamedTuple):
    """A frame: its kind, its cursor, what it carries, and the `retry` it brought."""

    kind: str
    id: str
    data: Any
    retry: str | None = None


def frames_of(text: str) -> list[Heard]:
    """The frames of Server-Sent Events, or of lines of JSON."""
    if text.startswith("{"):
        lines = [json.loads(line) for line in text.splitlines()]
        return [Heard(line.pop("frame"), line.pop("cursor"), line) for line in lines]
    return [_frame(part) for part in text.split("\n\n") if part]


def _frame(part: str) -> Heard:
    fields = dict(line.split(": ", 1) for line in part.splitlines())
    assert set(fields) <= {"event", "id", "data", "retry"}
    return Heard(fields.get("event", "event"), fields["id"], json.loads(fields["data"]), fields.get("retry"))


@dataclass
class Ear:
    """A client of one feed. It takes what is sent at once, or not at all while it is `deaf`."""

    server: Server
    path: str
    token: str | None = None
    params: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 0
    answer: dict[str, str] = field(default_factory=dict)
    text: str = ""
    over: bool = False
    scope: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.server.do(self._begin)

    async def _begin(self) -> None:
        self._gone, self.listens = asyncio.Event(), asyncio.Event()
        self.listens.set()
        headers = {"host": "localhost", **self.headers}
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        self.scope = {
            "type": "http", "method": "GET", "http_version": "1.1", "scheme": "http", "path": self.path,
            "raw_path": self.path.encode(), "root_path": "", "query_string": urlencode(self.params).encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "server": ("localhost", 80), "client": ("127.0.0.1", 1),
        }  # fmt: skip
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Any:
            message = next(asked, None)
            if message is None:
                await self._gone.wait()
            return message or {"type": "http.disconnect"}

        self.running = asyncio.create_task(self._run(receive))
        await self._until(lambda: bool(self.status))

    async def _run(self, receive: Any) -> None:
        await self.server.app(self.scope, receive, self._send)  # type: ignore[arg-type]
        self.over = True

    async def _send(self, message: Any) -> None:
        await self.listens.wait()
        if message["type"] == "http.response.start":
            self.answer = {name.decode(): value.decode() for name, value in message["headers"]}
            self.status = message["status"]
        else:
            self.text += message.get("body", b"").decode()

    async def _until(self, enough: Callable[[], bool]) -> None:
        async with asyncio.timeout(SECONDS):
            while not enough():  # noqa: ASYNC110 - looks at what the application does
                await asyncio.sleep(0.005)

    @property
    def frames(self) -> list[Heard]:
        """All frames so far."""
        return frames_of(self.text)

    @property
    def events(self) -> list[Any]:
        """The events so far."""
        return [frame.data for frame in self.frames if frame.kind == "event"]

    @property
    def problem(self) -> Any:
        """The refusal, checked."""
        assert self.answer["content-type"] == "application/problem+json", self.text
        document = json.loads(self.text)
        assert document["status"] == self.status
        return document

    def until(self, enough: Callable[[list[Heard]], bool]) -> list[Heard]:
        """All frames, once they are enough."""
        self.server.do(lambda: self._until(lambda: enough(self.frames)))
        return self.frames

    def hear(self, kind: str, times: int = 1) -> list[Heard]:
        """The frames of a kind, once there are so many."""

        def found(frames: list[Heard]) -> list[Heard]:
            return [frame for frame in frames if frame.kind == kind]

        return found(self.until(lambda frames: len(found(frames)) >= times))

    def end(self) -> list[Heard]:
        """All frames, once the server has ended the feed."""
        self.server.do(lambda: self._until(lambda: self.over))
        return self.frames

    def leave(self) -> None:
        """Hang up."""
        self._gone.set()
        self.end()

    def turn_deaf(self, *, deaf: bool = True) -> None:
        """Take nothing more, or take things again."""
        (self.listens.clear if deaf else self.listens.set)()


def listen(table: Table, as_: str = "gm", *, headers: dict[str, str] | None = None, **params: str) -> Ear:
    """Listen to a table's feed."""
    return Ear(
        table.server, f"/sessions/{table.id}/feed", table.tokens[as_], params=params, headers=headers or {}
    )


def wait(server: Server, seconds: float) -> None:
    """Let the server go on for a while."""
    server.do(lambda: asyncio.sleep(seconds))
