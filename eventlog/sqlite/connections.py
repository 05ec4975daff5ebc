"""Connections to one database file: a single one that writes, and a few that read beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import LifoQueue
from threading import RLock
from typing import Protocol

from eventlog.errors import StoreUnusable
from eventlog.sqlite.faults import faults_named

READERS = 4
"""How many read at the same time; others wait a moment. Every connection holds a page cache of its own."""

READ_CACHE = "PRAGMA cache_size = -1024"

Connect = Callable[[], sqlite3.Connection]


class Lock(Protocol):
    """What keeps others from writing the file."""

    def release(self) -> None:
        """Let them."""
        ...


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
        lock: Lock | None = None,
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


def to_look_on(path: Path) -> Connections:
    """Look at a file that another process has open, and knows to be ours and of today."""
    return Connections(str(path), reader=lambda: reader(path, "ro"))


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to a file: `ro`, `rw`, or `rwc`, which makes one where there is none."""
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False
    )


def reader(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that only reads."""
    db = connect(path, mode)
    db.execute("PRAGMA query_only = ON")
    db.execute(READ_CACHE)
    return db
