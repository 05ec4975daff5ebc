"""Reading the log back: each function is one statement, so each sees one point in time."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from eventlog.envelope import By, Envelope, Row
from eventlog.errors import SessionUnknown
from eventlog.store import Checkpoint
from rulesets.people import Audience

_ENVELOPES = """
    SELECT sessions.id, seq, position, events.action, slot, revision, types.name, v, at, "by", audience,
           CAST(data AS BLOB), salt, digest, events.hash
    FROM events JOIN sessions ON sessions.number = events.session JOIN types ON types.number = events.type
"""
AFTER_SEQ = _ENVELOPES + "WHERE events.session = ? AND seq > ? ORDER BY seq LIMIT ?"
OF_ACTIONS = (
    _ENVELOPES + "WHERE events.session = ? AND events.action BETWEEN ? AND ? ORDER BY events.action, position"
)
REVISED = _ENVELOPES + (  # noqa: S608 - constant text
    "WHERE events.session = ? AND slot IN (SELECT value FROM json_each(?)) AND revision > 1 ORDER BY seq"
)
NOTES_ABOUT = (
    _ENVELOPES + "WHERE events.session = ? AND slot IS NULL "
    "AND json_extract(data, '$.about') BETWEEN ? AND ? ORDER BY seq"
)
AFTER_POSITION = _ENVELOPES + "WHERE position > ? ORDER BY position LIMIT ?"
LAST = _ENVELOPES + "ORDER BY position DESC LIMIT 1"
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
LATEST_CORRECTED = """
    SELECT slot, version, tape FROM corrected WHERE session = ? AND slot <= ? ORDER BY slot DESC LIMIT 1
"""

_by = lru_cache(maxsize=1024)(msgspec.json.Decoder(By).decode)
_audience = lru_cache(maxsize=1024)(msgspec.json.Decoder(Audience).decode)


class TypeNames(dict[int, str]):
    """The name of each event type by its number in the file."""

    def learn(self, db: sqlite3.Connection) -> TypeNames:
        """Itself, with the names others have added since. Call it after reading events, not before."""
        (count,) = db.execute("SELECT count(*) FROM types").fetchone()
        if count > len(self):
            self.update(db.execute("SELECT number, name FROM types"))
        return self


def number_and_version(db: sqlite3.Connection, session: str) -> tuple[int, int]:
    """The session's number in the file, and its version. Raises `SessionUnknown`."""
    found = db.execute("SELECT number, version FROM sessions WHERE id = ?", (session,)).fetchone()
    if found is None:
        raise SessionUnknown(f"There is no session {session}", session=session)
    return found[0], found[1]


def last_of_action(db: sqlite3.Connection, number: int, action: int) -> int:
    """The `seq` of the last event up to an action."""
    found = db.execute(LAST_OF_ACTION, (number, action)).fetchone()
    return found[0] if found else 0


def row_page(db: sqlite3.Connection, names: TypeNames, number: int, after: int, upto: int) -> list[Row]:
    """Some rows of a session, `seq` above `after` up to `upto`."""
    found = db.execute(ROWS, (number, after, upto, ROWS_AT_ONCE)).fetchall()
    names.learn(db)
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


def envelopes(db: sqlite3.Connection, statement: str, values: Sequence[object]) -> list[Envelope]:
    """The events one of the statements above finds, whole."""
    return [
        Envelope(
            session=session,
            seq=seq,
            position=position,
            action=action,
            slot=slot,
            revision=revision,
            type=type_,
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
            session,
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
        ) in db.execute(statement, values)
    ]


def latest_checkpoint(
    db: sqlite3.Connection, number: int, action: int, statement: str = LATEST_CHECKPOINT
) -> Checkpoint | None:
    """The latest checkpoint at or before an action, or of the corrected ones at or before a slot."""
    found = db.execute(statement, (number, action)).fetchone()
    return found and Checkpoint(action=found[0], version=found[1], tape=found[2])
