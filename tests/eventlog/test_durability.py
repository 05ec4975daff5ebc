"""What was acknowledged is there: after kill -9, on a disk that is full, and with the settings that promise it."""

import random
import select
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eventlog.chain import digest, genesis, link
from eventlog.errors import StoreUnusable
from eventlog.sqlite import opening
from eventlog.sqlite.store import SqliteStore
from eventlog.store import Append, Store, Stored
from eventlog.testing import followed, opened

ROUNDS = 8

WRITER = """
import sys
from msgspec.structs import replace
from eventlog.sqlite.store import SqliteStore
from eventlog.testing import followed, opened, sealed

path, name = sys.argv[1:]
store = SqliteStore.open(path)
appends = [opened(f"{name}-{n}", 3) for n in range(3)]
for _ in range(100_000):
    store.append(appends)
    for item in appends:
        print(item.session, item.events[-1].seq, flush=True)
    appends = [followed(item, 3) for item in appends]
"""


def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "tabletape.db"
    chance = random.Random(9)
    acknowledged: dict[str, int] = {}
    for number in range(ROUNDS):
        acknowledged |= _write_until_killed(path, f"round{number}", chance.uniform(0, 0.3))
        store = SqliteStore.open(path)  # the killed writer's lock is free
        _refuse_losses(store, acknowledged)
        store.close()
    assert len(acknowledged) == 3 * ROUNDS
    assert max(acknowledged.values()) > 3


def _write_until_killed(path: Path, name: str, after: float) -> dict[str, int]:
    """The last number acknowledged of each session, to whoever listened until the kill."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name], stdout=subprocess.PIPE, bufsize=0
    ) as writer:
        assert writer.stdout is not None
        said, deadline = b"", time.monotonic() + 10
        while time.monotonic() < deadline and writer.poll() is None:
            if select.select([writer.stdout], [], [], 0.01)[0]:
                first, said = not said, said + writer.stdout.read(65536)
                deadline = time.monotonic() + after if first else deadline
        writer.kill()
        said += writer.stdout.read()
    lines = said.decode().split("\n")[:-1]  # a line cut off by the kill acknowledges nothing
    return {session: int(seq) for session, seq in map(str.split, lines)}


def _refuse_losses(store: Store, acknowledged: dict[str, int]) -> None:
    """Every session: nothing acknowledged is missing, no gap, no torn action, every link holds."""
    for session, seq in acknowledged.items():
        events = store.envelopes(session)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert len(events) >= seq
        assert [event.action for event in events] == [place // 3 for place in range(len(events))]
        assert len(events) % 3 == 0
        hashed = genesis(session)
        for event in events:
            hashed = link(hashed, event.seq, digest(event))
            assert event.hash == hashed
        head = store.head(session)
        assert (head.version, head.hash) == (len(events), hashed)
    positions = [event.position for event in store.stream(limit=10**6)]
    assert positions == list(range(1, len(positions) + 1))


def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "tabletape.db")
    with store._held.writing() as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


def test_a_file_that_cannot_keep_the_promise_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "SYNCHRONOUS_FULL", 3)
    for _ in range(2):  # and the lock is free again
        with pytest.raises(StoreUnusable, match="move it to a local disk"):
            SqliteStore.open(tmp_path / "tabletape.db")


@pytest.fixture
def small(tmp_path: Path) -> tuple[SqliteStore, Append]:
    """A store with one session, on a disk that is nearly full."""
    store = SqliteStore.open(tmp_path / "tabletape.db")
    log = opened("log", 3)
    store.append([log])
    with store._held._turn:
        writer = store._held._write_connection()
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages + 2}")
    return store, log


def test_a_full_disk_stores_nothing_by_half(small: tuple[SqliteStore, Append]) -> None:
    store, log = small
    before = store.stream()
    with pytest.raises(StoreUnusable, match="disk is full and nothing was stored"):
        store.append([followed(log), opened("other", 500)])
    assert store.stream() == before
    assert [head.session for head in store.sessions().heads] == ["log"]
    with pytest.raises(StoreUnusable, match="disk is full"):
        store.ready()
    store._held._write_connection().execute("PRAGMA max_page_count = 100000")
    store.ready()
    assert store.append([followed(log), opened("other", 500)]) == [Stored(position=4), Stored(position=5)]
    store.close()


def test_a_file_another_program_locks_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tabletape.db"
    store = SqliteStore.open(path)
    store._held._write_connection().execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnusable, match="Another program keeps the database locked"):
        store.append([opened("log")])
    with pytest.raises(StoreUnusable, match="locked"):
        store.ready()
    other.execute("ROLLBACK")
    other.close()
    assert store.append([opened("log")]) == [Stored(position=1)]
    store.close()
