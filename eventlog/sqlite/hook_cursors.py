"""Cursors in the file: leased, moved on, set back."""

from __future__ import annotations

import sqlite3
from collections import Counter

from msgspec.structs import replace

from eventlog.hooks import AT_ONCE, Lease, Standing, Step
from eventlog.sqlite import hook_letters, hook_rows
from eventlog.sqlite.reads import number_and_version

DUE = """
    WITH pairs AS (
        SELECT hooks.number AS hook, hooks.session AS session FROM hooks WHERE hooks.session IS NOT NULL
        UNION ALL
        SELECT hooks.number, sessions.number FROM hooks JOIN sessions WHERE hooks.session IS NULL
    )
    SELECT hooks.number, sessions.number FROM pairs
    JOIN hooks ON hooks.number = pairs.hook JOIN sessions ON sessions.number = pairs.session
    LEFT JOIN hook_cursors AS cursors ON cursors.hook = pairs.hook AND cursors.session = pairs.session
    WHERE hooks.paused IS NULL AND coalesce(hooks.held_until, '') <= :now AND CASE
        WHEN cursors.hook IS NULL THEN sessions.changed_at >= hooks.created_at
        ELSE cursors.seq < sessions.version AND coalesce(cursors.next_at, '') <= :now
             AND coalesce(cursors.until, '') <= :now END
    ORDER BY sessions.changed_at
"""
LEASED = "SELECT hook, count(*) FROM hook_cursors WHERE until > ? GROUP BY hook"
BEGIN = """
    INSERT OR IGNORE INTO hook_cursors (hook, session, seq, tries)
    SELECT ?1, ?2, max(
        coalesce((SELECT max(seq) FROM events WHERE session = ?2 AND at < hooks.created_at), 0),
        (SELECT min(seq) - 1 FROM events WHERE session = ?2)
    ), 0 FROM hooks WHERE number = ?1
"""
"""A session that came later is told from its own first event, and of nothing from before the hook was made."""
TAKE = """
    UPDATE hook_cursors SET owner = ?, until = ? WHERE hook = ? AND session = ?
    RETURNING (SELECT id FROM sessions WHERE number = session), seq, tries
"""
HELD = """
    SELECT hooks.number, sessions.number, hook_cursors.owner, hooks.revision, hooks.paused
    FROM hooks JOIN sessions ON sessions.id = ?
    LEFT JOIN hook_cursors ON hook_cursors.hook = hooks.number AND hook_cursors.session = sessions.number
    WHERE hooks.id = ?
"""
MOVE = """
    UPDATE hook_cursors SET seq = ?, tries = ?, next_at = ?, owner = ?, until = ? WHERE hook = ? AND session = ?
"""
HOLD = "UPDATE hooks SET held_until = ? WHERE number = ? AND coalesce(held_until, '') < ?"
STANDINGS = """
    SELECT sessions.id, hook_cursors.seq, sessions.version, tries, next_at
    FROM hook_cursors JOIN sessions ON sessions.number = hook_cursors.session WHERE hook = ?
    ORDER BY sessions.version - hook_cursors.seq DESC, sessions.number LIMIT ?
"""


def is_due(db: sqlite3.Connection, now: str) -> bool:
    """Whether anything might be sent."""
    return db.execute(f"{DUE} LIMIT 1", {"now": now}).fetchone() is not None


def lease(db: sqlite3.Connection, owner: str, now: str, until: str, limit: int) -> list[Lease]:
    """Take cursors that have something to send, few enough of each hook."""
    busy = Counter(dict(db.execute(LEASED, (now,)).fetchall()))
    hooks = {}
    leases: list[Lease] = []
    for number, session in db.execute(DUE, {"now": now}).fetchall():
        if number not in hooks:
            hooks[number] = hook_rows.hook_of(
                *db.execute(f"{hook_rows.FIND} WHERE hooks.number = ?", (number,)).fetchone()
            )
        hook = hooks[number]
        if busy[number] < AT_ONCE[hook.format] and len(leases) < limit:
            busy[number] += 1
            db.execute(BEGIN, (number, session))
            named, seq, tries = db.execute(TAKE, (owner, until, number, session)).fetchone()
            leases.append(Lease(hook=hook, session=named, seq=seq, tries=tries, owner=owner, until=until))
    return leases


def record(db: sqlite3.Connection, lease: Lease, step: Step) -> Lease | None:
    """Store what an attempt led to, and say whether the lease goes on."""
    found = db.execute(HELD, (lease.session, lease.hook.id)).fetchone()
    if found is None:
        return None
    hook, session, owner, revision, paused = found
    if step.attempt is not None:
        hook_letters.note(db, hook, step.attempt)
    if owner != lease.owner:
        return None
    _remember(db, hook, session, step)
    goes_on = (
        step.until is not None and step.pause is None and (revision, paused) == (lease.hook.revision, None)
    )
    kept = (lease.owner, step.until) if goes_on else (None, None)
    db.execute(MOVE, (step.seq, step.tries, step.next_at, *kept, hook, session))
    if not goes_on or step.until is None:
        return None
    return replace(lease, seq=step.seq, tries=step.tries, until=step.until)


def _remember(db: sqlite3.Connection, hook: int, session: int, step: Step) -> None:
    if step.dead is not None:
        hook_letters.bury(db, hook, session, step.dead)
    elif step.attempt is not None and step.attempt.outcome == "delivered":
        hook_letters.raise_again(db, hook, session, step.attempt.seq)
    if step.forgotten is not None:
        hook_letters.forget(db, hook, session, step.forgotten)
    if step.remembered is not None:
        hook_letters.remember(db, hook, session, step.remembered)
    if step.held_until is not None:
        db.execute(HOLD, (step.held_until, hook, step.held_until))
    if step.pause is not None:
        db.execute(
            "UPDATE hooks SET paused = ?, revision = revision + 1 WHERE number = ?", (step.pause, hook)
        )


def rewind(db: sqlite3.Connection, hook: str, session: str, seq: int) -> None:
    """Set a cursor, made if there is none, take it from whoever has it, and wait no more for the receiver."""
    number, _ = number_and_version(db, session)
    db.execute("UPDATE hooks SET held_until = NULL WHERE id = ?", (hook,))
    db.execute(
        "INSERT OR REPLACE INTO hook_cursors (hook, session, seq, tries)"
        " SELECT number, ?, ?, 0 FROM hooks WHERE id = ?",
        (number, seq, hook),
    )


def standings(db: sqlite3.Connection, hook: str, limit: int) -> list[Standing]:
    """How far a hook was told, furthest behind first."""
    found = db.execute(STANDINGS, (hook_rows.number_of(db, hook), limit))
    return [Standing(**dict(zip(Standing.__struct_fields__, row, strict=True))) for row in found]


def let_go(db: sqlite3.Connection) -> None:
    """Let go of the leases of a process that is gone: one process writes the file, so they are nobody's."""
    db.execute("UPDATE hook_cursors SET owner = NULL, until = NULL WHERE owner IS NOT NULL")
