"""What SQLite complains of, in words that say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from eventlog.errors import StoreUnusable

ADVICE = {
    sqlite3.SQLITE_FULL: "The disk is full and nothing was stored: make room, then send it again",
    sqlite3.SQLITE_IOERR: "The disk failed and nothing was stored: check it, then start again",
    sqlite3.SQLITE_READONLY: "The database may not be written: give this user the right to write it and its folder",
    sqlite3.SQLITE_PERM: "The database may not be opened: give this user the right to read and write it",
    sqlite3.SQLITE_CANTOPEN: "The database cannot be opened: see that its folder exists and may be written",
    sqlite3.SQLITE_BUSY: "Another program keeps the database locked: close it there, then send it again",
    sqlite3.SQLITE_CORRUPT: "The database is damaged: go back to a backup, and check the disk",
    sqlite3.SQLITE_NOTADB: "The file is no SQLite database: name another; a new one is made where none is",
}


@contextmanager
def faults_named(path: str) -> Iterator[None]:
    """Turn what is wrong with the file or its disk into `StoreUnusable`; mistakes of ours stay what they are."""
    try:
        yield
    except sqlite3.Error as error:
        advice = ADVICE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        if advice is None:
            raise
        raise StoreUnusable(f"{advice} ({path}: {error})", path=path) from error
