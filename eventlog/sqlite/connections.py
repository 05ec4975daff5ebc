"""Connections to one database file: a single one that writes, and a few that read beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import LifoQueue
from threading import RLock

from filelock import BaseFileLock, FileLock, Timeout

from eventlog.errors import DatabaseInUse, StoreUnusable
from eventlog.sqlite.faults import faults_named
from eventlog.sqlite.hook_cursors import let_go
from eventlog.sqlite.schema import bring_up_to_date, is_current, recognise

READERS = 4
"""How many read at the same time; others wait a moment. Every connection holds a page cache of its own."""

READ_CACHE, WRITE_CACHE = "PRAGMA cache_size = -1024", "PRAGMA cache_size = -4096"

SYNCHRONOUS_FULL = 2

Connect = Callable[[], sqlite3.Connection]


class Connections:
    """Lends connections: `writing` is one durable transaction, `reading` some quick look-ups.

    Without `reader` (a database in memory) everybody takes turns on the one connection.
    """

    def __init__(
        self,
        path: str,
        *,
        writer: sqlite3.Connection | None = None,
        reader: Connect | None = None,
        lock: BaseFileLock | None = None,
    ) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._lock = lock
        self._turn = RLock()
        self._closed = False
        self._idle: LifoQueue[sqlite3.Connection | None] = LifoQueue()
        for _ in range(READERS):
            self._idle.put(None)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The write connection inside a transaction: committed to disk at the end, or nothing happened."""
        with self._turn, faults_named(self.path):
            db = self._write_connection()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # a full disk has rolled back already
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to read from. Two statements on it may see two points in time."""
        with faults_named(self.path):
            if self._reader is None:
                with self._turn:
                    yield self._write_connection()
                return
            db = self._idle.get()
            try:
                self._refuse_closed()
                db = db or self._reader()
                yield db
            finally:
                self._idle.put(db)

    def flush(self) -> None:
        """Move everything from the write-ahead log into the file, so that no removed words stay in it.

        What was committed stays so if this fails; the words then go when SQLite next moves the log itself.
        """
        with self._turn, suppress(sqlite3.Error):
            self._write_connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def close(self) -> None:
        """Close all connections, when those at work are done, and let others write the file."""
        with self._turn:
            if self._closed:
                return
            self._closed = True
            for db in [self._idle.get() for _ in range(READERS)]:
                if db is not None:
                    db.close()
                self._idle.put(None)
            if self._writer is not None:
                self._writer.close()
            if self._lock is not None:
                self._lock.release()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreUnusable(f"{self.path} was closed", path=self.path)

    def _write_connection(self) -> sqlite3.Connection:
        self._refuse_closed()
        if self._writer is None:
            raise StoreUnusable(
                f"{self.path} is open for reading only: send changes to its server with --url", path=self.path
            )
        return self._writer


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
        return Connections(str(path), writer=writer, reader=lambda: _reader(path, "rw"), lock=lock)
    except BaseException:
        lock.release()
        raise


def to_write_beside(path: Path) -> Connections:
    """Write a file on behalf of the process that holds its lock; both take turns, commit by commit."""
    return Connections(str(path), writer=_writer(path), reader=lambda: _reader(path, "rw"))


def to_read(path: Path) -> Connections:
    """Open a file to look at it, also beside the process that writes it."""
    if not path.is_file():
        raise StoreUnusable(f"There is no database at {path}", path=str(path))
    with faults_named(str(path)):
        db = _reader(path, "ro")
        try:
            if not recognise(db, str(path)) or not is_current(db):
                raise StoreUnusable(
                    f"{path} was made by an older version: let the server open it once", path=str(path)
                )
        finally:
            db.close()
    return Connections(str(path), reader=lambda: _reader(path, "ro"))


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


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False
    )


def _reader(path: Path, mode: str) -> sqlite3.Connection:
    db = _connect(path, mode)
    db.execute("PRAGMA query_only = ON")
    db.execute(READ_CACHE)
    return db


def _writer(path: Path) -> sqlite3.Connection:
    with faults_named(str(path)):
        db = _connect(path, "rwc")
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
