"""What was sent, tried and given up, and the messages that can be edited."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from eventlog.canonical import encode
from eventlog.hooks import MOST_LOGGED, Attempt, DeadLetter, Logged, Message
from eventlog.sqlite.hook_rows import number_of

INSERT_ATTEMPT = """
    INSERT INTO hook_attempts (hook, session, id, seq, attempt, at, duration_ms, status, outcome, error)
    VALUES (?, (SELECT number FROM sessions WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?)
"""
FORGET_OLD_ATTEMPTS = """
    DELETE FROM hook_attempts WHERE hook = ? AND number <= (
        SELECT number FROM hook_attempts WHERE hook = ? ORDER BY number DESC LIMIT 1 OFFSET ?
    )
"""
ATTEMPTS = """
    SELECT hook_attempts.number, hook_attempts.id, sessions.id, seq, attempt, at, duration_ms, status, outcome, error
    FROM hook_attempts LEFT JOIN sessions ON sessions.number = hook_attempts.session
    WHERE hook = ? AND hook_attempts.number < ? ORDER BY hook_attempts.number DESC LIMIT ?
"""
INSERT_LETTER = """
    INSERT OR REPLACE INTO hook_letters (hook, session, id, seq, at, tries, status, error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
LETTERS = """
    SELECT hook_letters.number, hook_letters.id, sessions.id, seq, at, tries, status, error
    FROM hook_letters JOIN sessions ON sessions.number = hook_letters.session
    WHERE hook = ? AND hook_letters.number > ? ORDER BY hook_letters.number LIMIT ?
"""
MESSAGES = """
    SELECT action, slot, message FROM hook_messages
    WHERE hook = (SELECT number FROM hooks WHERE id = ?)
      AND session = (SELECT number FROM sessions WHERE id = ?)
"""
MESSAGE = f"{MESSAGES} AND action = ?"
IN_SLOTS = f"{MESSAGES} AND slot IN (SELECT value FROM json_each(?)) ORDER BY action"  # noqa: S608 - our own words
INSERT_MESSAGE = """
    INSERT OR REPLACE INTO hook_messages (hook, session, action, slot, message)
    VALUES (?, ?, ?, ?, ?)
"""
NEWEST = 2**63 - 1


def note(db: sqlite3.Connection, hook: int, attempt: Attempt) -> None:
    """Write an attempt down; the oldest go."""
    db.execute(
        INSERT_ATTEMPT,
        (
            hook,
            attempt.session,
            attempt.id,
            attempt.seq,
            attempt.attempt,
            attempt.at,
            attempt.duration_ms,
            attempt.status,
            attempt.outcome,
            attempt.error,
        ),
    )
    db.execute(FORGET_OLD_ATTEMPTS, (hook, hook, MOST_LOGGED))


def attempts(db: sqlite3.Connection, hook: str, before: int | None, limit: int) -> list[Logged]:
    """What was tried, newest first."""
    upper = NEWEST if before is None else before
    fields = Attempt.__struct_fields__
    return [
        Logged(number=number, attempt=Attempt(**dict(zip(fields, row, strict=True))))
        for number, *row in db.execute(ATTEMPTS, (number_of(db, hook), upper, limit))
    ]


def bury(db: sqlite3.Connection, hook: int, session: int, letter: DeadLetter) -> None:
    """Keep a message that was given up."""
    values = (letter.id, letter.seq, letter.at, letter.tries, letter.status, letter.error)
    db.execute(INSERT_LETTER, (hook, session, *values))


def raise_again(db: sqlite3.Connection, hook: int, session: int, seq: int | None) -> None:
    """Take a dead letter away, since it was delivered after all."""
    db.execute("DELETE FROM hook_letters WHERE hook = ? AND session = ? AND seq = ?", (hook, session, seq))


def dead_letters(db: sqlite3.Connection, hook: str, after: int, limit: int) -> list[tuple[int, DeadLetter]]:
    """What was given up, oldest first."""
    fields = DeadLetter.__struct_fields__
    return [
        (number, DeadLetter(**dict(zip(fields, row, strict=True))))
        for number, *row in db.execute(LETTERS, (number_of(db, hook), after, limit))
    ]


def message(db: sqlite3.Connection, hook: str, session: str, action: int) -> Message | None:
    """The message made of an action."""
    found = db.execute(MESSAGE, (hook, session, action)).fetchone()
    return found and Message(action=found[0], slot=found[1], message=found[2])


def messages(db: sqlite3.Connection, hook: str, session: str, slots: Collection[int]) -> list[Message]:
    """The messages made of actions in these slots."""
    return [
        Message(action=action, slot=slot, message=made)
        for action, slot, made in db.execute(IN_SLOTS, (hook, session, encode(sorted(slots)).decode()))
    ]


def remember(db: sqlite3.Connection, hook: int, session: int, made: Message) -> None:
    """Keep which message was made of an action."""
    db.execute(INSERT_MESSAGE, (hook, session, made.action, made.slot, made.message))


def forget(db: sqlite3.Connection, hook: int, session: int, action: int) -> None:
    """Forget a message that is not there any more."""
    db.execute(
        "DELETE FROM hook_messages WHERE hook = ? AND session = ? AND action = ?", (hook, session, action)
    )
