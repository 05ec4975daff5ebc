"""Hooks in the file: added, listed, changed, removed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from eventlog.canonical import encode
from eventlog.hooks import Hook, Secret
from eventlog.sqlite.reads import number_and_version
from rulesets.people import Viewer

FIND = """
    SELECT hooks.id, sessions.id, name, url, format, types, viewer, secrets, paused, created_at, asked, revision,
           held_until
    FROM hooks LEFT JOIN sessions ON sessions.number = hooks.session
"""
INSERT = """
    INSERT INTO hooks (id, session, name, url, format, types, viewer, secrets, paused, created_at, asked, revision)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
UPDATE = """
    UPDATE hooks SET name = ?, url = ?, types = ?, secrets = ?, paused = ?, held_until = ?, revision = revision + 1
    WHERE id = ?
"""
OF_THE_HOOK = ("hook_cursors", "hook_messages", "hook_attempts", "hook_letters")

_names = msgspec.json.Decoder(tuple[str, ...]).decode
_viewer = msgspec.json.Decoder(Viewer).decode
_secrets = msgspec.json.Decoder(tuple[Secret, ...]).decode


def add(db: sqlite3.Connection, hook: Hook, after: int | None) -> None:
    """Keep a hook with its cursors: of its session, or of all there are."""
    number, version = None, 0
    if hook.session is not None:
        number, version = number_and_version(db, hook.session)
    made = db.execute(
        INSERT,
        (
            hook.id,
            number,
            hook.name,
            hook.url,
            hook.format,
            _text(hook.types),
            _text(hook.viewer),
            _text(hook.secrets),
            hook.paused,
            hook.created_at,
            hook.asked,
            hook.revision,
        ),
    ).lastrowid
    if number is None:
        db.execute(
            "INSERT INTO hook_cursors (hook, session, seq, tries) SELECT ?, number, version, 0 FROM sessions",
            (made,),
        )
    else:
        db.execute(
            "INSERT INTO hook_cursors (hook, session, seq, tries) VALUES (?, ?, ?, 0)",
            (made, number, version if after is None else after),
        )


def find(db: sqlite3.Connection, hook: str) -> Hook | None:
    """The hook of that id."""
    found = db.execute(f"{FIND} WHERE hooks.id = ?", (hook,)).fetchone()
    return found and hook_of(*found)


def listed(db: sqlite3.Connection, session: str | None) -> list[Hook]:
    """The hooks of a session, or of all, oldest first."""
    number = None if session is None else number_and_version(db, session)[0]
    found = db.execute(f"{FIND} WHERE hooks.session IS ? ORDER BY hooks.number", (number,))
    return [hook_of(*row) for row in found]


def change(db: sqlite3.Connection, hook: str, edit: Callable[[Hook], Hook]) -> Hook | None:
    """Write what may change, and let what failed be tried again."""
    before = find(db, hook)
    if before is None:
        return None
    now = replace(edit(before), revision=before.revision + 1)
    held = now.held_until if now.url == before.url else None
    values = (now.name, now.url, _text(now.types), _text(now.secrets), now.paused, held, hook)
    db.execute(UPDATE, values)
    number = number_of(db, hook)
    db.execute("UPDATE hook_cursors SET tries = 0, next_at = NULL WHERE hook = ?", (number,))
    if now.url != before.url:
        db.execute("DELETE FROM hook_messages WHERE hook = ?", (number,))
    return find(db, hook)


def drop(db: sqlite3.Connection, hook: str) -> bool:
    """Remove a hook and everything of it."""
    number = number_of(db, hook)
    if number is None:
        return False
    for table in OF_THE_HOOK:
        db.execute(f"DELETE FROM {table} WHERE hook = ?", (number,))  # noqa: S608 - our own names
    db.execute("DELETE FROM hooks WHERE number = ?", (number,))
    return True


def drop_session(db: sqlite3.Connection, session: int) -> None:
    """Remove the hooks of a session that goes, and what others kept of it."""
    for (hook,) in db.execute("SELECT id FROM hooks WHERE session = ?", (session,)).fetchall():
        drop(db, hook)
    for table in OF_THE_HOOK:
        db.execute(f"DELETE FROM {table} WHERE session = ?", (session,))  # noqa: S608 - our own names


def number_of(db: sqlite3.Connection, hook: str) -> int | None:
    """The hook's number in the file."""
    found = db.execute("SELECT number FROM hooks WHERE id = ?", (hook,)).fetchone()
    return found and int(found[0])


def hook_of(*row: object) -> Hook:
    """A hook from the columns that `FIND` selects."""
    values = dict(zip(Hook.__struct_fields__, _in_order(row), strict=True))
    return Hook(**values)  # type: ignore[arg-type]  # the columns, in their order


def _in_order(row: tuple[object, ...]) -> tuple[object, ...]:
    """The columns as the fields of `Hook` are: those that hold JSON decoded."""
    before, (types, viewer, secrets), rest = row[:5], row[5:8], row[8:]
    return (*before, _names(str(types)), _viewer(str(viewer)), _secrets(str(secrets)), *rest)


def _text(value: object) -> str:
    return encode(value).decode()
