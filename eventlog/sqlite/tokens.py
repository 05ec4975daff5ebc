"""Tokens in the file: rows of hashes, never a secret."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec
from sqlite_utils import Database

from eventlog.canonical import encode
from eventlog.store import Token

_characters = msgspec.json.Decoder(tuple[str, ...]).decode


def insert_token(db: sqlite3.Connection, token: Token, number: int | None) -> None:
    """Keep a token of the session with that number, or of the server."""
    db.execute(
        "INSERT INTO tokens (id, session, role, name, characters, key_hash, created_at, revoked_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            token.id,
            number,
            token.role,
            token.name,
            encode(token.characters).decode(),
            token.key_hash,
            token.created_at,
            token.revoked_at,
        ),
    )


def token_of_hash(db: sqlite3.Connection, key_hash: bytes) -> Token | None:
    """The token whose secret has that hash."""
    found = db.execute(
        "SELECT tokens.id, sessions.id, role, name, characters, created_at, revoked_at"
        " FROM tokens LEFT JOIN sessions ON sessions.number = tokens.session WHERE key_hash = ?",
        (key_hash,),
    ).fetchone()
    if found is None:
        return None
    identity, session, role, name, characters, created_at, revoked_at = found
    return Token(
        id=identity,
        session=session,
        role=role,
        name=name,
        characters=_characters(characters),
        key_hash=key_hash,
        created_at=created_at,
        revoked_at=revoked_at,
    )


def tokens_of(db: sqlite3.Connection, session: str | None, number: int | None) -> list[Token]:
    """The tokens of a session, or of the server, oldest first."""
    rows = (
        Database(db, recursive_triggers=False, execute_plugins=False)
        .table("tokens")
        .rows_where("session IS ?", [number], order_by="number")
    )
    return [_token(row, session) for row in rows]


def _token(row: dict[str, Any], session: str | None) -> Token:
    return Token(
        id=row["id"],
        session=session,
        role=row["role"],
        name=row["name"],
        characters=_characters(row["characters"]),
        key_hash=row["key_hash"],
        created_at=row["created_at"],
        revoked_at=row["revoked_at"],
    )


def revoke(db: sqlite3.Connection, token: str, at: str) -> bool:
    """Set once and for all when a token stopped being good; whether there was one to revoke."""
    found = db.execute("UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", (at, token))
    return found.rowcount == 1
