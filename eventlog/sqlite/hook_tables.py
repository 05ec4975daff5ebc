"""The tables of webhooks: who is told, how far, and what was tried."""

from __future__ import annotations

from sqlite_utils import Database


def create(db: Database) -> None:
    """All of them. Sessions are numbers, as everywhere in the file; secrets lie here readable, to sign with."""
    _hooks(db)
    _cursors(db)
    _deliveries(db)


def _hooks(db: Database) -> None:
    columns = {
        "number": int,
        "id": str,
        "session": int,
        "name": str,
        "url": str,
        "format": str,
        "types": str,
        "viewer": str,
        "secrets": str,
        "paused": str,
        "created_at": str,
        "asked": bytes,
        "revision": int,
        "held_until": str,
    }
    hooks = db.table("hooks")
    hooks.create(
        columns, pk="number", not_null=columns.keys() - {"number", "session", "paused", "held_until"}
    )
    hooks.create_index(["id"], unique=True)
    hooks.create_index(["session"])


def _cursors(db: Database) -> None:
    cursors = {
        "hook": int,
        "session": int,
        "seq": int,
        "tries": int,
        "next_at": str,
        "owner": str,
        "until": str,
    }
    db.table("hook_cursors").create(
        cursors, pk=("hook", "session"), not_null={"hook", "session", "seq", "tries"}
    )
    db.table("hook_cursors").create_index(["session"])
    messages = {
        "hook": int,
        "session": int,
        "action": int,
        "slot": int,
        "message": str,
    }
    db.table("hook_messages").create(
        messages, pk=("hook", "session", "action"), not_null=messages.keys() - {"slot"}
    )
    db.table("hook_messages").create_index(["session"])


def _deliveries(db: Database) -> None:
    attempts = {
        "number": int,
        "hook": int,
        "session": int,
        "id": str,
        "seq": int,
        "attempt": int,
        "at": str,
        "duration_ms": int,
        "status": int,
        "outcome": str,
        "error": str,
    }
    optional = {"number", "session", "seq", "status", "error"}
    db.table("hook_attempts").create(attempts, pk="number", not_null=attempts.keys() - optional)
    letters = {
        "number": int,
        "hook": int,
        "session": int,
        "id": str,
        "seq": int,
        "at": str,
        "tries": int,
        "status": int,
        "error": str,
    }
    db.table("hook_letters").create(
        letters, pk="number", not_null=letters.keys() - {"number", "status", "error"}
    )
    db.table("hook_letters").create_index(["hook", "session", "seq"], unique=True)
    for table in ("hook_attempts", "hook_letters"):
        db.table(table).create_index(["hook", "number"])
        db.table(table).create_index(["session"])
