"""Reading the log back: a statement for each part of a log, bounded by how far the log went when it was asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from eventlog.envelope import By, Envelope, Row
from eventlog.errors import SessionUnknown
from eventlog.logs import Checkpoint
from eventlog.sqlite.lineage import Lineage
from rulesets.people import Audience

_COLUMNS = 'seq, position, action, slot, revision, type, v, at, "by", audience, CAST(data AS BLOB), salt, digest, events.hash'
# Nothing of these statements comes from outside.
_ENVELOPES = f"SELECT NULL, {_COLUMNS} FROM events "  # noqa: S608
_OF_ALL = f"""
    SELECT (SELECT id FROM sessions WHERE number = events.session), {_COLUMNS} FROM events
"""  # noqa: S608
_AFTER_SEQ = _ENVELOPES + "WHERE events.session = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
_OF_ACTIONS = (
    _ENVELOPES + "WHERE events.session = ? AND events.action BETWEEN ? AND ? ORDER BY events.action, position"
)
TAKEN = _ENVELOPES + (  # noqa: S608 - constant text
    "WHERE events.session = ? AND events.action BETWEEN ? AND ? AND (revision = 1 OR NOT EXISTS ("
    "SELECT 1 FROM events AS own WHERE own.session = events.session AND own.action = events.action "
    "AND own.slot IS NULL)) ORDER BY events.action, position"
)
REVISED = _ENVELOPES + (  # noqa: S608 - constant text
    "WHERE events.session = ? AND seq <= ? AND slot IN (SELECT value FROM json_each(?)) AND revision > 1 "
    "ORDER BY seq"
)
NOTES_ABOUT = (
    _ENVELOPES + "WHERE events.session = ? AND seq <= ? AND slot IS NULL "
    "AND json_extract(data, '$.about') BETWEEN ? AND ? ORDER BY seq"
)
AFTER_POSITION = _OF_ALL + "WHERE position > ? ORDER BY position LIMIT ?"
LAST = _OF_ALL + "ORDER BY position DESC LIMIT 1"
ROWS_AT_ONCE = 500
"""Rows fetched in one go: enough to be quick, few enough that nobody holds the file's past open."""

ROWS = """
    SELECT seq, action, slot, revision, type, v, at, CAST(data AS BLOB), hash FROM events
    WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
"""
LAST_OF_ACTION = """
    SELECT seq FROM events WHERE session = ? AND action <= ? ORDER BY action DESC, position DESC LIMIT 1
"""
LATEST_CHECKPOINT = """
    SELECT action, version, tape FROM checkpoints WHERE session = ? AND action <= ? ORDER BY action DESC LIMIT 1
"""
CHECKPOINTS = """
    SELECT action, version, tape FROM checkpoints WHERE session = ? AND action BETWEEN ? AND ? ORDER BY action
"""
CORRECTED = "SELECT slot, version, tape FROM corrected WHERE session = ? ORDER BY slot"
LATEST_CORRECTED = """
    SELECT slot, version, tape FROM corrected WHERE session = ? AND slot <= ? ORDER BY slot DESC LIMIT 1
"""

_by = lru_cache(maxsize=1024)(msgspec.json.Decoder(By).decode)
_audience = lru_cache(maxsize=1024)(msgspec.json.Decoder(Audience).decode)


class TypeNames(dict[int, str]):
    """The name of each event type by its number in the file."""

    def learn(self, db: sqlite3.Connection, numbers: set[int]) -> None:
        """Know the names of these numbers, which were read before."""
        if not numbers <= self.keys():
            self.update(db.execute("SELECT number, name FROM types"))

    def __missing__(self, number: int) -> str:
        raise ValueError(f"The file has no name for the event type {number!r}")


class File(NamedTuple):
    """A connection to read a file by, and what its event types are called."""

    db: sqlite3.Connection
    names: TypeNames

    def rows(self, statement: str, values: Sequence[object], type_at: int) -> list[Any]:
        """What a statement finds; the types at that place of its rows have names from then on."""
        found = self.db.execute(statement, values).fetchall()
        self.names.learn(self.db, {row[type_at] for row in found})
        return found


def number_and_version(db: sqlite3.Connection, session: str) -> tuple[int, int]:
    """The session's number in the file, and its version. Raises `SessionUnknown`."""
    found = db.execute("SELECT number, version FROM sessions WHERE id = ?", (session,)).fetchone()
    if found is None:
        raise SessionUnknown(f"There is no session {session}", session=session)
    return found[0], found[1]


def last_of_action(db: sqlite3.Connection, lineage: Lineage, action: int) -> int:
    """The `seq` of the last event up to an action."""
    for segment in reversed(lineage):
        found = db.execute(LAST_OF_ACTION, (segment.number, min(action, segment.action))).fetchone()
        if found:
            return int(found[0])
    return 0


def row_page(file: File, lineage: Lineage, after: int, upto: int) -> list[Row]:
    """Some rows of a log, `seq` above `after` up to `upto`; none where there are no more."""
    found: list[Any] = []
    for segment in lineage:
        if after < segment.version and not found:
            bounds = (after, min(upto, segment.version))
            found = file.rows(ROWS, (segment.number, *bounds, ROWS_AT_ONCE), 4)
    names = file.names
    return [
        Row(
            seq=seq,
            action=action,
            slot=slot,
            revision=revision,
            type=names[type_],
            v=v,
            at=at,
            data=words,
            hash=link,
        )
        for seq, action, slot, revision, type_, v, at, words, link in found
    ]


def after_seq(file: File, session: str, lineage: Lineage, after: int, limit: int | None) -> list[Envelope]:
    """The events of a log with `seq` above `after`, so many at most."""
    found: list[Envelope] = []
    for segment in lineage:
        left = -1 if limit is None else limit - len(found)
        if after < segment.version and left:
            found += envelopes(file, _AFTER_SEQ, (segment.number, after, segment.version, left), session)
    return found


def of_actions(  # noqa: PLR0913, PLR0917 - a log and its lineage, which actions, and which of their events
    file: File, session: str, lineage: Lineage, first: int, last: int, events: str = _OF_ACTIONS
) -> list[Envelope]:
    """The events of the actions numbered first to last: all of them, or those that `TAKEN` leaves."""
    found: list[Envelope] = []
    for segment in lineage:
        if first <= segment.action:
            found += envelopes(file, events, (segment.number, first, min(last, segment.action)), session)
    return found


def throughout(file: File, statement: str, session: str, lineage: Lineage, *values: object) -> list[Envelope]:
    """What one of the statements above finds in every part of a log."""
    return [
        event
        for segment in lineage
        for event in envelopes(file, statement, (segment.number, segment.version, *values), session)
    ]


def envelopes(
    file: File, statement: str, values: Sequence[object], session: str | None = None
) -> list[Envelope]:
    """The events one of the statements above finds, whole: of the log of a session, or as they are stored."""
    found, names = file.rows(statement, values, 6), file.names
    return [
        Envelope(
            session=session or stored_with,
            seq=seq,
            position=position,
            action=action,
            slot=slot,
            revision=revision,
            type=names[type_],
            v=v,
            at=at,
            by=_by(by),
            audience=_audience(audience),
            data=words,
            salt=salt,
            digest=digest,
            hash=link,
        )
        for (
            stored_with,
            seq,
            position,
            action,
            slot,
            revision,
            type_,
            v,
            at,
            by,
            audience,
            words,
            salt,
            digest,
            link,
        ) in found
    ]


def latest_checkpoint(db: sqlite3.Connection, lineage: Lineage, action: int) -> Checkpoint | None:
    """The latest checkpoint at or before an action, a shared one where there is none since."""
    for segment in reversed(lineage):
        found = _latest(db, LATEST_CHECKPOINT, segment.number, min(action, segment.action))
        if found is not None:
            return found
    return None


def checkpoints_of(db: sqlite3.Connection, lineage: Lineage, first: int, last: int) -> list[Checkpoint]:
    """The checkpoints of the actions numbered first to last, shared ones included."""
    return [
        Checkpoint(action=action, version=version, tape=tape)
        for segment in lineage
        for action, version, tape in db.execute(
            CHECKPOINTS, (segment.number, first, min(last, segment.action))
        )
    ]


def latest_corrected(db: sqlite3.Connection, lineage: Lineage, slot: int) -> Checkpoint | None:
    """The latest corrected table at or before a slot. Those of a parent know its corrections since: none is shared."""
    return _latest(db, LATEST_CORRECTED, lineage[-1].number, slot)


def corrected_of(db: sqlite3.Connection, lineage: Lineage) -> list[Checkpoint]:
    """Every corrected table of a session's own."""
    found = db.execute(CORRECTED, (lineage[-1].number,))
    return [Checkpoint(action=slot, version=version, tape=tape) for slot, version, tape in found]


def _latest(db: sqlite3.Connection, statement: str, number: int, point: int) -> Checkpoint | None:
    found = db.execute(statement, (number, point)).fetchone()
    return found and Checkpoint(action=found[0], version=found[1], tape=found[2])
