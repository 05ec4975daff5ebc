"""What is followed: a feed as it happens, or a replay; each thing once and in order, however often the line breaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from typing import Any, Generic, Protocol, Self, TypeVar

import httpx

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Followed(Protocol[T_co]):
    """One reader of what is followed, from one connection to the next: where they stand, and what lines tell."""

    @property
    def cursor(self) -> str | None:
        """Where the reader stands."""
        ...

    @property
    def over(self) -> bool:
        """Whether there is nothing to come back for."""
        ...

    @property
    def request(self) -> Mapping[str, Any]:
        """What `httpx` asks for."""
        ...

    def begins(self, answer: httpx.Response) -> bool:
        """Whether frames follow."""
        ...

    def refused(self, answer: httpx.Response) -> None:
        """The server would not begin."""
        ...

    def broken(self, fault: httpx.TransportError) -> None:
        """The line broke."""
        ...

    def pause(self) -> float:
        """How long to wait before the next connection."""
        ...

    def told(self, part: bytes) -> Iterator[T_co]:
        """What came over the line tells."""
        ...


class Feed(Generic[T]):
    """What happens at a table, as far as its reader may see it: iterate over it, for as long as it goes on.

    What it tells are the events of a session, or of all of them, its table as it changes, or the frames of a
    replay. When the line breaks or the server restarts, it comes back to where it was, for as long as that takes:
    nothing is missed and nothing comes twice. It ends when the session was closed, or with `stop`. Raises `Problem`
    where the server will not have this reader (`not-identified`) or the cursor is of another log
    (`cursor-unknown`), and `Unreachable` where nobody answers at the very beginning.

    `cursor` is where the reader stands: right after what came last. Save it once that is dealt with, and begin
    the next feed with it as `after`. Of a replay it is the number of the action.
    """

    def __init__(self, http: httpx.Client, following: Followed[T]) -> None:
        self._following = following
        self._tells = _told(http, following)

    @property
    def cursor(self) -> str | None:
        """Where the reader stands; `None` before the first answer to one who came without a cursor."""
        return self._following.cursor

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        return next(self._tells)

    def stop(self) -> None:
        """Hang up."""
        self._tells.close()


class AsyncFeed(Generic[T]):
    """What happens at a table, as far as its reader may see it, for `async for`; all else is as with `Feed`."""

    def __init__(self, http: httpx.AsyncClient, following: Followed[T]) -> None:
        self._following = following
        self._tells = _told_awaited(http, following)

    @property
    def cursor(self) -> str | None:
        """Where the reader stands; `None` before the first answer to one who came without a cursor."""
        return self._following.cursor

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        return await anext(self._tells)

    async def stop(self) -> None:
        """Hang up."""
        await self._tells.aclose()


# What speaks holds no feed: one that is let go of is not part of a circle, and hangs up at once. Left to the garbage
# collector it would hang up at any moment, such as while its connections are being counted, and wait for itself.


def _told(http: httpx.Client, following: Followed[T]) -> Generator[T, None, None]:
    while not following.over:
        try:
            yield from _line(http, following)
        except httpx.TransportError as fault:
            following.broken(fault)
        if not following.over:
            time.sleep(following.pause())


def _line(http: httpx.Client, following: Followed[T]) -> Generator[T, None, None]:
    """What one connection tells."""
    with http.stream(**following.request) as answer:
        if not following.begins(answer):
            answer.read()
            if not following.over:
                following.refused(answer)
            return
        for part in answer.iter_bytes():
            yield from following.told(part)


async def _told_awaited(http: httpx.AsyncClient, following: Followed[T]) -> AsyncGenerator[T, None]:
    while not following.over:
        lines = _line_awaited(http, following)
        try:
            async for each in lines:
                yield each
        except httpx.TransportError as fault:
            following.broken(fault)
        finally:
            await lines.aclose()
        if not following.over:
            await asyncio.sleep(following.pause())


async def _line_awaited(http: httpx.AsyncClient, following: Followed[T]) -> AsyncGenerator[T, None]:
    """What one connection tells."""
    async with http.stream(**following.request) as answer:
        if not following.begins(answer):
            await answer.aread()
            if not following.over:
                following.refused(answer)
            return
        async for part in answer.aiter_bytes():
            for each in following.told(part):
                yield each
