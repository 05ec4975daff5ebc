"""Somebody who follows a feed of a real server and comes back, as docs/feeds.md says, whenever it breaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx

LINES = "application/x-ndjson"


class FeedReader:
    """Keeps every event it is told. `cuts` counts how often it had to come back."""

    def __init__(self, url: str, token: str, *, lines: bool = False, **params: str) -> None:
        self.url = url
        self.events: list[Any] = []
        self.cursors: list[str] = []
        self.cuts = 0
        self.last: str | None = None
        self.kinds: list[str] = []
        self.ended = False
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": LINES if lines else "text/event-stream",
        }
        self._params = params

    async def follow(self) -> None:
        """Follow until the session is closed."""
        async with httpx.AsyncClient(timeout=httpx.Timeout(5, read=10)) as client:
            while not self.ended:
                try:
                    await self._listen(client)
                except httpx.TransportError:
                    await asyncio.sleep(0.02)
                self.cuts += 1

    async def _listen(self, client: httpx.AsyncClient) -> None:
        headers = dict(self._headers, **({"Last-Event-ID": self.last} if self.last else {}))
        async with client.stream("GET", self.url, params=self._params, headers=headers) as answer:
            if answer.status_code == 204:
                self.ended = True
                return
            assert answer.status_code == 200, await answer.aread()
            frames = _lines(answer) if "Accept" in headers and headers["Accept"] == LINES else _sse(answer)
            async for kind, cursor, data in frames:
                self.last = cursor
                self.kinds.append(kind)
                if kind in {"event", "patch"}:
                    self.events.append(data)
                    self.cursors.append(cursor)
                self.ended = self.ended or kind == "closed"


async def _sse(answer: httpx.Response) -> AsyncIterator[tuple[str, str, Any]]:
    fields: dict[str, str] = {}
    async for line in answer.aiter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield fields.get("event", "event"), fields["id"], json.loads(fields["data"])
            fields = {}


async def _lines(answer: httpx.Response) -> AsyncIterator[tuple[str, str, Any]]:
    async for line in answer.aiter_lines():
        frame = json.loads(line)
        yield frame.pop("frame"), frame.pop("cursor"), frame
