"""The SQLite store: the promises of `Store`, kept in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from eventlog.envelope import Envelope
from eventlog.sqlite import append, connections, opening, reads, sessions, tokens
from eventlog.sqlite.hooks import SqliteHooks
from eventlog.sqlite.logs import SqliteLogs
from eventlog.store import Append, Outcome, Page, Removed, Replayed, Token

PROBE = 16 * 1024
"""Bytes written and taken away again to see that the disk still takes some."""


class SqliteStore(SqliteLogs):
    """Keeps logs in a SQLite file. One process writes it; others may look."""

    def __init__(self, held: connections.Connections) -> None:
        super().__init__(held)
        self._numbers = append.TypeNumbers()
        self.hooks = SqliteHooks(held)

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False) -> Self:
        """Open a database file, made if there is none; `:memory:` is gone when closed.

        `read_only` looks at a file beside the server that writes it. Raises `DatabaseInUse`, `DatabaseNewer`
        or `StoreUnusable`.
        """
        if str(path) == ":memory:":
            return cls(opening.in_memory())
        place = Path(path).resolve()
        return cls(opening.to_read(place) if read_only else opening.to_write(place))

    @classmethod
    def beside(cls, path: Path) -> Self:
        """Open a file to write it for the process that holds its lock."""
        return cls(opening.to_write_beside(path))

    def append(self, items: Sequence[Append]) -> list[Outcome]:
        """Append what fits of the items, in one durable commit, and answer for each."""
        try:
            with self._held.writing() as db:
                outcomes = append.append_all(db, self._numbers, items)
        except BaseException:
            self._numbers.clear()
            raise
        if any(item.redaction for item in items):
            self._held.flush()
        return outcomes

    def known_key(self, scope: str, key: str) -> Replayed | None:
        """What an idempotency key led to, if it was used."""
        with self._held.reading() as db:
            return append.known_key(db, scope, key)

    def sessions(self, *, search: str = "", after: str | None = None, limit: int = 50) -> Page:
        """Sessions newest first, those whose title or id contains the search words, a page at a time."""
        with self._held.reading() as db:
            return sessions.page_of(db, search, after, limit)

    def stream(self, after: int = 0, limit: int = 1000) -> list[Envelope]:
        """The events of all sessions with `position` above `after`, in commit order; shared ones once, as the parent's."""
        with self._held.reading() as db:
            return reads.envelopes(reads.File(db, self._names), reads.AFTER_POSITION, (after, limit))

    def last(self) -> Envelope | None:
        """The event of all sessions with the highest `position`; `None` while there is none."""
        with self._held.reading() as db:
            found = reads.envelopes(reads.File(db, self._names), reads.LAST, ())
        return found[0] if found else None

    def add_token(self, token: Token) -> None:
        """Keep a token."""
        with self._held.writing() as db:
            number = None if token.session is None else reads.number_and_version(db, token.session)[0]
            tokens.insert_token(db, token, number)

    def token(self, key_hash: bytes) -> Token | None:
        """The token with that hash, revoked or not."""
        with self._held.reading() as db:
            return tokens.token_of_hash(db, key_hash)

    def tokens(self, session: str | None) -> list[Token]:
        """The tokens of a session, or of the server, oldest first."""
        with self._held.reading() as db:
            number = None if session is None else reads.number_and_version(db, session)[0]
            return tokens.tokens_of(db, session, number)

    def revoke_token(self, token: str, at: str) -> bool:
        """Revoke a token by its id; whether there was one to revoke."""
        with self._held.writing() as db:
            return tokens.revoke(db, token, at)

    def remove(self, session: str, at: str) -> Removed:
        """Remove a session opened by mistake, whole; its id and head hash stay and the id is never reused.

        Raises `SessionHasForks` where others share its events.
        """
        with self._held.writing() as db:
            removed = sessions.remove(db, session, at)
        self._held.flush()
        return removed

    def removed(self, session: str) -> Removed | None:
        """What stays of a removed session."""
        with self._held.reading() as db:
            return sessions.tombstone(db, session)

    def ready(self) -> None:
        """Return when the store can take an append: it writes a little. Raises `StoreUnusable`."""
        with self._held.writing() as db:
            db.execute(
                "INSERT INTO checkpoints (session, action, version, tape) VALUES (0, 0, 0, zeroblob(?))",
                (PROBE,),
            )
            db.execute("DELETE FROM checkpoints WHERE session = 0")
