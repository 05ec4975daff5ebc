"""One commit for all who wait, an answer for each."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from eventlog.errors import Busy, SequenceBroken, StoreUnusable
from eventlog.gathering import Gatherer, WriterThread
from eventlog.sqlite.store import SqliteStore
from eventlog.store import Append, Conflict, Outcome, Stored
from eventlog.testing import followed, opened

GAP = opened("gap", events=(opened("gap", 2).events[1],))


class Slow(SqliteStore):
    """A store whose appends wait for a sign, and which remembers what came together."""

    def watch(self) -> None:
        self.calls: list[list[str]] = []
        self.may_go = threading.Event()
        self.fault: Callable[[], None] = lambda: None

    def append(self, items: Sequence[Append]) -> list[Outcome]:
        self.calls.append([item.session for item in items])
        assert self.may_go.wait(10)
        self.fault()
        return super().append(items)


@asynccontextmanager
async def gathering() -> AsyncIterator[tuple[Slow, Gatherer]]:
    store = Slow.open(":memory:")
    store.watch()
    gatherer = Gatherer(WriterThread(store))
    yield store, gatherer
    store.may_go.set()
    await gatherer.aclose()
    store.close()


async def begun(store: Slow, calls: int) -> None:
    """Wait until so many commits have begun."""
    async with asyncio.timeout(10):
        while len(store.calls) < calls:  # noqa: ASYNC110 - the worker is a thread without an asyncio event
            await asyncio.sleep(0.001)


def test_what_waits_during_a_commit_goes_into_the_next_one() -> None:
    async def play() -> None:
        async with gathering() as (store, gatherer):
            first = asyncio.create_task(gatherer.append(opened("s0", 2)))
            await begun(store, 1)
            others = [asyncio.create_task(gatherer.append(opened(f"s{n}"))) for n in range(1, 64)]
            await asyncio.sleep(0)
            store.may_go.set()
            outcomes = await asyncio.gather(first, *others)
            assert outcomes == [Stored(position=1), *(Stored(position=n + 2) for n in range(1, 64))]
            assert store.calls == [["s0"], [f"s{n}" for n in range(1, 64)]]

    asyncio.run(play())


def test_who_comes_at_the_same_moment_shares_the_first_commit() -> None:
    async def play() -> None:
        async with gathering() as (store, gatherer):
            store.may_go.set()
            await asyncio.gather(*(gatherer.append(opened(f"s{n}")) for n in range(8)))
            assert [len(call) for call in store.calls] == [8]

    asyncio.run(play())


def test_each_gets_the_answer_to_its_own_item() -> None:
    async def play() -> None:
        async with gathering() as (store, gatherer):
            store.may_go.set()
            log = opened("log")
            answers = await asyncio.gather(*map(gatherer.append, (log, log, followed(log), opened("other"))))
            assert answers == [
                Stored(position=1),
                Conflict(version=1),
                Stored(position=2),
                Stored(position=3),
            ]

    asyncio.run(play())


def test_one_bad_item_fails_alone() -> None:
    async def play() -> None:
        async with gathering() as (store, gatherer):
            store.may_go.set()
            items = (opened("log"), GAP, opened("other"))
            good, bad, other = await asyncio.gather(*map(gatherer.append, items), return_exceptions=True)
            assert (good, other) == (Stored(position=1), Stored(position=2))
            assert isinstance(bad, SequenceBroken)

    asyncio.run(play())


def test_a_disk_that_takes_nothing_is_told_to_everybody_and_the_next_try_works() -> None:
    def full() -> None:
        raise StoreUnusable("The disk is full")

    async def play() -> None:
        async with gathering() as (store, gatherer):
            store.may_go.set()
            store.fault = full
            items = [opened("log"), opened("other")]
            answers = await asyncio.gather(*map(gatherer.append, items), return_exceptions=True)
            assert [type(answer) for answer in answers] == [StoreUnusable, StoreUnusable]
            store.fault = lambda: None
            assert await gatherer.append(items[0]) == Stored(position=1)

    asyncio.run(play())


@pytest.mark.parametrize("already_begun", [True, False], ids=["while committing", "while waiting"])
def test_who_stops_waiting_neither_loses_nor_doubles_the_append(already_begun: bool) -> None:
    async def play() -> None:
        async with gathering() as (store, gatherer):
            if not already_begun:
                ahead = asyncio.create_task(gatherer.append(opened("ahead")))
                await begun(store, 1)
            caller = asyncio.create_task(gatherer.append(opened("log", 2)))
            await (begun(store, 1) if already_begun else asyncio.sleep(0))
            caller.cancel()
            with pytest.raises(asyncio.CancelledError):
                await caller
            store.may_go.set()
            assert await gatherer.append(opened("log", 2)) == Conflict(version=2)
            if not already_begun:
                assert await ahead == Stored(position=1)
            assert [event.seq for event in store.envelopes("log")] == [1, 2]

    asyncio.run(play())


def test_closing_waits_for_all_that_was_taken_and_takes_nothing_more() -> None:
    async def play() -> None:
        async with gathering() as (store, gatherer):
            first = asyncio.create_task(gatherer.append(opened("first")))
            await begun(store, 1)
            second = asyncio.create_task(gatherer.append(opened("second")))
            await asyncio.sleep(0)
            closing = asyncio.create_task(gatherer.aclose())
            await asyncio.sleep(0)
            with pytest.raises(Busy, match="send it again"):
                await gatherer.append(opened("late"))
            assert not closing.done()
            store.may_go.set()
            await closing
            assert (await first, await second) == (Stored(position=1), Stored(position=2))
            assert len(store.sessions().heads) == 2

    asyncio.run(play())


def test_closing_what_never_worked_returns_at_once() -> None:
    async def play() -> None:
        async with gathering() as (_, gatherer):
            await gatherer.aclose()

    asyncio.run(play())
