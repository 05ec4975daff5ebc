"""Where each session of a file stands, what it was forked from, and the seed of its dice."""

from __future__ import annotations

import sqlite3

from eventlog.core import ForkKind
from eventlog.errors import SessionUnknown
from eventlog.logs import Head, Parent
from eventlog.sqlite.reads import number_and_version

COLUMNS = (
    "id, ruleset, rules, title, version, action, hash, opened_at, changed_at, closed_at, "
    "log, parent, at, begun_after, kind, held_by"
)
# Nothing of these statements comes from outside.
FIND_HEAD = f"SELECT {COLUMNS} FROM heads WHERE id = ?"  # noqa: S608
FIND_FORKS = f"SELECT {COLUMNS} FROM heads WHERE parent = ? ORDER BY number"  # noqa: S608


def head_of(db: sqlite3.Connection, session: str) -> Head:
    """Where a session stands."""
    found = db.execute(FIND_HEAD, (session,)).fetchone()
    if found is None:
        raise SessionUnknown(f"There is no session {session}", session=session)
    return head_from(*found)


def forks_of(db: sqlite3.Connection, session: str) -> list[Head]:
    """The sessions that were forked from one, oldest first."""
    number_and_version(db, session)
    return [head_from(*found) for found in db.execute(FIND_FORKS, (session,))]


def seed_of(db: sqlite3.Connection, session: str) -> bytes:
    """The secret seed of a session's dice; empty where it was lost."""
    number, _ = number_and_version(db, session)
    found = db.execute("SELECT CAST(seed AS BLOB) FROM seeds WHERE session = ?", (number,)).fetchone()
    return found[0] if found else b""


def head_from(  # noqa: PLR0913, PLR0917 - the columns, in their order
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
    """Where a session stands, as its row says."""
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
