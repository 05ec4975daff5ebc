"""The sessions of a file: listed, looked up, and removed where one was opened by mistake."""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database

from eventlog.errors import CommandMalformed, SessionHasForks
from eventlog.sqlite import hook_rows
from eventlog.sqlite.append import LAST_POSITION
from eventlog.sqlite.heads import COLUMNS, head_from, head_of
from eventlog.sqlite.reads import number_and_version
from eventlog.store import Page, Removed


def page_of(db: sqlite3.Connection, search: str, after: str | None, limit: int) -> Page:
    """Sessions newest first, every search word in title or id, in any case. The cursor is the last number."""
    words = search.casefold().split()
    found = (
        Database(db, recursive_triggers=False, execute_plugins=False)
        .view("heads")
        .rows_where(
            " AND ".join(["number < ?", *("instr(found_by, ?)" for _ in words)]),
            [_number_below(after), *words],
            select=f"number, {COLUMNS}",
            order_by="number DESC",
            limit=limit + 1,
        )
    )
    numbers, heads = [], []
    for row in found:
        number, *columns = row.values()
        numbers.append(number)
        heads.append(head_from(*columns))
    more = len(heads) > limit
    return Page(heads=tuple(heads[:limit]), next=str(numbers[limit - 1]) if more else None)


def remove(db: sqlite3.Connection, session: str, at: str) -> Removed:
    """Set up the tombstone, which lets the triggers take the rest away."""
    head, (number, _) = head_of(db, session), number_and_version(db, session)
    _refuse_shared(db, session, number)
    (position,) = db.execute(LAST_POSITION).fetchone()
    db.execute(
        "INSERT INTO removed (session, number, version, hash, removed_at, position) VALUES (?, ?, ?, ?, ?, ?)",
        (session, number, head.version, head.hash, at, position),
    )
    hook_rows.drop_session(db, number)
    for statement in (
        "DELETE FROM events WHERE session = ?",
        "DELETE FROM keys WHERE session = ?",
        "DELETE FROM checkpoints WHERE session = ?",
        "DELETE FROM corrected WHERE session = ?",
        "DELETE FROM tokens WHERE session = ?",
        "DELETE FROM seeds WHERE session = ?",
        "DELETE FROM forks WHERE session = ?",
        "DELETE FROM sessions WHERE number = ?",
    ):
        db.execute(statement, (number,))
    return Removed(session=session, version=head.version, hash=head.hash, removed_at=at)


def _refuse_shared(db: sqlite3.Connection, session: str, number: int) -> None:
    sharing = [
        fork for (fork,) in db.execute("SELECT id FROM heads WHERE base = ? ORDER BY number", (number,))
    ]
    if sharing:
        raise SessionHasForks(
            f"{len(sharing)} other {'session begins' if len(sharing) == 1 else 'sessions begin'} with the events of "
            f"{session} ({', '.join(sharing)}): remove {'it' if len(sharing) == 1 else 'them'} first",
            forks=sharing,
        )


def tombstone(db: sqlite3.Connection, session: str) -> Removed | None:
    """What stays of a removed session."""
    found = db.execute(
        "SELECT version, hash, removed_at FROM removed WHERE session = ?", (session,)
    ).fetchone()
    return found and Removed(session=session, version=found[0], hash=found[1], removed_at=found[2])


def _number_below(cursor: str | None) -> int:
    if cursor is None:
        return 2**63 - 1
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise CommandMalformed(f"{cursor!r} is no cursor of this list: begin again without one", after=cursor)
    return int(cursor)
