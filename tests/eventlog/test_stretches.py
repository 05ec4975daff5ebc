"""A long log is checked in stretches, by two processes: what is found is the same as by one, wherever it lies."""

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from random import Random

import msgspec
import pytest
from random_history import GAMES, Sitting
from server_process import environment

from eventlog.archive import export_lines, read_archive
from eventlog.sqlite import walker
from eventlog.sqlite.store import SqliteStore
from eventlog.verification import Verification, side_by_side, verify, verify_envelopes
from eventlog.verification.stretches import Stretch, stretches, walked
from eventlog.verification.walking import Walked
from rulesets.installed import ruleset_named
from rulesets.people import GM

AT_ONCE = 16


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eventlog.verification.stretches.ACTIONS_A_STRETCH", AT_ONCE)
    monkeypatch.setattr("eventlog.verification.side_by_side.WORTH_A_PROCESS", 2)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    for name, value in environment().items():  # the other process knows the games that are installed here
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="module", params=GAMES)
def sat(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a session of many actions, with corrections of every kind, whose triggers somebody took away."""
    path = tmp_path_factory.mktemp(request.param) / "log.db"
    with Sitting(request.param, 11, path) as sitting:
        for _ in range(6):
            sitting.play(20)
            list(sitting.try_corrections(4))
    db = sqlite3.connect(path)
    with db:
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
    db.close()
    return path


@pytest.fixture
def store(sat: Path, tmp_path: Path) -> Iterator[SqliteStore]:
    """A copy of it."""
    path = Path(shutil.copy(sat, tmp_path / "log.db"))
    with_store = SqliteStore.open(path)
    yield with_store
    with_store.close()


def the_session(store: SqliteStore) -> str:
    (head,) = store.sessions().heads
    return head.session


def spoil(store: SqliteStore, statement: str, *values: object) -> None:
    db = sqlite3.connect(store.path)
    with db:
        db.execute(statement, values)
    db.close()


def by_one(store: SqliteStore) -> Verification:
    """What this process finds alone, in one go."""
    session = the_session(store)
    header, events = read_archive(export_lines(store, session, GM))
    end = header.version, bytes.fromhex(header.head_hash)
    return verify_envelopes(ruleset_named(header.ruleset), session, events, end=end)


def test_two_processes_find_what_one_finds(store: SqliteStore) -> None:
    session = the_session(store)
    alone, both = by_one(store), verify(store, session)
    assert both == alone
    assert both.ok
    parts = stretches(store, session, store.head(session).action, redecide=True)
    assert len(parts) > 5
    assert [part.after for part in parts] == [None, *(part.upto for part in parts[:-1])]


def test_a_fault_is_found_at_its_place_in_whichever_stretch_it_lies(store: SqliteStore) -> None:
    session, version = the_session(store), store.head(the_session(store)).version
    for seq in range(version - 3, 2, -(version // 7)):
        spoil(store, "UPDATE events SET v = 9 WHERE seq = ?", seq)
        found = verify(store, session)
        assert found.first_fault is not None
        assert (found.first_fault.seq, found.first_fault.field) == (seq, "hash")
        assert found.checked.events == seq - 1


def test_a_spoilt_checkpoint_is_found_also_where_a_stretch_would_begin(store: SqliteStore) -> None:
    session = the_session(store)
    (*_, last) = stretches(store, session, store.head(session).action, redecide=True)
    earlier = store.checkpoint(session, AT_ONCE)
    assert earlier is not None
    for tape in (earlier.tape, b"", earlier.tape[:-7]):
        spoil(store, "UPDATE checkpoints SET tape = ? WHERE action = ?", tape, last.after)
        fault = verify(store, session).first_fault
        if tape:
            assert fault is not None
            assert (fault.action, fault.field) == (last.after, "checkpoint")
        else:  # a cache that says it is of another shape is passed over
            assert fault is None


@pytest.mark.parametrize("game", GAMES)
def test_a_spoilt_table_of_the_corrected_history_is_found(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a correction would begin with is as the log tells it."""
    monkeypatch.setattr("eventlog.history.correcting.TABLES_EVERY", 3)
    with Sitting(game, 5, tmp_path / "log.db") as sitting:
        for _ in range(4):
            sitting.play(12)
            list(sitting.try_corrections(4))
        store, session = sitting.store, sitting.session
        kept, opening = store.corrected_checkpoints(session), store.checkpoint(session, 0)
        assert len(kept) > 3
        assert opening is not None
        assert verify(store, session).ok
        for tape in (opening.tape, kept[-1].tape[:-5], b""):
            spoil(store, "UPDATE corrected SET tape = ? WHERE slot = ?", tape, kept[-1].action)
            fault = verify(store, session).first_fault
            assert (fault is None) is (tape == b"")  # one that is of another shape is told anew
            assert fault is None or fault.field == "corrected"


def test_a_process_that_dies_leaves_its_stretch_to_the_other(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_by_side, "PATIENCE", 0.5)
    whole = verify(store, the_session(store))
    for program in (
        "import time; input(); time.sleep(60)",
        "",
        "print('nonsense', flush=True)",
        "import time; input(); time.sleep(0.1)",
        "raise SystemExit(3)",
    ):
        command = (sys.executable, "-c", program)
        monkeypatch.setattr(SqliteStore, "walking_process", lambda _, command=command: command)
        assert verify(store, the_session(store)) == whole
    monkeypatch.setattr(SqliteStore, "walking_process", lambda _: ("/no/such/program",))
    assert verify(store, the_session(store)) == whole


def test_both_processes_walk(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one has walked when this one has time: here it waits until the other is through with two."""
    here: list[Stretch] = []
    beside: list[Walked] = []
    read = side_by_side._walked

    def heard(line: bytes) -> Walked:
        beside.append(read(line))
        return beside[-1]

    def walk(store: SqliteStore, stretch: Stretch) -> Walked:
        here.append(stretch)
        return walked(store, stretch)

    monkeypatch.setattr(side_by_side, "_walked", heard)
    monkeypatch.setattr(side_by_side, "walked", walk)
    session = the_session(store)
    parts = stretches(store, session, store.head(session).action, redecide=True)
    with side_by_side.side_by_side(store, parts) as both:
        assert both._beside is not None
        while len(beside) < 2 and both._beside.is_alive():
            both._beside.join(0.01)
        found = both.finish()
    assert len(beside) >= 2
    assert len(here) + len(beside) == len(parts) == len(found)
    assert found == [walked(store, part) for part in parts]


TWO_BEFORE_ANY = """
import io, sys
from pathlib import Path
from eventlog.sqlite.logs import SqliteLogs
from eventlog.sqlite.walker import walk
both = io.BytesIO(sys.stdin.buffer.readline() + sys.stdin.buffer.readline())
walk(SqliteLogs.looking_on(Path(sys.argv[1])), both, sys.stdout.buffer)
"""


def test_the_next_stretch_is_with_the_other_process_before_the_first_is_walked(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or it waits for this one, which is busy, after every stretch. Two of them it walks here, then it is gone."""
    session = the_session(store)
    parts = stretches(store, session, store.head(session).action, redecide=True)
    command = (sys.executable, "-c", TWO_BEFORE_ANY, store.path)
    monkeypatch.setattr(SqliteStore, "walking_process", lambda _: command)
    with side_by_side.side_by_side(store, parts) as both:
        assert both._beside is not None
        both._beside.join(30)  # nothing is walked here meanwhile
        assert sorted(both._found) == [0, 1]
        assert both.finish() == [walked(store, part) for part in parts]


def test_the_process_reads_stretches_and_writes_what_it_found(store: SqliteStore) -> None:
    session = the_session(store)
    parts = stretches(store, session, store.head(session).action, redecide=True)
    told = BytesIO()
    walker.walk(store, BytesIO(b"".join(msgspec.json.encode(part) + b"\n" for part in parts)), told)
    lines = told.getvalue().splitlines()
    assert [msgspec.json.decode(line, type=Walked) for line in lines] == [
        walked(store, part) for part in parts
    ]


def test_a_database_in_memory_is_walked_by_one() -> None:
    store = SqliteStore.open(":memory:")
    assert store.walking_process() is None
    store.close()


COLUMNS = ("data", "at", "by", "audience", "action", "slot", "revision", "type", "v", "salt", "hash", "seq")


@pytest.mark.parametrize("chance", range(4))
def test_whatever_is_done_to_a_row_both_ways_find_the_same(
    store: SqliteStore, chance: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, thrown = the_session(store), Random(chance)
    last = store.head(session).version
    for _ in range(3):
        column, seq, other = thrown.choice(COLUMNS), thrown.randint(1, last), thrown.randint(1, last)
        set_to = f'UPDATE events SET "{column}" = '  # noqa: S608 - a test's own words
        value = thrown.choice(["'x'", "9", f'(SELECT "{column}" FROM events WHERE seq = {other})'])  # noqa: S608
        with suppress(sqlite3.IntegrityError):  # the file itself refuses what it cannot hold
            spoil(store, f"{set_to}{value} WHERE seq = {seq}")
    found = verify(store, session)
    monkeypatch.setattr("eventlog.verification.side_by_side.WORTH_A_PROCESS", 10**6)
    assert verify(store, session) == found
