"""Whether a file is one of ours and of today, and what brings it there."""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database

from eventlog.errors import DatabaseNewer, StoreUnusable
from eventlog.sqlite.schema import STEPS

APPLICATION_ID = 0x54425450
"""Marks a file as ours ("TBTP"), in the header where SQLite keeps such a number."""


def recognise(connection: sqlite3.Connection, path: str) -> bool:
    """Whether the file has our tables already; an empty one has not. Refuses any other file."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    if mark == APPLICATION_ID:
        _refuse_newer(connection, path)
        return True
    if mark or connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
        raise StoreUnusable(
            f"{path} is a database of another program. Name another file; a new one is made where none is",
            path=path,
        )
    return False


def _refuse_newer(connection: sqlite3.Connection, path: str) -> None:
    taken = {step.name for step in STEPS.applied(_database(connection))}
    unknown = taken - {step.name for step in STEPS.pending(Database(memory=True))}
    if unknown:
        raise DatabaseNewer(
            f"{path} was made by a newer version of Tabletape (unknown here: {', '.join(sorted(unknown))}). "
            "Install that version, or name another file",
            path=path,
        )


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether every step was taken."""
    return not STEPS.pending(_database(connection))


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Take the steps the file has not taken yet, all or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        STEPS.apply(_database(connection))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _database(connection: sqlite3.Connection) -> Database:
    return Database(connection, recursive_triggers=False, execute_plugins=False)
