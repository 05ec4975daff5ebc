"""Opening a database file: to write it, made if there is none and brought up to date, or to look at it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from eventlog.errors import DatabaseInUse, StoreUnusable
from eventlog.sqlite.connections import Connections, connect, reader, to_look_on
from eventlog.sqlite.faults import faults_named
from eventlog.sqlite.hook_cursors import let_go
from eventlog.sqlite.migrating import bring_up_to_date, is_current, recognise

WRITE_CACHE = "PRAGMA cache_size = -4096"

SYNCHRONOUS_FULL = 2


def in_memory() -> Connections:
    """A database that is gone when it is closed."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    bring_up_to_date(db)
    return Connections(":memory:", writer=db)


def to_write(path: Path) -> Connections:
    """Open a file as its only writer, made if there is none.

    Raises `DatabaseInUse`, `DatabaseNewer` or `StoreUnusable`.
    """
    lock = _lock(path)
    try:
        writer = _writer(path)
        with faults_named(str(path)):
            let_go(writer)
        return Connections(str(path), writer=writer, reader=lambda: reader(path, "rw"), lock=lock)
    except BaseException:
        lock.release()
        raise


def to_write_beside(path: Path) -> Connections:
    """Write a file on behalf of the process that holds its lock; both take turns, commit by commit."""
    return Connections(str(path), writer=_writer(path), reader=lambda: reader(path, "rw"))


def to_read(path: Path) -> Connections:
    """Open a file to look at it, also beside the process that writes it."""
    if not path.is_file():
        raise StoreUnusable(f"There is no database at {path}", path=str(path))
    with faults_named(str(path)):
        db = reader(path, "ro")
        try:
            if not recognise(db, str(path)) or not is_current(db):
                raise StoreUnusable(
                    f"{path} was made by an older version: let the server open it once", path=str(path)
                )
        finally:
            db.close()
    return to_look_on(path)


def _lock(path: Path) -> BaseFileLock:
    if not path.parent.is_dir():
        raise StoreUnusable(f"There is no folder {path.parent}: make it first", path=str(path))
    file = Path(f"{path}.lock")
    lock = FileLock(file, thread_local=False)
    try:
        file.touch()  # first, because a lock file that cannot be made looks like one that somebody holds
        lock.acquire(timeout=0)
    except Timeout as error:
        raise DatabaseInUse(
            f"Another process writes {path}: stop it first, or go through it with --url and its address",
            path=str(path),
        ) from error
    except OSError as error:
        raise StoreUnusable(
            f"{path} cannot be written, since its folder takes no {file.name} ({error.strerror}): give this user "
            "the right to write there, or name another place",
            path=str(path),
        ) from error
    return lock


def _writer(path: Path) -> sqlite3.Connection:
    with faults_named(str(path)):
        db = connect(path, "rwc")
        try:
            recognise(db, str(path))
            _make_durable(db, str(path))
            bring_up_to_date(db)
        except BaseException:
            db.close()
            raise
    return db


def _make_durable(db: sqlite3.Connection, path: str) -> None:
    """Set what keeps a commit through a loss of power, and read back that it is set."""
    (journal,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")  # macOS: an fsync that really waits for the disk
    db.execute("PRAGMA checkpoint_fullfsync = ON")
    db.execute("PRAGMA secure_delete = ON")  # redacted words are overwritten, not only forgotten
    db.execute(WRITE_CACHE)
    db.execute("PRAGMA temp_store = MEMORY")  # what undoes half a statement needs no file of its own
    (synchronous,) = db.execute("PRAGMA synchronous").fetchone()
    if journal != "wal" or synchronous != SYNCHRONOUS_FULL:
        raise StoreUnusable(
            f"{path} lies where SQLite cannot keep its promises (journal {journal}, synchronous {synchronous}): "
            "move it to a local disk",
            path=path,
        )
