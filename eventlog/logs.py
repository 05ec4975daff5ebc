"""What can be read of logs: where each stands, its events, its checkpoints; from a store, or from a copy of a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from eventlog.core import ForkKind
from eventlog.envelope import Envelope, Row

EVENTS_AT_ONCE = 512
"""How many events a page of a log has: enough to be read at speed, few enough to be held."""


class Parent(msgspec.Struct, frozen=True, kw_only=True):
    """The session another one begins as: its events up to `version`, the end of action `at`, are the first of both.

    They are stored once, and `held_by` is the session whose log holds them here: the parent as a rule, or one that
    was taken in with the parent's events. A log that was itself taken in holds its own (`None`).
    """

    session: str
    at: int
    version: int
    kind: ForkKind
    held_by: str | None


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session stands, without reading its log.

    `log` is the id of the log's first session, at which the chain begins; `parent` the one it was forked from.
    """

    session: str
    log: str
    ruleset: str
    rules: int
    title: str
    version: int
    action: int
    hash: bytes
    opened_at: str
    changed_at: str
    closed_at: str | None = None
    parent: Parent | None = None


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The encoded tape after an action, so that nothing before it need be folded."""

    action: int
    version: int
    tape: bytes


class Log(Protocol):
    """What reading a history needs of a store, or of a log held in memory."""

    def head(self, session: str) -> Head:
        """Where the session stands."""
        ...

    def rows(self, session: str, after: int = 0, upto_action: int | None = None) -> Iterator[Row]:
        """The stored events after a version, in order, in the short form that folding reads."""
        ...

    def actions(self, session: str, first: int, last: int) -> list[Envelope]:
        """The stored events of the actions numbered first to last, in order."""
        ...

    def taken(self, session: str, first: int, last: int) -> list[Envelope]:
        """The stored events of the actions numbered first to last, without what corrections wrote anew for slots.

        What joined a slot later is there, also where a correction had written that slot anew before.
        """
        ...

    def revised(self, session: str, slots: Sequence[int]) -> list[Envelope]:
        """The stored events of these slots that are not of their first revision, in order."""
        ...

    def since_checkpoint(self, session: str, action: int) -> tuple[Checkpoint | None, Iterator[Row]]:
        """The latest checkpoint at or before an action, and the events from there up to it, in short form."""
        ...

    def checkpoint(self, session: str, action: int) -> Checkpoint | None:
        """The latest checkpoint at or before an action."""
        ...

    def corrected_checkpoint(self, session: str, slot: int) -> Checkpoint | None:
        """The latest table kept of the history as it stands, at or before a slot."""
        ...


class Logs(Log, Protocol):
    """All that can be read of stored logs. Every method may be called from any thread. Unknown sessions raise `SessionUnknown`.

    The log of a fork is read as one from its first event on, under its own id; what it shares with its parents
    is stored once, and ends where it was forked, whatever they did since.
    """

    def forks(self, session: str) -> list[Head]:
        """The sessions that were forked from this one, oldest first."""
        ...

    def seed(self, session: str) -> bytes:
        """The secret seed of the session's dice; empty where it was lost."""
        ...

    def envelopes(self, session: str, after: int = 0, limit: int | None = None) -> list[Envelope]:
        """The stored events with `seq` above `after`, in order."""
        ...

    def notes_about(self, session: str, first: int, last: int) -> list[Envelope]:
        """The notes without a place in the story that speak of the actions numbered first to last, in order.

        What they speak of is the `about` of their data. Removed words no longer say.
        """
        ...

    def checkpoints(self, session: str, first: int, last: int) -> list[Checkpoint]:
        """Every checkpoint of the actions numbered first to last, in order."""
        ...

    def corrected_checkpoints(self, session: str) -> list[Checkpoint]:
        """Every table kept of the history as it stands, in order of their slots."""
        ...

    def walking_process(self) -> Sequence[str] | None:
        """How to start a process that walks stretches of these logs beside this one; `None` where none can.

        It reads an `eventlog.verification.stretches.Stretch` a line and writes a `Walked` a line, both as JSON.
        """
        ...


def pages(logs: Logs, session: str, upto: int) -> Iterator[list[Envelope]]:
    """The stored events up to a version, a page at a time, so that a long log is never held whole."""
    after = 0
    while after < upto and (page := logs.envelopes(session, after, min(EVENTS_AT_ONCE, upto - after))):
        yield page
        after = page[-1].seq
