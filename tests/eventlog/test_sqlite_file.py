"""Opening a database file: whose it is, who may write it, and what is said when it cannot be used."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from eventlog.errors import DatabaseInUse, DatabaseNewer, SessionUnknown, StoreUnusable
from eventlog.sqlite.schema import STEPS
from eventlog.sqlite.store import SqliteStore
from eventlog.store import Stored
from eventlog.testing import followed, opened, sealed, token


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening one%23.db"


def raw(path: Path, statement: str) -> None:
    """Do something to the file behind the store's back."""
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()


def test_a_second_writer_is_refused_and_told_what_to_do(path: Path) -> None:
    store = SqliteStore.open(path)
    with pytest.raises(DatabaseInUse, match=r"stop it first.*--url"):
        SqliteStore.open(path)
    store.close()
    SqliteStore.open(path).close()


def test_a_writer_in_another_process_is_refused_too(path: Path) -> None:
    store = SqliteStore.open(path)
    script = f"from eventlog.sqlite.store import SqliteStore; SqliteStore.open({str(path)!r})"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "DatabaseInUse: Another process writes" in found.stderr
    store.close()


def test_the_same_file_under_another_name_has_the_same_lock(path: Path, tmp_path: Path) -> None:
    store = SqliteStore.open(path)
    (tmp_path / "link.db").symlink_to(path)
    with pytest.raises(DatabaseInUse):
        SqliteStore.open(tmp_path / "link.db")
    store.close()


def test_a_failed_opening_leaves_the_lock_free(path: Path) -> None:
    path.write_text("a shopping list, long enough to be looked at" * 40)
    for _ in range(2):
        with pytest.raises(StoreUnusable, match="no SQLite database"):
            SqliteStore.open(path)
    path.unlink()
    SqliteStore.open(path).close()


def test_a_reader_sees_beside_the_writer_what_is_committed(path: Path) -> None:
    store = SqliteStore.open(path)
    first = opened("log", 2)
    store.append([first])
    reader = SqliteStore.open(path, read_only=True)
    with store._held.writing() as db:
        db.execute("UPDATE sessions SET version = 99")
        assert reader.head("log").version == 2
        db.execute("UPDATE sessions SET version = 2")
    store.append([followed(first), opened("other")])
    assert reader.head("log").version == 3
    assert [row.seq for row in reader.rows("log")] == [1, 2, 3]
    assert reader.stream() == store.stream()
    reader.close()
    store.close()


def test_a_reader_meets_event_types_that_were_new_after_it_began(path: Path) -> None:
    store = SqliteStore.open(path)
    reader = SqliteStore.open(path, read_only=True)
    for name in ("trial.one", "trial.two"):
        store.append([opened(name, events=sealed(name, type=name))])
        assert [row.type for row in reader.rows(name)] == [name]
    reader.close()
    store.close()


def test_a_reader_writes_nothing_and_says_who_does(path: Path) -> None:
    SqliteStore.open(path).close()
    reader = SqliteStore.open(path, read_only=True)
    with pytest.raises(StoreUnusable, match="--url"):
        reader.append([opened("log")])
    with pytest.raises(StoreUnusable, match="--url"):
        reader.add_token(token("admin"))
    with pytest.raises(StoreUnusable, match="--url"):
        reader.ready()
    with reader._held.reading() as db, pytest.raises(sqlite3.OperationalError):
        db.execute("DELETE FROM sessions")
    reader.close()


def test_a_reader_makes_no_file(path: Path) -> None:
    with pytest.raises(StoreUnusable, match="no database at"):
        SqliteStore.open(path, read_only=True)
    assert not path.exists()


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    raw(path, "CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(StoreUnusable, match="another program"):
            SqliteStore.open(path, read_only=read_only)
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    with pytest.raises(StoreUnusable, match="let the server open it once"):
        SqliteStore.open(path, read_only=True)
    store = SqliteStore.open(path)
    assert store.append([opened("log")]) == [Stored(position=1)]
    store.close()


def test_a_database_of_a_newer_version_is_refused(path: Path) -> None:
    SqliteStore.open(path).close()
    raw(path, "INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('tabletape', 'add_moon_phases')")
    for read_only in (False, True):
        with pytest.raises(DatabaseNewer, match=r"add_moon_phases.*Install that version"):
            SqliteStore.open(path, read_only=read_only)


def test_steps_not_taken_yet_are_taken_and_recorded(path: Path) -> None:
    store = SqliteStore.open(path)
    store.append([opened("log")])
    store.close()
    raw(path, "DELETE FROM _sqlite_migrations WHERE name = 'forbid_rewriting'")
    for event in (
        "insert_on_events",
        "update_on_events",
        "delete_on_events",
        "insert_on_sessions",
        "delete_on_sessions",
    ):
        raw(path, f"DROP TRIGGER forbid_{event}")
    for event in ("insert", "update", "delete"):
        raw(path, f"DROP TRIGGER forbid_{event}_on_removed")
    with pytest.raises(StoreUnusable, match="older version"):
        SqliteStore.open(path, read_only=True)
    store = SqliteStore.open(path)
    assert store.head("log").version == 1
    store.close()
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        raw(path, "DELETE FROM events")


def test_a_step_that_fails_leaves_no_half_made_tables(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError

    steps = list(STEPS._migrations)
    failing = type(steps[0])(name="break_down", fn=broken)
    monkeypatch.setattr(STEPS, "_migrations", [*steps, failing])
    with pytest.raises(ZeroDivisionError):
        SqliteStore.open(path)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
    db.close()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match=r"no folder .*missing: make it first"):
        SqliteStore.open(tmp_path / "missing" / "a.db")


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="cannot be opened"):
        SqliteStore.open(tmp_path)


def test_a_closed_store_says_so(path: Path) -> None:
    store = SqliteStore.open(path)
    store.append([opened("log")])
    rows = store.rows("log")
    store.close()
    store.close()
    for use in (store.stream, store.ready, lambda: list(rows)):
        with pytest.raises(StoreUnusable, match="was closed"):
            use()


def test_rows_of_a_session_removed_meanwhile_end_with_an_error(path: Path) -> None:
    store = SqliteStore.open(path)
    store.append([opened("log", 1200)])
    rows = store.rows("log")
    next(rows)
    store.remove("log", "2026-12-01T21:00:00.000000Z")
    with pytest.raises(SessionUnknown, match="removed meanwhile"):
        list(rows)
    store.close()
