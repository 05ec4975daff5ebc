"""What is followed: a feed as it happens, or a replay; each thing once and in order, however often the line breaks."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
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
    nothing is missed and nothing comes twice. It ends when the session was closed, or with `stop`, from any
    thread. Raises `Problem` where the server will not have this reader (`not-identified`), the cursor is of another
    log (`cursor-unknown`), the session was removed (`session-removed`) or its log cannot be told any further
    (`log-error`), and `Unreachable` where nobody answers at the very beginning.

    `cursor` is where the reader stands: right after what came last. Save it once that is dealt with, and begin
    the next feed with it as `after`. Of a replay it is the number of the action.
    """

    def __init__(self, http: httpx.Client, following: Followed[T]) -> None:
        self._following = following
        self._line = _Line()
        self._tells = _told(http, following, self._line)

    @property
    def cursor(self) -> str | None:
        """Where the reader stands; `None` before the first answer to one who came without a cursor."""
        return self._following.cursor

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        if self._line.is_down():
            self._tells.close()
        return next(self._tells)

    def stop(self) -> None:
        """Hang up. A thread that waits for what comes next finds the feed at its end."""
        self._line.hang_up()
        with suppress(ValueError):  # that thread is inside, and closes it
            self._tells.close()


class AsyncFeed(Generic[T]):
    """What happens at a table, as far as its reader may see it, for `async for`; all else is as with `Feed`.

    Who stops waiting for what comes next, as with `asyncio.wait_for`, hangs up, and misses nothing: the next
    `anext` comes back to where the reader stands.
    """

    def __init__(self, http: httpx.AsyncClient, following: Followed[T]) -> None:
        self._http = http
        self._following = following
        self._stopped = False
        self._waiting: asyncio.Timeout | None = None
        self._tells = _told_awaited(http, following)

    @property
    def cursor(self) -> str | None:
        """Where the reader stands; `None` before the first answer to one who came without a cursor."""
        return self._following.cursor

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        if self._stopped:
            raise StopAsyncIteration
        try:
            async with asyncio.timeout(None) as self._waiting:
                return await anext(self._tells)
        except TimeoutError:
            if not self._stopped:
                raise
            raise StopAsyncIteration from None
        except asyncio.CancelledError:
            self._tells = _told_awaited(self._http, self._following)
            raise
        finally:
            self._waiting = None

    async def stop(self) -> None:
        """Hang up. A task that waits for what comes next finds the feed at its end."""
        stopped, self._stopped = self._stopped, True
        if self._waiting is None:
            await self._tells.aclose()
        elif not stopped:
            self._waiting.reschedule(asyncio.get_running_loop().time())


class _Line:
    """What a blocking feed listens on, for another thread to hang it up."""

    def __init__(self) -> None:
        self._down = threading.Event()
        self._lock = threading.Lock()
        self._answer: httpx.Response | None = None

    def is_down(self) -> bool:
        """Whether somebody hung up."""
        return self._down.is_set()

    def wait(self, seconds: float) -> None:
        """Until the next connection."""
        self._down.wait(seconds)

    @contextmanager
    def listening(self, answer: httpx.Response) -> Iterator[None]:
        """While this answer is read; afterwards its connection may be somebody else's."""
        self._answer = answer
        try:
            yield
        finally:
            with self._lock:
                self._answer = None

    def hang_up(self) -> None:
        """Nothing more comes. Only a connection that is shut down, not one that is closed, wakes who reads it."""
        self._down.set()
        with self._lock:
            stream = self._answer and self._answer.extensions.get("network_stream")
            connected = stream and stream.get_extra_info("socket")
            if isinstance(connected, socket.socket):
                with suppress(OSError):
                    socket.socket.shutdown(connected, socket.SHUT_RDWR)


# What speaks holds no feed: one that is let go of is not part of a circle, and hangs up at once. Left to the garbage
# collector it would hang up at any moment, such as while its connections are being counted, and wait for itself.


def _told(http: httpx.Client, following: Followed[T], line: _Line) -> Generator[T, None, None]:
    while not (following.over or line.is_down()):
        try:
            yield from _heard(http, following, line)
        except httpx.TransportError as fault:
            if line.is_down():
                return
            following.broken(fault)
        if not following.over:
            line.wait(following.pause())


def _heard(http: httpx.Client, following: Followed[T], line: _Line) -> Generator[T, None, None]:
    """What one connection tells."""
    with http.stream(**following.request) as answer, line.listening(answer):
        if not following.begins(answer):
            answer.read()
            if not following.over:
                following.refused(answer)
            return
        if not line.is_down():
            for part in answer.iter_bytes():
                yield from following.told(part)


async def _told_awaited(http: httpx.AsyncClient, following: Followed[T]) -> AsyncGenerator[T, None]:
    while not following.over:
        lines = _heard_awaited(http, following)
        try:
            async for each in lines:
                yield each
        except httpx.TransportError as fault:
            following.broken(fault)
        finally:
            await lines.aclose()
        if not following.over:
            await asyncio.sleep(following.pause())


async def _heard_awaited(http: httpx.AsyncClient, following: Followed[T]) -> AsyncGenerator[T, None]:
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
