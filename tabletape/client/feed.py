"""The feed: the events of a session as they happen, each once and in order, however often the line breaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from typing import Self

import httpx

from tabletape.client.following import Following
from tabletape.client.shapes.events import Event


class Feed:
    """The events of a session that its reader may see: iterate over it, for as long as the session is open.

    When the line breaks or the server restarts, it comes back to where it was, for as long as that takes: no
    event is missed and none comes twice. It ends when the session was closed, or with `stop`. Raises `Problem`
    where the server will not have this reader (`not-identified`) or the cursor is of another log
    (`cursor-unknown`), and `Unreachable` where nobody answers at the very beginning.

    `cursor` is where the reader stands: right after the event that came last. Save it once that event is dealt
    with, and begin the next feed with it as `after`.
    """

    def __init__(self, http: httpx.Client, following: Following) -> None:
        self._http = http
        self._following = following
        self._events = self._told()

    @property
    def cursor(self) -> str | None:
        """Where the reader stands; `None` before the first answer to one who came without a cursor."""
        return self._following.cursor

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def stop(self) -> None:
        """Hang up."""
        self._events.close()

    def _told(self) -> Generator[Event, None, None]:
        following = self._following
        while not following.over:
            try:
                yield from self._line()
            except httpx.TransportError as fault:
                following.broken(fault)
            if not following.over:
                time.sleep(following.pause())

    def _line(self) -> Generator[Event, None, None]:
        """The events of one connection."""
        following = self._following
        with self._http.stream(**following.request) as answer:
            if not following.begins(answer):
                answer.read()
                if not following.over:
                    following.refused(answer)
                return
            for part in answer.iter_bytes():
                yield from following.events(part)


class AsyncFeed:
    """The events of a session that its reader may see, for `async for`; all else is as with `Feed`."""

    def __init__(self, http: httpx.AsyncClient, following: Following) -> None:
        self._http = http
        self._following = following
        self._events = self._told()

    @property
    def cursor(self) -> str | None:
        """Where the reader stands; `None` before the first answer to one who came without a cursor."""
        return self._following.cursor

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        return await anext(self._events)

    async def stop(self) -> None:
        """Hang up."""
        await self._events.aclose()

    async def _told(self) -> AsyncGenerator[Event, None]:
        following = self._following
        while not following.over:
            lines = self._line()
            try:
                async for event in lines:
                    yield event
            except httpx.TransportError as fault:
                following.broken(fault)
            finally:
                await lines.aclose()
            if not following.over:
                await asyncio.sleep(following.pause())

    async def _line(self) -> AsyncGenerator[Event, None]:
        """The events of one connection."""
        following = self._following
        async with self._http.stream(**following.request) as answer:
            if not following.begins(answer):
                await answer.aread()
                if not following.over:
                    following.refused(answer)
                return
            async for part in answer.aiter_bytes():
                for event in following.events(part):
                    yield event
