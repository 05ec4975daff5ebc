"""Clients that cost little: HTTP over a kept connection, so that what is measured is the server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import msgspec


class Client:
    """One connection to a server on this machine."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, port: int) -> Client:
        """Connect to a local port."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def send(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, bytes]:
        """Send a request and read its answer: status and body."""
        raw = b"" if body is None else msgspec.json.encode(body)
        return await self.exchange(request(method, path, raw, token))

    async def exchange(self, raw: bytes) -> tuple[int, bytes]:
        """Send bytes made by `request` and read the answer."""
        self._writer.write(raw)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        return int(head[9:12]), await self._reader.readexactly(length) if length else b""

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


def request(method: str, path: str, body: bytes, token: str = "", *, minimal: bool = False) -> bytes:
    """A request as bytes; `minimal` where its receipt is all that is wanted."""
    more = f"Authorization: Bearer {token}\r\n" if token else ""
    more += "Prefer: return=minimal\r\n" if minimal else ""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{more}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def requests_per_second(port: int, streams: list[Iterator[bytes]], seconds: float) -> float:
    """How many requests a second some clients get answered with 2xx, each sending its stream one by one."""
    clients = [await Client.connect(port) for _ in streams]
    started = perf_counter()
    counts = await asyncio.gather(
        *(_drive(client, stream, started + seconds) for client, stream in zip(clients, streams, strict=True))
    )
    took = perf_counter() - started
    for client in clients:
        client.close()
    return sum(counts) / took


async def _drive(client: Client, stream: Iterator[bytes], until: float) -> int:
    answered = 0
    for raw in stream:
        status, body = await client.exchange(raw)
        if not 200 <= status < 300:
            raise RuntimeError(f"The server answered {status}: {body[:300]!r}")
        answered += 1
        if perf_counter() >= until:
            break
    return answered
