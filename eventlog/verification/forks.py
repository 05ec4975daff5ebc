"""Forks: a log that goes on as another session says so where it does, and which words were removed elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from eventlog.codec import core_type
from eventlog.core import SessionForked, TextRedacted
from eventlog.envelope import Envelope
from eventlog.logs import Head, Logs, pages
from eventlog.verification.report import Found

FORKED, REDACTED = core_type(SessionForked), core_type(TextRedacted)

_forked = msgspec.json.Decoder(SessionForked).decode
_redacted = msgspec.json.Decoder(TextRedacted).decode


def log_of(session: str, events: Iterable[object]) -> str:
    """The id of a log's first session, as its events tell, where they can be read."""
    return next((fork.parent for fork in forks_in(events)), session)


def forks_in(events: Iterable[object]) -> Iterator[SessionForked]:
    """Where a log goes on as another session; what cannot be read is passed over, and is found by `fork_in`."""
    for event in events:
        if isinstance(event, Envelope):
            with suppress(Found):
                if (fork := fork_in(event)) is not None:
                    yield fork


def fork_in(event: Envelope) -> SessionForked | None:
    """The fork an event records, if it does. Raises `Found` where it cannot be read."""
    if event.type != FORKED or event.data is None:
        return None
    try:
        return _forked(event.data)
    except (msgspec.MsgspecError, ValueError) as error:
        raise Found(event.seq, event.action, "data", f"Event {event.seq} cannot be read") from error


@dataclass(slots=True)
class Forks:
    """The sessions a log was, as its events pass: first `log`, at the end `session`."""

    session: str
    log: str
    passed: list[SessionForked] = field(default_factory=list)

    def see(self, event: Envelope) -> None:
        """Check what this event says of a fork against what stands before it. Raises `Found`."""
        fork = fork_in(event)
        if fork is None:
            return
        before = {"parent": self._now, "version": event.seq - 1, "at": event.action - 1}
        for name, value in before.items():
            if getattr(fork, name) != value:
                message = f"The fork of event {event.seq} does not go on from what stands before it"
                raise Found(event.seq, event.action, f"data.{name}", message)
        self.passed.append(fork)

    def finish(self) -> None:
        """Raise `Found` where the log ends as another session than it is said to be."""
        if self._now != self.session:
            seq = self.passed[-1].version + 1 if self.passed else 1
            message = f"The log is of session {self._now}, and not of {self.session}"
            raise Found(seq, None, "session", message)

    def owner(self, seq: int) -> str | None:
        """The session an event belongs to, where that is not the log's last."""
        return next((fork.parent for fork in self.passed if seq <= fork.version), None)

    @property
    def _now(self) -> str:
        return self.passed[-1].session if self.passed else self.log


REMOVED_THERE = "Words of events that belong to the session "


def removed_there(session: str) -> str:
    """What is said of words that were removed in the session they belong to."""
    return f"{REMOVED_THERE}{session} were removed there; that stands in its log, and not in this one"


def removed_in(logs: Logs, session: str, seq: int) -> str | None:
    """The session whose log says that the words of a shared event were removed; `None` where none does.

    A log that was taken in whole names the session it came from: what that one recorded since is not here.
    """
    head = logs.head(session)
    while (parent := head.parent) is not None and parent.held_by and seq <= parent.version:
        head = logs.head(parent.held_by)
        if seq in _removals(logs, head):
            return head.session
    return head.parent.session if head.parent is not None and seq <= head.parent.version else None


def _removals(logs: Logs, head: Head) -> set[int]:
    removed = set[int]()
    for events in pages(logs, head.session, head.version):
        for event in events:
            if event.type == REDACTED and event.data:
                with suppress(msgspec.MsgspecError, ValueError):  # as above, in the log it belongs to
                    removed.add(_redacted(event.data).seq)
    return removed
