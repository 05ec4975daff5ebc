"""Logs to read a history from that are not a live store: a copy held in memory, a store as it once was."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from eventlog.core import SessionOpened
from eventlog.envelope import Envelope, Row, row_of
from eventlog.errors import SessionUnknown
from eventlog.history.reading import as_taken
from eventlog.logs import Checkpoint, Head, Log


class CopiedLog:
    """A whole log in memory, such as an exported one; it has no checkpoints."""

    def __init__(self, session: str, events: Sequence[Envelope]) -> None:
        self._session = session
        self._events = events
        self._actions = [event.action for event in events]
        self._revised: dict[int, list[Envelope]] = defaultdict(list)
        for event in events:
            if event.slot is not None and event.revision > 1:
                self._revised[event.slot].append(event)

    def head(self, session: str) -> Head:
        """Where the copy ends. Raises `SessionUnknown` for an empty one."""
        if not self._events:
            raise SessionUnknown(f"There is no event of session {session}", session=session)
        first, last = self._events[0], self._events[-1]
        opened = msgspec.json.decode(first.data or b"", type=SessionOpened)
        return Head(
            session=session,
            log=session,
            ruleset=opened.ruleset,
            rules=opened.rules,
            title=opened.title,
            version=last.seq,
            action=last.action,
            hash=last.hash,
            opened_at=first.at,
            changed_at=last.at,
        )

    def rows(self, session: str, after: int = 0, upto_action: int | None = None) -> Iterator[Row]:
        """The events after a version, up to an action, in the short form that folding reads."""
        del session
        end = len(self._events) if upto_action is None else bisect_right(self._actions, upto_action)
        return map(row_of, self._events[after:end])

    def actions(self, session: str, first: int, last: int) -> list[Envelope]:
        """The events of the actions numbered first to last."""
        del session
        return list(self._events[bisect_right(self._actions, first - 1) : bisect_right(self._actions, last)])

    def taken(self, session: str, first: int, last: int) -> list[Envelope]:
        """The same without what corrections wrote anew for slots."""
        return as_taken(self.actions(session, first, last))

    def revised(self, session: str, slots: Sequence[int]) -> list[Envelope]:
        """The events of these slots that are not of their first revision, in order."""
        del session
        found = (event for slot in set(slots) for event in self._revised.get(slot, ()))
        return sorted(found, key=lambda event: event.seq)

    def since_checkpoint(self, session: str, action: int) -> tuple[Checkpoint | None, Iterator[Row]]:
        """No checkpoint, and everything up to an action."""
        return None, self.rows(session, 0, action)

    def checkpoint(self, session: str, action: int) -> Checkpoint | None:
        """None: a copy is folded from its beginning."""
        del session, action
        return None

    def corrected_checkpoint(self, session: str, slot: int) -> Checkpoint | None:
        """None, as above."""
        del session, slot
        return None


class AsLogged:
    """A store without the tables kept of its corrected history: those are of today, and this reads the past."""

    def __init__(self, store: Log) -> None:
        self.head = store.head
        self.rows = store.rows
        self.actions = store.actions
        self.taken = store.taken
        self.revised = store.revised
        self.checkpoint = store.checkpoint
        self.since_checkpoint = store.since_checkpoint

    def corrected_checkpoint(self, session: str, slot: int) -> Checkpoint | None:
        """None, so that the history is told from its log."""
        del session, slot
        return None
