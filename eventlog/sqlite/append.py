"""The one way an event gets into the file. Constant statements, since an append is what everybody waits for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from eventlog.canonical import encode
from eventlog.envelope import By, Envelope
from eventlog.errors import NothingToRedact, SequenceBroken
from eventlog.sqlite.tokens import insert_token
from eventlog.store import Append, Conflict, Opening, Outcome, Redaction, Replayed, RequestKey, Stored
from rulesets.contract import Audience

INSERT_EVENT = """
    INSERT INTO events (position, session, seq, action, slot, revision, type, v, at, "by", audience, data, salt,
                        hash, digest)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?, ?, ?)
"""
LAST_POSITION = """
    SELECT max(coalesce((SELECT max(position) FROM events), 0), coalesce((SELECT max(position) FROM removed), 0))
"""
FIND_KEY = """
    SELECT sessions.id, keys.action, keys.fingerprint
    FROM keys JOIN sessions ON sessions.number = keys.session WHERE keys.scope = ? AND keys.key = ?
"""
FIND_VERSION = """
    SELECT number, version FROM sessions WHERE id = :id
    UNION ALL SELECT NULL, version FROM removed WHERE session = :id
"""
INSERT_SESSION = """
    INSERT INTO sessions (number, id, title, ruleset, rules, version, action, hash, opened_at, changed_at, found_by)
    SELECT 1 + max(coalesce((SELECT max(number) FROM sessions), 0), coalesce((SELECT max(number) FROM removed), 0)),
           ?, ?, ?, ?, 0, 0, x'', ?, ?, ?
"""
MOVE_HEAD = """
    UPDATE sessions SET version = ?, action = ?, hash = ?, changed_at = ?, closed_at = coalesce(?, closed_at)
    WHERE number = ?
"""
STORE_CHECKPOINT = "INSERT OR REPLACE INTO checkpoints (session, action, version, tape) VALUES (?, ?, ?, ?)"
REDACT = "UPDATE events SET data = NULL, salt = NULL, digest = ? WHERE session = ? AND seq = ? AND data IS NOT NULL"


class TypeNumbers(dict[str, int]):
    """The number of each event type; a new name gets one. Emptied when the transaction is rolled back."""

    def read(self, db: sqlite3.Connection, names: Iterable[str]) -> None:
        """Learn the numbers of these names, giving out new ones."""
        for name in set(names) - self.keys():
            db.execute("INSERT OR IGNORE INTO types (name) VALUES (?)", (name,))
            (self[name],) = db.execute("SELECT number FROM types WHERE name = ?", (name,)).fetchone()


def append_all(db: sqlite3.Connection, types: TypeNumbers, items: Sequence[Append]) -> list[Outcome]:
    """Take the items one after another, inside the caller's transaction."""
    (position,) = db.execute(LAST_POSITION).fetchone()
    outcomes: list[Outcome] = []
    for item in items:
        outcome = _append(db, types, item, position + 1)
        if isinstance(outcome, Stored):
            position += len(item.events)
        outcomes.append(outcome)
    return outcomes


def known_key(db: sqlite3.Connection, scope: str, key: str) -> Replayed | None:
    """What an idempotency key led to."""
    found = db.execute(FIND_KEY, (scope, key)).fetchone()
    return found and Replayed(session=found[0], action=found[1], fingerprint=found[2])


def _append(db: sqlite3.Connection, types: TypeNumbers, item: Append, position: int) -> Outcome:
    if item.key is not None:
        replayed = known_key(db, item.key.scope, item.key.key)
        if replayed is not None:
            return replayed
    number, version = db.execute(FIND_VERSION, {"id": item.session}).fetchone() or (None, 0)
    if version != item.expected or (number is None and version):
        return Conflict(version=version)
    _refuse_gaps(item)
    if number is None:
        number = _open(db, item, item.opening)
    types.read(db, (event.type for event in item.events))
    db.executemany(INSERT_EVENT, _rows(item.events, number, position, types))
    _store_the_rest(db, item, number)
    return Stored(position=position)


def _refuse_gaps(item: Append) -> None:
    wanted = item.expected
    for event in item.events:
        wanted += 1
        if event.seq != wanted:
            raise SequenceBroken(f"Event {event.seq} where {wanted} comes next", seq=event.seq)
    if wanted == item.expected:
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
    db.execute("INSERT INTO seeds (session, seed) VALUES (?, ?)", (number, opening.seed))
    return int(number or 0)


def _rows(
    events: tuple[Envelope, ...], number: int, position: int, types: TypeNumbers
) -> Iterator[tuple[object, ...]]:
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
    closed_at = last.at if item.closes else None
    db.execute(MOVE_HEAD, (last.seq, last.action, last.hash, last.at, closed_at, number))
    if item.key is not None:
        _store_key(db, item.key, number, last)
    if item.redaction is not None:
        _redact(db, item.redaction, number)
    if item.checkpoint is not None:
        db.execute(STORE_CHECKPOINT, (number, last.action, last.seq, item.checkpoint))
    for earlier in item.checkpoints:
        db.execute(STORE_CHECKPOINT, (number, earlier.action, earlier.version, earlier.tape))
    for token in item.tokens:
        insert_token(db, token, number if token.session is not None else None)


def _store_key(db: sqlite3.Connection, key: RequestKey, number: int, last: Envelope) -> None:
    db.execute(
        "INSERT INTO keys (scope, key, session, action, fingerprint, at) VALUES (?, ?, ?, ?, ?, ?)",
        (key.scope, key.key, number, last.action, key.fingerprint, last.at),
    )


def _redact(db: sqlite3.Connection, redaction: Redaction, number: int) -> None:
    """Take the words out of the event, and drop the tapes that may repeat them: those are made again."""
    if not db.execute(REDACT, (redaction.digest, number, redaction.seq)).rowcount:
        raise NothingToRedact(f"Event {redaction.seq} has no words left to remove", seq=redaction.seq)
    db.execute("DELETE FROM checkpoints WHERE session = ? AND version >= ?", (number, redaction.seq))
