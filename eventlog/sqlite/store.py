"""The SQLite store: the promises of `Store`, kept in one file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Self

from eventlog.canonical import encode
from eventlog.envelope import Envelope, Row
from eventlog.errors import SessionUnknown
from eventlog.sqlite import append, connections, reads, sessions, tokens
from eventlog.sqlite.hooks import SqliteHooks
from eventlog.sqlite.lineage import Lineage, lineage_of
from eventlog.store import Append, Checkpoint, Head, Outcome, Page, Removed, Replayed, Token

PROBE = 16 * 1024
"""Bytes written and taken away again to see that the disk still takes some."""


class SqliteStore:
    """Keeps logs in a SQLite file. One process writes it; others may look."""

    def __init__(self, held: connections.Connections) -> None:
        self._held = held
        self._numbers = append.TypeNumbers()
        self._names = reads.TypeNames()
        self.hooks = SqliteHooks(held)

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False) -> Self:
        """Open a database file, made if there is none; `:memory:` is gone when closed.

        `read_only` looks at a file beside the server that writes it. Raises `DatabaseInUse`, `DatabaseNewer`
        or `StoreUnusable`.
        """
        if str(path) == ":memory:":
            return cls(connections.in_memory())
        place = Path(path).resolve()
        return cls(connections.to_read(place) if read_only else connections.to_write(place))

    @classmethod
    def beside(cls, path: Path) -> Self:
        """Open a file to write it for the process that holds its lock."""
        return cls(connections.to_write_beside(path))

    @property
    def path(self) -> str:
        """The file, or `:memory:`."""
        return self._held.path

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

    def head(self, session: str) -> Head:
        """Where the session stands."""
        with self._held.reading() as db:
            return sessions.head_of(db, session)

    def sessions(self, *, search: str = "", after: str | None = None, limit: int = 50) -> Page:
        """Sessions newest first, those whose title or id contains the search words, a page at a time."""
        with self._held.reading() as db:
            return sessions.page_of(db, search, after, limit)

    def forks(self, session: str) -> list[Head]:
        """The sessions that were forked from this one, oldest first."""
        with self._held.reading() as db:
            return sessions.forks_of(db, session)

    def seed(self, session: str) -> bytes:
        """The secret seed of the session's dice."""
        with self._held.reading() as db:
            return sessions.seed_of(db, session)

    def rows(self, session: str, after: int = 0, upto_action: int | None = None) -> Iterator[Row]:
        """The stored events after a version, in order, in the short form that folding reads.

        What is appended after the call is not among them.
        """
        with self._held.reading() as db:
            lineage = lineage_of(db, session)
            last = lineage[-1].version
            if upto_action is not None:
                last = reads.last_of_action(db, lineage, upto_action)
        return self._rows(session, lineage, after, last)

    def _rows(self, session: str, lineage: Lineage, after: int, last: int) -> Iterator[Row]:
        while after < last:
            with self._held.reading() as db:
                page = reads.row_page(reads.File(db, self._names), lineage, after, last)
            if not page:
                raise SessionUnknown(f"Session {session} was removed meanwhile", session=session)
            yield from page
            after = page[-1].seq

    def envelopes(self, session: str, after: int = 0, limit: int | None = None) -> list[Envelope]:
        """The stored events with `seq` above `after`, in order."""
        with self._held.reading() as db:
            return reads.after_seq(
                reads.File(db, self._names), session, lineage_of(db, session), after, limit
            )

    def actions(self, session: str, first: int, last: int) -> list[Envelope]:
        """The stored events of the actions numbered first to last, in order."""
        with self._held.reading() as db:
            return reads.of_actions(
                reads.File(db, self._names), session, lineage_of(db, session), first, last
            )

    def taken(self, session: str, first: int, last: int) -> list[Envelope]:
        """The same without what corrections wrote anew for slots."""
        with self._held.reading() as db:
            return reads.of_actions(
                reads.File(db, self._names), session, lineage_of(db, session), first, last, reads.TAKEN
            )

    def revised(self, session: str, slots: Sequence[int]) -> list[Envelope]:
        """The stored events of these slots that are not of their first revision, in order."""
        with self._held.reading() as db:
            wanted = encode(list(slots)).decode()
            return reads.throughout(
                reads.File(db, self._names), reads.REVISED, session, lineage_of(db, session), wanted
            )

    def notes_about(self, session: str, first: int, last: int) -> list[Envelope]:
        """The notes without a place in the story that speak of the actions numbered first to last, in order."""
        with self._held.reading() as db:
            return reads.throughout(
                reads.File(db, self._names), reads.NOTES_ABOUT, session, lineage_of(db, session), first, last
            )

    def stream(self, after: int = 0, limit: int = 1000) -> list[Envelope]:
        """The events of all sessions with `position` above `after`, in commit order; shared ones once, as the parent's."""
        with self._held.reading() as db:
            return reads.envelopes(reads.File(db, self._names), reads.AFTER_POSITION, (after, limit))

    def last(self) -> Envelope | None:
        """The event of all sessions with the highest `position`; `None` while there is none."""
        with self._held.reading() as db:
            found = reads.envelopes(reads.File(db, self._names), reads.LAST, ())
        return found[0] if found else None

    def since_checkpoint(self, session: str, action: int) -> tuple[Checkpoint | None, Iterator[Row]]:
        """The latest checkpoint at or before an action, and the events from there up to it, in short form."""
        with self._held.reading() as db:
            lineage = lineage_of(db, session)
            kept = reads.latest_checkpoint(db, lineage, action)
            last = reads.last_of_action(db, lineage, action)
            page = reads.row_page(reads.File(db, self._names), lineage, kept.version if kept else 0, last)
        if page and page[-1].seq < last:
            return kept, chain(page, self._rows(session, lineage, page[-1].seq, last))
        return kept, iter(page)

    def checkpoint(self, session: str, action: int) -> Checkpoint | None:
        """The latest checkpoint at or before an action."""
        with self._held.reading() as db:
            return reads.latest_checkpoint(db, lineage_of(db, session), action)

    def checkpoints(self, session: str, first: int, last: int) -> list[Checkpoint]:
        """Every checkpoint of the actions numbered first to last, in order."""
        with self._held.reading() as db:
            return reads.checkpoints_of(db, lineage_of(db, session), first, last)

    def corrected_checkpoints(self, session: str) -> list[Checkpoint]:
        """Every table kept of the history as it stands, in order of their slots."""
        with self._held.reading() as db:
            return reads.corrected_of(db, lineage_of(db, session))

    def corrected_checkpoint(self, session: str, slot: int) -> Checkpoint | None:
        """The latest table kept of the history as it stands, at or before a slot."""
        with self._held.reading() as db:
            return reads.latest_corrected(db, lineage_of(db, session), slot)

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

    def walking_process(self) -> Sequence[str] | None:
        """How to start a process that reads the file too; a database in memory is known to this one alone."""
        if self.path == ":memory:":
            return None
        return (sys.executable, "-m", "eventlog.sqlite.walker", self.path)

    def ready(self) -> None:
        """Return when the store can take an append: it writes a little. Raises `StoreUnusable`."""
        with self._held.writing() as db:
            db.execute(
                "INSERT INTO checkpoints (session, action, version, tape) VALUES (0, 0, 0, zeroblob(?))",
                (PROBE,),
            )
            db.execute("DELETE FROM checkpoints WHERE session = 0")

    def close(self) -> None:
        """Let go of files and connections."""
        self._held.close()
