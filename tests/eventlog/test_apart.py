"""The process that writes a file for a server: the same promises, and nothing lost when one of the two ends."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from eventlog.errors import NothingToRedact, SequenceBroken, SessionUnknown, StoreUnusable
from eventlog.gathering import Gatherer, stored
from eventlog.sqlite.apart import WriterProcess, batch_of, framed, outcomes_in, reply_to
from eventlog.sqlite.store import SqliteStore
from eventlog.store import Append, Conflict, Outcome, Replayed, Stored
from eventlog.testing import PROMISES, followed, opened
from eventlog.testing.building import Promise, key

GAP = opened("gap", events=(opened("gap", 2).events[1],))


class Sent(SqliteStore):
    """A store to which everything is sent as to another process, and its answers sent back."""

    def append(self, items: Sequence[Append]) -> list[Outcome]:
        here = super()
        try:
            outcomes: list[Outcome | BaseException] = [*here.append(batch_of(framed(items)[4:]))]
        except (SequenceBroken, NothingToRedact) as error:
            outcomes = [error]
        back: list[Outcome] = []
        for outcome in outcomes_in(framed([reply_to(each) for each in outcomes])[4:]):
            if isinstance(outcome, BaseException):
                raise outcome
            back.append(outcome)
        return back


@asynccontextmanager
async def writing(path: Path) -> AsyncIterator[tuple[SqliteStore, Gatherer, int]]:
    """A store, who gathers for it, and the process that writes."""
    store = SqliteStore.open(path)
    writer = await WriterProcess.start(store)
    gatherer = Gatherer(writer)
    async with asyncio.timeout(20):
        yield store, gatherer, writer.pid
        await gatherer.aclose()
    store.close()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_what_is_sent_to_the_writer_and_back_keeps_every_promise(promise: Promise) -> None:
    store = Sent.open(":memory:")
    promise(store)
    store.close()


def test_the_writer_stores_and_says_what_came_of_each(tmp_path: Path) -> None:
    async def play() -> None:
        async with writing(tmp_path / "tabletape.db") as (store, gatherer, _):
            first = opened("evening", 2, key=key("a"))
            assert await gatherer.append(first) == Stored(position=1)
            again = followed(first, key=key("a"))
            assert await gatherer.append(again) == Replayed(
                session="evening", action=0, fingerprint=key("a").fingerprint
            )
            assert await gatherer.append(opened("evening")) == Conflict(version=2)
            assert [event.seq for event in store.envelopes("evening")] == [1, 2]

    asyncio.run(play())


def test_an_append_that_fails_in_the_writer_harms_no_other(tmp_path: Path) -> None:
    async def play() -> None:
        async with writing(tmp_path / "tabletape.db") as (store, gatherer, _):
            good, bad = await asyncio.gather(
                gatherer.append(opened("good")), gatherer.append(GAP), return_exceptions=True
            )
            assert isinstance(good, Stored)
            assert isinstance(bad, SequenceBroken)
            assert bad.fields == {"seq": 2}
            assert store.head("good").version == 1

    asyncio.run(play())


def test_when_the_writer_is_killed_those_who_wait_are_told_and_the_server_goes_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with writing(tmp_path / "tabletape.db") as (store, gatherer, writer):
            await gatherer.append(opened("before"))
            os.kill(writer, signal.SIGSTOP)
            waits = asyncio.create_task(gatherer.append(opened("lost")))
            await asyncio.sleep(0.05)
            os.kill(writer, signal.SIGKILL)
            with pytest.raises(StoreUnusable, match="send it again"):
                await waits
            assert isinstance(await gatherer.append(opened("lost")), Stored)
            assert store.head("before").version == 1

    asyncio.run(play())


def test_signals_meant_for_the_server_do_not_end_the_writer(tmp_path: Path) -> None:
    async def play() -> None:
        async with writing(tmp_path / "tabletape.db") as (_, gatherer, writer):
            await gatherer.append(opened("before"))
            os.kill(writer, signal.SIGTERM)
            os.kill(writer, signal.SIGINT)
            assert isinstance(await gatherer.append(opened("after")), Stored)

    asyncio.run(play())


def test_the_writer_stores_what_it_was_sent_and_ends_when_the_server_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "tabletape.db"
    SqliteStore.open(path).close()
    sent = framed([opened("evening", 3)]) + framed([opened("another")]) + framed([opened("cut off")])[:-1]
    command = [sys.executable, "-m", "eventlog.sqlite.writer", str(path)]
    ended = subprocess.run(command, input=sent, capture_output=True, timeout=20, check=True)
    assert ended.stderr == b""
    store = SqliteStore.open(path)
    assert (store.head("evening").version, store.head("another").version) == (3, 1)
    with pytest.raises(SessionUnknown):
        store.head("cut off")
    store.close()


def test_those_who_write_beside_each_other_take_turns(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "tabletape.db")
    beside = SqliteStore.beside(tmp_path / "tabletape.db")
    first = opened("evening")
    assert stored(beside, [first]) == [Stored(position=1)]
    assert stored(store, [followed(first)]) == [Stored(position=2)]
    assert stored(beside, [followed(first)]) == [Conflict(version=2)]
    beside.close()
    store.close()
