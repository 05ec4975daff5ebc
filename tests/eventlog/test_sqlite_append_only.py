"""The file forbids rewriting to whoever opens it, not only to the store."""

# ruff: noqa: S608 - the statements are written here, to be refused

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from eventlog.errors import CommandMalformed
from eventlog.sqlite.store import SqliteStore
from eventlog.store import Redaction
from eventlog.testing import followed, forked, opened, sealed

AT = "2026-12-01T21:00:00.000000Z"
COLUMNS = 'session, seq, action, slot, revision, type, v, at, "by", audience, data, salt, hash, digest'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "tabletape.db"
    store = SqliteStore.open(path)
    log = opened("log", 3)
    store.append([log, opened("other", 2), opened("mistake", 2)])
    store.append([forked("fork", log)])
    store.remove("mistake", AT)
    store.close()
    return path


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET data = '{}'",
        "UPDATE events SET at = '2020' WHERE seq = 2",
        "UPDATE events SET position = position + 100",
        "UPDATE events SET seq = 9 WHERE seq = 3",
        "UPDATE OR REPLACE events SET position = 1 WHERE position = 2",
        "UPDATE OR IGNORE events SET hash = zeroblob(32)",
        "UPDATE events SET data = NULL WHERE seq = 2",
        "UPDATE events SET data = NULL, salt = NULL WHERE seq = 2",
        "UPDATE events SET data = NULL, salt = NULL, digest = x'00' WHERE seq = 2",
        "UPDATE events SET data = NULL, digest = zeroblob(32) WHERE seq = 2",
        "UPDATE events SET data = NULL, salt = NULL, digest = zeroblob(32), at = '2020' WHERE seq = 2",
        "UPDATE events SET data = NULL, salt = NULL, digest = zeroblob(32), hash = zeroblob(32) WHERE seq = 2",
        "DELETE FROM events",
        "DELETE FROM events WHERE position = 5",
        f"REPLACE INTO events (position, {COLUMNS}) SELECT 2, {COLUMNS} FROM events WHERE position = 1",
        f"INSERT OR REPLACE INTO events (position, {COLUMNS}) SELECT position, {COLUMNS} FROM events",
        f"REPLACE INTO events ({COLUMNS}) SELECT {COLUMNS} FROM events WHERE seq = 3",
        f"""INSERT INTO events (position, {COLUMNS}) SELECT position, {COLUMNS} FROM events WHERE 1
            ON CONFLICT (position) DO UPDATE SET data = '{{}}'""",
        """INSERT INTO sessions SELECT 99, 'mistake', title, ruleset, rules, version, action, hash, opened_at,
            changed_at, closed_at, found_by FROM sessions LIMIT 1""",
        "REPLACE INTO sessions SELECT * FROM sessions",
        "DELETE FROM sessions",
        "DELETE FROM removed",
        "UPDATE removed SET version = 1",
        "REPLACE INTO removed SELECT session, number, 1, hash, removed_at, position FROM removed",
        "UPDATE forks SET version = 2",
        "UPDATE forks SET base = NULL",
        "DELETE FROM forks",
        "REPLACE INTO forks SELECT session, log, parent, at, 2, kind, base FROM forks",
        "INSERT INTO forks SELECT 2, log, parent, at, version, kind, base FROM forks",
        "INSERT INTO removed SELECT 'log', 1, 3, hash, removed_at, position FROM removed",
    ],
)
def test_events_and_tombstones_are_not_rewritten(db: sqlite3.Connection, statement: str) -> None:
    before = _contents(db)
    with pytest.raises(sqlite3.IntegrityError, match=r"events are|a tombstone|never|where a log begins"):
        db.execute(statement)
    assert _contents(db) == before


def _contents(db: sqlite3.Connection) -> list[list[tuple[object, ...]]]:
    tables = ("events", "sessions", "removed", "forks")
    return [db.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in tables]


def test_a_gap_or_a_second_event_of_a_number_is_not_stored(db: sqlite3.Connection) -> None:
    values = "'{}', zeroblob(16), zeroblob(32), NULL"
    for position, seq in ((9, 5), (9, 3), (3, 4), (9, 0)):
        with pytest.raises(sqlite3.IntegrityError, match="without a gap"):
            db.execute(
                f"INSERT INTO events (position, {COLUMNS})"
                f" VALUES (?, 1, ?, 1, 1, 1, 1, 1, '', '{{}}', '[]', {values})",
                (position, seq),
            )


def test_the_one_exception_works_once(db: sqlite3.Connection) -> None:
    statement = "UPDATE events SET data = NULL, salt = NULL, digest = zeroblob(32) WHERE position = 2"
    assert db.execute(statement).rowcount == 1
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        db.execute(statement)


def test_removed_words_are_in_no_file_any_more(tmp_path: Path) -> None:
    path = tmp_path / "words.db"
    store = SqliteStore.open(path)
    secret = b"the duke is the murderer"
    first = opened("log", events=sealed("log", data=b'{"text":"%b"}' % secret), checkpoint=secret)
    mistake = opened(
        "mistake", events=sealed("mistake", data=b'{"text":"%b"}' % secret), title=secret.decode()
    )
    store.append([first, mistake])
    assert any(secret in file.read_bytes() for file in tmp_path.iterdir())
    redacted = followed(first, redaction=Redaction(seq=1, digest=bytes(32)))
    store.append([redacted])
    store.remove("mistake", AT)
    assert not any(secret in file.read_bytes() for file in tmp_path.iterdir())
    store.close()


@pytest.mark.parametrize("cursor", ["", "x", "-1", "1.5", "²", "9" * 40])
def test_a_cursor_of_another_list_is_refused(path: Path, cursor: str) -> None:
    store = SqliteStore.open(path)
    with pytest.raises(CommandMalformed, match="begin again without one"):
        store.sessions(after=cursor)
    store.close()
