"""One durable commit for all who wait: an fsync costs milliseconds, so nobody gets one to themselves."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from eventlog.errors import Busy
from eventlog.store import Append, Outcome, Store

BREATH, LONGEST_BREATH = 0.00025, 0.004
"""Seconds taken between two commits for each that the first one held, and at most: a crowd gets bigger commits,
somebody alone is never kept waiting."""

Waiting: TypeAlias = tuple[Append, asyncio.Future[Outcome]]


class Gatherer:
    """The only writer of a store within one event loop. What arrives during a commit goes into the next one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="append")
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
            loop.call_soon(self._commit_next, loop)  # soon: what else arrives now comes along
        return await answer

    async def aclose(self) -> None:
        """Take nothing more, and return when all that was taken is stored and answered."""
        self._closed = True
        await self._idle.wait()
        self._worker.shutdown()

    def _commit_next(self, loop: asyncio.AbstractEventLoop) -> None:
        gathered, self._waiting = self._waiting, []
        if gathered:
            self._worker.submit(self._commit, loop, gathered)
        else:
            self._idle.set()

    def _commit(self, loop: asyncio.AbstractEventLoop, gathered: list[Waiting]) -> None:
        outcomes = self._stored([item for item, _ in gathered])
        loop.call_soon_threadsafe(self._answer, loop, gathered, outcomes)

    def _stored(self, items: list[Append]) -> list[Outcome | BaseException]:
        """What came of each item. Where all together fail, each is tried alone, so that one harms no other."""
        try:
            return list(self._store.append(items))
        except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to whoever waits for it
            if len(items) == 1:
                return [error]
            return [outcome for item in items for outcome in self._stored([item])]

    def _answer(
        self,
        loop: asyncio.AbstractEventLoop,
        gathered: list[Waiting],
        outcomes: list[Outcome | BaseException],
    ) -> None:
        if len(gathered) > 1:
            loop.call_later(min(LONGEST_BREATH, BREATH * len(gathered)), self._commit_next, loop)
        else:
            self._commit_next(loop)
        for (_, answer), outcome in zip(gathered, outcomes, strict=True):
            if answer.done():  # its caller was cancelled
                continue
            if isinstance(outcome, BaseException):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)
