"""The one way an event gets into the file. Few, constant statements, since an append is what everybody waits for.

Python's lock is given up and taken again around every step of a statement, and under load each time is a wait:
so all who were gathered are looked up, inserted and moved on together, many rows to a statement.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from msgspec import json

from eventlog.canonical import encode
from eventlog.envelope import By, Envelope
from eventlog.errors import NothingToRedact, SequenceBroken, WordsShared
from eventlog.sqlite.lineage import HEIRS, begins_after, lineage_of, owner_of, store_fork
from eventlog.sqlite.tokens import insert_token
from eventlog.store import Append, Conflict, Opening, Outcome, Redaction, Replayed, RequestKey, Retold, Stored
from rulesets.people import Audience

ROWS_AT_ONCE = (32, 8, 1)
"""How many rows a statement takes; each of these numbers is one statement, compiled once."""

EVENT_ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?, ?, ?)"
INSERT_EVENTS = """
    INSERT INTO events (position, session, seq, action, slot, revision, type, v, at, "by", audience, data, salt,
                        hash, digest)
    VALUES {rows}
"""
LAST_POSITION = """
    SELECT max(coalesce((SELECT max(position) FROM events), 0), coalesce((SELECT max(position) FROM removed), 0))
"""
FIND_KEY = """
    SELECT sessions.id, keys.action, keys.fingerprint, keys.ignored
    FROM keys JOIN sessions ON sessions.number = keys.session WHERE keys.scope = ? AND keys.key = ?
"""
FIND_HEADS = """
    WITH asked AS MATERIALIZED (SELECT value AS id FROM json_each(?))
    SELECT json_group_array(json_array(asked.id, sessions.number, coalesce(sessions.version, removed.version),
                                       coalesce(sessions.action, 0)))
    FROM asked LEFT JOIN sessions ON sessions.id = asked.id LEFT JOIN removed ON removed.session = asked.id
    WHERE sessions.id IS NOT NULL OR removed.session IS NOT NULL
"""
INSERT_SESSION = """
    INSERT INTO sessions (number, id, title, ruleset, rules, version, action, hash, opened_at, changed_at, found_by)
    SELECT 1 + max(coalesce((SELECT max(number) FROM sessions), 0), coalesce((SELECT max(number) FROM removed), 0)),
           ?, ?, ?, ?, 0, 0, x'', ?, ?, ?
"""
STORE_KEY = "INSERT INTO keys (scope, key, session, action, fingerprint, at) VALUES (?, ?, ?, ?, ?, ?)"
STORE_KEY_ALONE = """
    INSERT INTO keys (scope, key, session, action, fingerprint, at, ignored)
    SELECT ?, ?, number, ?, ?, changed_at, 1 FROM sessions WHERE number = ?
"""
HEAD_ROW = "(?, ?, ?, ?, ?, ?)"
MOVE_HEADS = """
    UPDATE sessions SET version = column2, action = column3, hash = column4, changed_at = column5,
                        closed_at = coalesce(column6, closed_at)
    FROM (VALUES {rows}) WHERE number = column1
"""
STORE_CHECKPOINT = "INSERT OR REPLACE INTO checkpoints (session, action, version, tape) VALUES (?, ?, ?, ?)"
STORE_CORRECTED = "INSERT INTO corrected (session, slot, version, tape) VALUES (?, ?, ?, ?)"
REDACT = "UPDATE events SET data = NULL, salt = NULL, digest = ? WHERE session = ? AND seq = ? AND data IS NOT NULL"
DROP_TAPES = (
    HEIRS + "DELETE FROM checkpoints WHERE session IN (SELECT number FROM heirs) AND version >= ?2",  # noqa: S608 - constant text
    HEIRS + "DELETE FROM corrected WHERE session IN (SELECT number FROM heirs)",  # noqa: S608 - as above
)


Row: TypeAlias = tuple[object, ...]
"""The values of one row."""


class TypeNumbers(dict[str, int]):
    """The number of each event type; a new name gets one. Emptied when the transaction is rolled back."""

    def read(self, db: sqlite3.Connection, names: Iterable[str]) -> None:
        """Learn the numbers of these names, giving out new ones."""
        for name in set(names) - self.keys():
            db.execute("INSERT OR IGNORE INTO types (name) VALUES (?)", (name,))
            (self[name],) = db.execute("SELECT number FROM types WHERE name = ?", (name,)).fetchone()


class Place(NamedTuple):
    """Where a session stands: its number in the file (None where it has none), its version and its last action."""

    number: int | None
    version: int
    action: int


NOWHERE = Place(None, 0, 0)
"""Where a session stands that was never opened."""


def append_all(db: sqlite3.Connection, types: TypeNumbers, items: Sequence[Append]) -> list[Outcome]:
    """Take the items one after another, inside the caller's transaction."""
    (position,) = db.execute(LAST_POSITION).fetchone()
    types.read(db, (event.type for item in items for event in item.events))
    places = _places(db, {item.session for item in items})
    outcomes: list[Outcome] = []
    rows: list[Row] = []
    taken: list[tuple[Append, int]] = []
    for item in items:
        settled: Outcome | None = _refused(db, item, places)
        if settled is None and item.key is not None and not item.events:
            settled = _keep_alone(db, item.key, places.get(item.session, NOWHERE))
        if settled is None:
            number = _numbered(db, item, places)
            rows += _rows(item.events, number, position + 1, types)
            taken.append((item, number))
        outcomes.append(settled or Stored(position=position + 1))
        position += 0 if settled else len(item.events)
    _insert(db, INSERT_EVENTS, EVENT_ROW, rows)
    _move_heads(db, taken)
    for item, number in taken:
        _store_the_rest(db, item, number)
    return outcomes


def known_key(db: sqlite3.Connection, scope: str, key: str) -> Replayed | None:
    """What an idempotency key led to."""
    found = db.execute(FIND_KEY, (scope, key)).fetchone()
    return found and Replayed(session=found[0], action=found[1], fingerprint=found[2], ignored=bool(found[3]))


def _places(db: sqlite3.Connection, sessions: Iterable[str]) -> dict[str, Place]:
    """Where the sessions stand that there are, or that were removed: these keep a version and have no number."""
    (found,) = db.execute(FIND_HEADS, (encode(list(sessions)),)).fetchone()
    return {session: Place(*place) for session, *place in json.decode(found)}


def _refused(db: sqlite3.Connection, item: Append, places: Mapping[str, Place]) -> Replayed | Conflict | None:
    """Why an item is not taken; None when it can be."""
    if item.key is not None:
        replayed = known_key(db, item.key.scope, item.key.key)
        if replayed is not None:
            return replayed
    number, version, _ = places.get(item.session, NOWHERE)
    if version != item.expected or (number is None and version):
        return Conflict(version=version)
    return None


def _numbered(db: sqlite3.Connection, item: Append, places: dict[str, Place]) -> int:
    """The number of an item's session, opened by it if it is new. The next item finds the session moved on."""
    _refuse_gaps(item)
    number = places.get(item.session, NOWHERE).number
    if number is None:
        number = _open(db, item, item.opening)
    if item.key is not None:
        _store_key(db, item.key, number, item.events[-1])
    places[item.session] = Place(number, item.events[-1].seq, item.events[-1].action)
    return number


def _insert(db: sqlite3.Connection, statement: str, row: str, rows: Sequence[Row]) -> None:
    """Run a statement over rows, many at once."""
    start = 0
    for size in ROWS_AT_ONCE:
        while len(rows) - start >= size:
            db.execute(_sized(statement, row, size), list(chain.from_iterable(rows[start : start + size])))
            start += size


@cache
def _sized(statement: str, row: str, size: int) -> str:
    return statement.format(rows=", ".join([row] * size))


def _move_heads(db: sqlite3.Connection, taken: Sequence[tuple[Append, int]]) -> None:
    """Each session stands where its last item brought it."""
    heads: dict[int, Row] = {}
    for item, number in taken:
        last = item.events[-1]
        closed_at = last.at if item.closes else heads[number][-1] if number in heads else None
        heads[number] = (number, last.seq, last.action, last.hash, last.at, closed_at)
    _insert(db, MOVE_HEADS, HEAD_ROW, list(heads.values()))


def _refuse_gaps(item: Append) -> None:
    before = wanted = item.expected + begins_after(item.opening)
    for event in item.events:
        wanted += 1
        if event.seq != wanted:
            raise SequenceBroken(f"Event {event.seq} where {wanted} comes next", seq=event.seq)
    if wanted == before:
        raise SequenceBroken("An action without an event", seq=wanted)


def _open(db: sqlite3.Connection, item: Append, opening: Opening | None) -> int:
    if opening is None:
        raise SequenceBroken(f"Session {item.session} was never opened", seq=0)
    at = item.events[0].at
    number = db.execute(
        INSERT_SESSION,
        (
            item.session,
            opening.title,
            opening.ruleset,
            opening.rules,
            at,
            at,
            f"{opening.title}\n{item.session}".casefold(),
        ),
    ).lastrowid
    number = int(number or 0)
    db.execute("INSERT INTO seeds (session, seed) VALUES (?, ?)", (number, opening.seed))
    if opening.parent is not None:
        store_fork(db, number, opening, opening.parent)
    return number


def _rows(events: tuple[Envelope, ...], number: int, position: int, types: TypeNumbers) -> Iterator[Row]:
    for place, event in enumerate(events, position):
        yield (
            place,
            number,
            event.seq,
            event.action,
            event.slot,
            event.revision,
            types[event.type],
            event.v,
            event.at,
            _by_text(event.by),
            _audience_text(event.audience),
            event.data,
            event.salt,
            event.hash,
            event.digest,
        )


@lru_cache(maxsize=1024)
def _by_text(by: By) -> str:
    return encode(by).decode()


@lru_cache(maxsize=1024)
def _audience_text(audience: Audience) -> str:
    return encode(audience).decode()


def _store_the_rest(db: sqlite3.Connection, item: Append, number: int) -> None:
    last = item.events[-1]
    if item.redaction is not None:
        _redact(db, item, item.redaction, number)
    if item.checkpoint is not None:
        db.execute(STORE_CHECKPOINT, (number, last.action, last.seq, item.checkpoint))
    for earlier in item.checkpoints:
        db.execute(STORE_CHECKPOINT, (number, earlier.action, earlier.version, earlier.tape))
    if item.retold is not None:
        _retell(db, item.retold, number)
    for token in item.tokens:
        insert_token(db, token, number if token.session is not None else None)


def _retell(db: sqlite3.Connection, retold: Retold, number: int) -> None:
    db.execute("DELETE FROM corrected WHERE session = ? AND slot >= ?", (number, retold.first))
    for kept in retold.tables:
        db.execute(STORE_CORRECTED, (number, kept.action, kept.version, kept.tape))


def _store_key(db: sqlite3.Connection, key: RequestKey, number: int, last: Envelope) -> None:
    db.execute(STORE_KEY, (key.scope, key.key, number, last.action, key.fingerprint, last.at))


def _keep_alone(db: sqlite3.Connection, key: RequestKey, place: Place) -> Stored:
    """Keep the key of a request that had nothing left to do, with where its session stands."""
    if place.number is None:
        raise SequenceBroken("A key alone opens no session", seq=0)
    db.execute(STORE_KEY_ALONE, (key.scope, key.key, place.action, key.fingerprint, place.number))
    return Stored(position=0)


def _redact(db: sqlite3.Connection, item: Append, redaction: Redaction, number: int) -> None:
    """Take the words out of the event, and drop the tapes that may repeat them, of forks too: those are made again."""
    owner = owner_of(lineage_of(db, item.session), redaction.seq)
    if owner != item.session:
        raise WordsShared(
            f"The words of event {redaction.seq} belong to the session {owner}, where this one was forked from: "
            "remove them there, and they are gone from both",
            seq=redaction.seq,
            session=owner,
        )
    if not db.execute(REDACT, (redaction.digest, number, redaction.seq)).rowcount:
        raise NothingToRedact(f"Event {redaction.seq} has no words left to remove", seq=redaction.seq)
    for statement in DROP_TAPES:
        db.execute(statement, (number, redaction.seq))
