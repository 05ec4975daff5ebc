"""Where the events of a log lie: with its own session, and before that with those it was forked from."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from eventlog.errors import SequenceBroken, SessionUnknown
from eventlog.logs import Parent
from eventlog.store import Opening

FIND_LINEAGE = """
    WITH RECURSIVE line (number, id, version, action, depth) AS (
        SELECT number, id, version, action, 0 FROM sessions WHERE id = ?
        UNION ALL
        SELECT sessions.number, sessions.id, min(line.version, forks.version), min(line.action, forks.at), depth + 1
        FROM line JOIN forks ON forks.session = line.number JOIN sessions ON sessions.number = forks.base
    )
    SELECT number, id, version, action FROM line ORDER BY depth DESC
"""
LAST_OF_ACTION = "SELECT max(seq) FROM events WHERE session = ? AND action = ?"
INSERT_FORK = "INSERT INTO forks (session, log, parent, at, version, kind, base) VALUES (?, ?, ?, ?, ?, ?, ?)"
HEIRS = """
    WITH RECURSIVE heirs (number) AS (
        SELECT ?1 UNION SELECT forks.session FROM forks JOIN heirs ON forks.base = heirs.number
        WHERE forks.version >= ?2
    )
"""
"""A session and all that share its event of that `seq`."""


class Segment(NamedTuple):
    """A part of a log: the session its events are stored with, and how far it reaches."""

    number: int
    session: str
    version: int
    action: int


Lineage: TypeAlias = Sequence[Segment]
"""The parts of a log from its beginning on; the last is the session's own, the only one where nothing is shared."""


def lineage_of(db: sqlite3.Connection, session: str) -> Lineage:
    """Where the events of a session lie, as far as they go now. Raises `SessionUnknown`."""
    found = db.execute(FIND_LINEAGE, (session,)).fetchall()
    if not found:
        raise SessionUnknown(f"There is no session {session}", session=session)
    return list(map(Segment._make, found))


def owner_of(lineage: Lineage, seq: int) -> str:
    """The session that an event of the log belongs to."""
    return next((segment.session for segment in lineage if seq <= segment.version), lineage[-1].session)


def begins_after(opening: Opening | None) -> int:
    """The version a new log has before its own first event."""
    parent = opening.parent if opening is not None else None
    return parent.version if parent is not None and parent.held_by is not None else 0


def store_fork(db: sqlite3.Connection, number: int, opening: Opening, parent: Parent) -> None:
    """Keep what a new session begins as. Raises `SessionUnknown`, or `SequenceBroken` where it begins in mid-action."""
    base = None if parent.held_by is None else _base(db, parent, parent.held_by)
    log = opening.log or parent.session
    db.execute(INSERT_FORK, (number, log, parent.session, parent.at, parent.version, parent.kind, base))


def _base(db: sqlite3.Connection, parent: Parent, holder: str) -> int:
    lineage = lineage_of(db, holder)
    part = next((part for part in lineage if parent.at <= part.action), lineage[-1])
    (last,) = db.execute(LAST_OF_ACTION, (part.number, parent.at)).fetchone()
    if last != parent.version:
        raise SequenceBroken(
            f"Action {parent.at} of session {holder} does not end with event {parent.version}",
            seq=parent.version + 1,
        )
    return lineage[-1].number
