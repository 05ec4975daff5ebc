"""The logs of a file, to be read: also by a process beside the one that writes it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Self

from eventlog.canonical import encode
from eventlog.envelope import Envelope, Row
from eventlog.errors import SessionUnknown
from eventlog.logs import Checkpoint, Head
from eventlog.sqlite import connections, heads, reads
from eventlog.sqlite.lineage import Lineage, lineage_of


class SqliteLogs:
    """All that can be read of the logs in a SQLite file."""

    def __init__(self, held: connections.Connections) -> None:
        self._held = held
        self._names = reads.TypeNames()

    @classmethod
    def looking_on(cls, path: Path) -> Self:
        """Read a file that another process holds open."""
        return cls(connections.to_look_on(path))

    @property
    def path(self) -> str:
        """The file, or `:memory:`."""
        return self._held.path

    def head(self, session: str) -> Head:
        """Where the session stands."""
        with self._held.reading() as db:
            return heads.head_of(db, session)

    def forks(self, session: str) -> list[Head]:
        """The sessions that were forked from this one, oldest first."""
        with self._held.reading() as db:
            return heads.forks_of(db, session)

    def seed(self, session: str) -> bytes:
        """The secret seed of the session's dice."""
        with self._held.reading() as db:
            return heads.seed_of(db, session)

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

    def walking_process(self) -> Sequence[str] | None:
        """How to start a process that reads the file too; a database in memory is known to this one alone."""
        if self.path == ":memory:":
            return None
        return (sys.executable, "-m", "eventlog.sqlite.walker", self.path)

    def close(self) -> None:
        """Let go of files and connections."""
        self._held.close()
