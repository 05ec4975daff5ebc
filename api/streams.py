"""Answers of any length, sent while they are written: some lines at a time, each read off in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from litestar.types import Receive, Scope, Send

from api.answers import UNKEPT, Answer

LINES_AT_ONCE = 256


class Streamed(Answer[Any]):
    """A file as it is written. Its first lines are there already, so that what refuses it was heard."""

    def __init__(self, first: bytes, lines: Iterator[bytes], media_type: str, filename: str) -> None:
        headers = [
            (b"cache-control", UNKEPT.encode()),
            (b"content-disposition", f'attachment; filename="{filename}"'.encode()),
            (b"content-type", media_type.encode()),
        ]
        self._start = {"type": "http.response.start", "status": 200, "headers": headers}
        self._first = first
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        del scope, receive
        await send(self._start)  # type: ignore[arg-type]  # the headers of every start are pairs
        part = self._first
        while part:
            await send({"type": "http.response.body", "body": part, "more_body": True})
            part = await asyncio.to_thread(next_lines, self._lines)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def streamed(lines: Iterator[bytes], media_type: str, filename: str) -> Streamed:
    """Lines with their ends as a file of that name."""
    return Streamed(await asyncio.to_thread(next_lines, lines), lines, media_type, filename)


def next_lines(lines: Iterator[bytes]) -> bytes:
    """Some more lines; none at the end."""
    return b"".join(line for _, line in zip(range(LINES_AT_ONCE), lines, strict=False))
