"""The sessions of a file: listed, looked up, and removed where one was opened by mistake."""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database

from eventlog.core import ForkKind
from eventlog.errors import CommandMalformed, SessionHasForks, SessionUnknown
from eventlog.sqlite import hook_rows
from eventlog.sqlite.append import LAST_POSITION
from eventlog.sqlite.reads import number_and_version
from eventlog.store import Head, Page, Parent, Removed

COLUMNS = (
    "id, ruleset, rules, title, version, action, hash, opened_at, changed_at, closed_at, "
    "log, parent, at, begun_after, kind, held_by"
)
# Nothing of these statements comes from outside.
FIND_HEAD = f"SELECT {COLUMNS} FROM heads WHERE id = ?"  # noqa: S608
FIND_FORKS = f"SELECT {COLUMNS} FROM heads WHERE parent = ? ORDER BY number"  # noqa: S608


def forks_of(db: sqlite3.Connection, session: str) -> list[Head]:
    """The sessions that were forked from one, oldest first."""
    number_and_version(db, session)
    return [_head(*found) for found in db.execute(FIND_FORKS, (session,))]


def head_of(db: sqlite3.Connection, session: str) -> Head:
    """Where a session stands."""
    found = db.execute(FIND_HEAD, (session,)).fetchone()
    if found is None:
        raise SessionUnknown(f"There is no session {session}", session=session)
    return _head(*found)


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
        heads.append(_head(*columns))
    more = len(heads) > limit
    return Page(heads=tuple(heads[:limit]), next=str(numbers[limit - 1]) if more else None)


def seed_of(db: sqlite3.Connection, session: str) -> bytes:
    """The secret seed of a session's dice; empty where it was lost."""
    number, _ = number_and_version(db, session)
    found = db.execute("SELECT CAST(seed AS BLOB) FROM seeds WHERE session = ?", (number,)).fetchone()
    return found[0] if found else b""


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


def _head(  # noqa: PLR0913, PLR0917 - the columns, in their order
    session: str,
    ruleset: str,
    rules: int,
    title: str,
    version: int,
    action: int,
    hash_: bytes,
    opened_at: str,
    changed_at: str,
    closed_at: str | None,
    log: str | None,
    parent: str | None,
    at: int,
    begun_after: int,
    kind: ForkKind,
    held_by: str | None,
) -> Head:
    begun_as = None
    if parent is not None:
        begun_as = Parent(session=parent, at=at, version=begun_after, kind=kind, held_by=held_by)
    return Head(
        session=session,
        log=log or session,
        ruleset=ruleset,
        rules=rules,
        title=title,
        version=version,
        action=action,
        hash=hash_,
        opened_at=opened_at,
        changed_at=changed_at,
        closed_at=closed_at,
        parent=begun_as,
    )
