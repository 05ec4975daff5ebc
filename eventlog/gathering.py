"""One durable commit for all who wait: an fsync costs milliseconds, so nobody gets one to themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeAlias

import msgspec

from eventlog.envelope import placed
from eventlog.errors import Busy
from eventlog.frames import event_frames
from eventlog.store import Append, Outcome, Store, Stored

_encode = msgspec.json.Encoder().encode

BREATH, LONGEST_BREATH = 0.00025, 0.004
"""Seconds a thread takes between two commits for each that the first one held, and at most: it works at the
cost of everybody else, so a crowd gets bigger commits; somebody alone is never kept waiting."""

Outcomes: TypeAlias = Sequence[Outcome | BaseException]
"""What came of each item, in order."""

Waiting: TypeAlias = tuple[Append, asyncio.Future[Outcome]]


class Writer(Protocol):
    """What stores beside the event loop, one batch at a time."""

    def store(self, items: Sequence[Append], told: Callable[[Outcomes], None]) -> None:
        """Store the items, and tell on the loop what came of each."""
        ...

    def breath(self, items: int) -> float:
        """Seconds it takes between a commit of so many items and the next."""
        ...

    async def aclose(self) -> None:
        """Let go, when nothing is under way."""
        ...


class WriterThread:
    """A thread of this process: right for every store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="append")

    def store(self, items: Sequence[Append], told: Callable[[Outcomes], None]) -> None:
        """Store the items, and tell on the loop what came of each."""
        self._worker.submit(self._commit, asyncio.get_running_loop(), items, told)

    def breath(self, items: int) -> float:
        """Seconds it takes between a commit of so many items and the next."""
        return min(LONGEST_BREATH, BREATH * items) if items > 1 else 0

    async def aclose(self) -> None:
        """End the thread."""
        self._worker.shutdown()

    def _commit(
        self, loop: asyncio.AbstractEventLoop, items: Sequence[Append], told: Callable[[Outcomes], None]
    ) -> None:
        loop.call_soon_threadsafe(told, stored(self._store, items))


def stored(store: Store, items: Sequence[Append]) -> Outcomes:
    """What came of each item. Where all together fail, each is tried alone, so that one harms no other."""
    try:
        outcomes = store.append(items)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to whoever waits for it
        if len(items) == 1:
            return [error]
        return [outcome for item in items for outcome in stored(store, [item])]
    return list(map(_told, items, outcomes))


def _told(item: Append, outcome: Outcome) -> Outcome:
    """The outcome with what the item's reader may see. It is spelled here, where nobody else has to wait for it."""
    if item.reader is None or not isinstance(outcome, Stored):
        return outcome
    events = event_frames(placed(item.events, outcome.position), item.reader)
    return msgspec.structs.replace(outcome, frames=_encode(events))


class Gatherer:
    """The only way to the writer within one event loop. What arrives during a commit goes into the next one."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: list[Waiting] = []
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False

    async def append(self, item: Append) -> Outcome:
        """Append in turn and answer when it is on disk. Who stops waiting does not stop the append."""
        if self._closed:
            raise Busy("The server is stopping and stored nothing: send it again in a moment")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Outcome] = loop.create_future()
        self._waiting.append((item, answer))
        if self._idle.is_set():
            self._idle.clear()
            loop.call_soon(self._commit_next)  # soon: what else arrives now comes along
        return await answer

    async def aclose(self) -> None:
        """Take nothing more, and return when all that was taken is stored and answered."""
        self._closed = True
        await self._idle.wait()
        await self._writer.aclose()

    def _commit_next(self) -> None:
        gathered, self._waiting = self._waiting, []
        if gathered:
            self._writer.store(
                [item for item, _ in gathered], lambda outcomes: self._answer(gathered, outcomes)
            )
        else:
            self._idle.set()

    def _answer(self, gathered: list[Waiting], outcomes: Outcomes) -> None:
        breath = self._writer.breath(len(gathered))
        if breath:
            asyncio.get_running_loop().call_later(breath, self._commit_next)
        else:
            self._commit_next()
        for (_, answer), outcome in zip(gathered, outcomes, strict=True):
            if answer.done():  # its caller was cancelled
                continue
            if isinstance(outcome, BaseException):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)
