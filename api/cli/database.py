"""The database file: opened to look at beside a running server, or to write when nobody else does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.cli.exits import Ended, Exit
from eventlog.sqlite.store import SqliteStore


@contextmanager
def looking_at(path: str) -> Iterator[SqliteStore]:
    """A database to read, also while a server writes it."""
    store = SqliteStore.open(_existing(path), read_only=True)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def writing(path: str, *, made: bool = False) -> Iterator[SqliteStore]:
    """A database to write, as its only writer; `made` when there is none yet."""
    store = SqliteStore.open(path if made else _existing(path))
    try:
        yield store
    finally:
        store.close()


def _existing(path: str) -> str:
    if not Path(path).is_file():
        raise Ended(
            f"there is no database at {path}: name another with --db, or make one with "
            "`tabletape serve` or `tabletape play --db`",
            Exit.NOT_FOUND,
        )
    return path
