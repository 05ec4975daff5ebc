"""Listeners that cost little: a thousand connections that only look for a mark in what they are sent."""

from __future__ import annotations

import asyncio
from time import perf_counter

HEAD = b"event: head"


class Listener(asyncio.Protocol):
    """One connection. It counts the marks it has seen, and tells its crowd."""

    def __init__(self, crowd: Crowd) -> None:
        self._crowd = crowd

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the feed."""
        self._crowd.transports.append(transport)
        transport.write(self._crowd.request)  # type: ignore[attr-defined]  # it is one that writes

    def data_received(self, data: bytes) -> None:
        """Look for the mark. What is sent in a bench is small and comes in one piece."""
        if self._crowd.mark in data:
            self._crowd.heard()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody may be cut off in a bench."""
        self._crowd.lost += 1
        del exc


class Crowd:
    """Many listeners of one feed."""

    def __init__(self, port: int, path: str, token: str) -> None:
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
        ).encode()
        self.transports: list[asyncio.BaseTransport] = []
        self.mark = b""
        self.lost = 0
        self._port = port
        self._missing = 0
        self._all = asyncio.Event()

    def look_for(self, mark: bytes) -> None:
        """From now on, everybody waits for this."""
        self.mark, self._missing = mark, len(self.transports)
        self._all.clear()

    def heard(self) -> None:
        """One more has heard it."""
        self._missing -= 1
        if self._missing == 0:
            self._all.set()

    async def everybody(self, seconds: float = 30) -> float:
        """The moment at which the last one heard it."""
        async with asyncio.timeout(seconds):
            await self._all.wait()
        if self.lost:
            raise RuntimeError(f"{self.lost} listeners were cut off")
        return perf_counter()

    async def gather(self, many: int) -> None:
        """Connect, a few at a time, until everybody has heard the head of the feed."""
        loop = asyncio.get_running_loop()
        self.mark, self._missing = HEAD, many
        for _ in range(0, many, 50):
            await asyncio.gather(
                *(loop.create_connection(lambda: Listener(self), "127.0.0.1", self._port) for _ in range(50))
            )
        await self.everybody()

    def disperse(self) -> None:
        """Hang up."""
        for transport in self.transports:
            transport.abort()  # type: ignore[attr-defined]  # as above
