"""The long stretch of a log that corrections read last, kept in memory: who looks ahead corrects next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from eventlog.codec import core_type
from eventlog.core import TextRedacted
from eventlog.envelope import Envelope, Row
from eventlog.history.reading import as_taken
from eventlog.logs import Checkpoint, Head, Log

REDACTED = core_type(TextRedacted)

LONG = 64
"""Actions from which on a stretch is worth keeping."""

MOST_KEPT = 20_000
"""Events kept at most; a longer stretch is read each time."""


class RecentLog:
    """A log that remembers one long stretch of one session.

    It reads what came since, and all anew after words were removed, so that nobody writes them again. Words that
    are removed in another session may be shared by a fork: whoever removes any has it forget.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._session = ""
        self._first = 0
        self._events: list[Envelope] = []

    def forget(self) -> None:
        """Let go of what is kept."""
        self._session, self._events = "", []

    def actions(self, session: str, first: int, last: int) -> list[Envelope]:
        """The stored events of the actions numbered first to last, in order."""
        if last - first < LONG:
            return self._log.actions(session, first, last)
        if session != self._session or first < self._first or not self._brought_up_to(last):
            events = self._log.actions(session, first, last)
            self._keep(session, first, events)
            return events
        begin = bisect_left(self._events, first, key=_action)
        return self._events[begin : bisect_right(self._events, last, key=_action)]

    def taken(self, session: str, first: int, last: int) -> list[Envelope]:
        """The same without what corrections wrote anew for slots."""
        if last - first < LONG:
            return self._log.taken(session, first, last)
        return as_taken(self.actions(session, first, last))

    def _brought_up_to(self, last: int) -> bool:
        """Whether what is kept could be continued to that action."""
        known = self._events[-1].action
        since = self._log.actions(self._session, known + 1, last) if last > known else []
        if any(event.type == REDACTED for event in since) or len(self._events) + len(since) > MOST_KEPT:
            return False
        self._events += since
        return True

    def _keep(self, session: str, first: int, events: list[Envelope]) -> None:
        self.forget()
        if events and len(events) <= MOST_KEPT:
            self._session, self._first, self._events = session, first, list(events)

    # --- as it stands in the log ------------------------------------------------------------------------------

    def head(self, session: str) -> Head:
        """Where the session stands."""
        return self._log.head(session)

    def rows(self, session: str, after: int = 0, upto_action: int | None = None) -> Iterator[Row]:
        """The stored events after a version, in the short form that folding reads."""
        return self._log.rows(session, after, upto_action)

    def revised(self, session: str, slots: Sequence[int]) -> list[Envelope]:
        """The stored events of these slots that are not of their first revision."""
        return self._log.revised(session, slots)

    def since_checkpoint(self, session: str, action: int) -> tuple[Checkpoint | None, Iterator[Row]]:
        """The latest checkpoint at or before an action, and the events from there up to it."""
        return self._log.since_checkpoint(session, action)

    def checkpoint(self, session: str, action: int) -> Checkpoint | None:
        """The latest checkpoint at or before an action."""
        return self._log.checkpoint(session, action)

    def corrected_checkpoint(self, session: str, slot: int) -> Checkpoint | None:
        """The latest table kept of the history as it stands, at or before a slot."""
        return self._log.corrected_checkpoint(session, slot)


def _action(event: Envelope) -> int:
    return event.action
