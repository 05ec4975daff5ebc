"""The sessions of a file: listed, looked up, and removed where one was opened by mistake."""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlite_utils import Database

from eventlog.errors import CommandMalformed, SessionUnknown
from eventlog.sqlite.append import LAST_POSITION
from eventlog.sqlite.reads import number_and_version
from eventlog.store import Head, Page, Removed


def head_of(db: sqlite3.Connection, session: str) -> Head:
    """Where a session stands."""
    for row in _table(db).rows_where("id = ?", [session]):
        return _head(row)
    raise SessionUnknown(f"There is no session {session}", session=session)


def page_of(db: sqlite3.Connection, search: str, after: str | None, limit: int) -> Page:
    """Sessions newest first, every search word in title or id, in any case. The cursor is the last number."""
    words = search.casefold().split()
    conditions = " AND ".join(["number < ?", *("instr(found_by, ?)" for _ in words)])
    rows = list(
        _table(db).rows_where(
            conditions, [_number_below(after), *words], order_by="number DESC", limit=limit + 1
        )
    )
    more = len(rows) > limit
    rows = rows[:limit]
    return Page(heads=tuple(map(_head, rows)), next=str(rows[-1]["number"]) if more and rows else None)


def seed_of(db: sqlite3.Connection, session: str) -> bytes:
    """The secret seed of a session's dice."""
    number, _ = number_and_version(db, session)
    seed: bytes = db.execute("SELECT seed FROM seeds WHERE session = ?", (number,)).fetchone()[0]
    return seed


def remove(db: sqlite3.Connection, session: str, at: str) -> Removed:
    """Set up the tombstone, which lets the triggers take the rest away."""
    head = head_of(db, session)
    number, _ = number_and_version(db, session)
    (position,) = db.execute(LAST_POSITION).fetchone()
    db.execute(
        "INSERT INTO removed (session, number, version, hash, removed_at, position) VALUES (?, ?, ?, ?, ?, ?)",
        (session, number, head.version, head.hash, at, position),
    )
    for statement in (
        "DELETE FROM events WHERE session = ?",
        "DELETE FROM keys WHERE session = ?",
        "DELETE FROM checkpoints WHERE session = ?",
        "DELETE FROM tokens WHERE session = ?",
        "DELETE FROM seeds WHERE session = ?",
        "DELETE FROM sessions WHERE number = ?",
    ):
        db.execute(statement, (number,))
    return Removed(session=session, version=head.version, hash=head.hash, removed_at=at)


def tombstone(db: sqlite3.Connection, session: str) -> Removed | None:
    """What stays of a removed session."""
    found = db.execute(
        "SELECT version, hash, removed_at FROM removed WHERE session = ?", (session,)
    ).fetchone()
    return found and Removed(session=session, version=found[0], hash=found[1], removed_at=found[2])


def _table(db: sqlite3.Connection) -> Any:
    return Database(db, recursive_triggers=False, execute_plugins=False).table("sessions")


def _number_below(cursor: str | None) -> int:
    if cursor is None:
        return 2**63 - 1
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise CommandMalformed(f"{cursor!r} is no cursor of this list: begin again without one", after=cursor)
    return int(cursor)


def _head(row: dict[str, Any]) -> Head:
    return Head(
        session=row["id"],
        ruleset=row["ruleset"],
        rules=row["rules"],
        title=row["title"],
        version=row["version"],
        action=row["action"],
        hash=row["hash"],
        opened_at=row["opened_at"],
        changed_at=row["changed_at"],
        closed_at=row["closed_at"],
    )
