"""The log as it was recorded: chain, order, dice, forks and removed words, event by event and without the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from eventlog.core import TextRedacted
from eventlog.core_rules import REDACTABLE
from eventlog.envelope import Envelope
from eventlog.frames import HiddenFrame
from eventlog.verification.chained import End, Link, chained
from eventlog.verification.forks import FORKED, REDACTED, Forks, removed_there
from eventlog.verification.in_actions import InActions
from eventlog.verification.report import NOT_THE_LOG, Fault, Found
from eventlog.verification.thrown import CLOSED, Dice

TURNS = frozenset({FORKED, CLOSED})
"""Where a log ends, and where it goes on as another session."""

_redacted = msgspec.json.Decoder(TextRedacted).decode


def _removal_in(event: Envelope, data: bytes) -> int:
    try:
        return _redacted(data).seq
    except (msgspec.MsgspecError, ValueError) as error:
        message = f"What event {event.seq} says of removed words cannot be read"
        raise Found(event.seq, event.action, "data", message) from error


@dataclass(slots=True)
class AsRecorded:
    """How far this check of a log has come.

    `removed_in` looks up the session whose log says that a fork's shared words were removed. `whole` is the
    last action of which every event was found in its place.
    """

    session: str
    dice: Dice
    forks: Forks
    actions: InActions
    removed_in: Callable[[int], str | None]
    notes: list[str] = field(default_factory=list)
    events: int = 0
    whole: int = -1
    closed: bool = False
    removed: list[Envelope] = field(default_factory=list)
    recorded: set[int] = field(default_factory=set)
    _action: int = -1

    def fault(self, events: Iterable[Link], end: End | None) -> Fault | None:
        """The first fault of the log; `None` where it is as it was recorded, up to its `end`."""
        try:
            for event in chained(self.session, self.forks.log, events, end):
                if not isinstance(event, HiddenFrame):
                    self._read(event)
                self.events += 1
            self.whole = self._action
            self._finish()
        except Found as found:
            return found.fault
        return None

    def _read(self, event: Envelope) -> None:
        try:
            self._see(event)
        except (Found, *NOT_THE_LOG):
            raise
        except Exception as error:
            raise Found(event.seq, event.action, "data", f"Event {event.seq} cannot be read") from error

    def _see(self, event: Envelope) -> None:
        begins = event.action != self._action
        if begins:
            self.whole, self._action = self._action, event.action
        if self.closed and event.type != FORKED:
            message = f"Event {event.seq} came after the session was closed"
            raise Found(event.seq, event.action, "action", message)
        self.dice.see(event)
        if event.type in TURNS:
            self.closed = event.type == CLOSED
            self.forks.see(event)
        if event.data is None:
            if event.type not in REDACTABLE:
                message = f"Event {event.seq} lost its data, and only words are ever removed"
                raise Found(event.seq, event.action, "data", message)
            self.removed.append(event)
        elif event.type == REDACTED:
            self.recorded.add(_removal_in(event, event.data))
        self.actions.see(event, begins=begins)

    def _finish(self) -> None:
        """The checks that need the whole log. Raises `Found`."""
        self.dice.finish()
        self.forks.finish()
        for event in self.removed:
            if self.dice.whole and event.seq not in self.recorded:
                self._removed_elsewhere(event)

    def _removed_elsewhere(self, event: Envelope) -> None:
        """Say where shared words were removed. Raises `Found` where nobody removed them."""
        where = self.removed_in(event.seq)
        if where is None:
            raise Found(
                event.seq, event.action, "data", f"Event {event.seq} lost its data, and nobody removed it"
            )
        note = removed_there(where)
        if note not in self.notes:
            self.notes.append(note)
