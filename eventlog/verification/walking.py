"""The walk over a log, action by action: folded, compared with its checkpoints, decided again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from eventlog.commands import rules_of
from eventlog.core import TextRedacted
from eventlog.envelope import Envelope, row_of
from eventlog.errors import EventLogError, HistoryDoesNotFold, SequenceBroken, UnknownEventType
from eventlog.frames import HiddenFrame
from eventlog.history.points import rewound
from eventlog.history.reading import Log
from eventlog.tape import Tape, fold, unwrap
from eventlog.verification.chained import Link
from eventlog.verification.decided_again import decide_again
from eventlog.verification.forks import FORKED, REDACTED, Forks, removed_there
from eventlog.verification.report import Checked, Found
from eventlog.verification.thrown import CLOSED, Dice
from rulesets.contract import Ruleset
from rulesets.errors import RulesNotDecided

WRONG: dict[type[Exception], str] = {
    UnknownEventType: "is of a kind unknown here: a newer version wrote it, or another game",
    HistoryDoesNotFold: "does not fit the table before it",
    SequenceBroken: "is not in its place",
}
"""What is wrong with an event that cannot be folded, in words that say nothing of what it says."""


@dataclass(slots=True)
class Walk:
    """How far the check of a log has come.

    Without a `ruleset` nothing is folded. `checkpoints` are the cached tapes by action, compared on the way.
    `removed_in` looks up the session whose log says that a fork's shared words were removed.
    """

    session: str
    ruleset: Ruleset[Any] | None
    log: Log
    redecide: bool
    dice: Dice
    forks: Forks
    removed_in: Callable[[int], str | None]
    checkpoints: dict[int, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    tape: Tape[Any] | None = None
    events: int = 0
    closed: bool = False
    actions: int = 0
    redecided: int = 0
    removed: list[Envelope] = field(default_factory=list)
    recorded: set[int] = field(default_factory=set)

    def see(self, action: Sequence[Link]) -> None:
        """Check the events of one action. Raises `Found`."""
        self.events += len(action)
        shown = [event for event in action if not isinstance(event, HiddenFrame)]
        for event in shown:
            if self.closed and event.type != FORKED:
                message = f"Event {event.seq} came after the session was closed"
                raise Found(event.seq, event.action, "action", message)
            self.dice.see(event)
            self.forks.see(event)
            self._note_removal(event)
            self.closed = event.type == CLOSED
        if self.ruleset is not None and shown:
            before, self.tape = self.tape, self._folded(self.ruleset, shown)
            self._decide(before, shown)
            self._compare(self.ruleset, self.tape)

    def finish(self) -> None:
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

    def checked(self) -> Checked:
        """What was looked at until now."""
        return Checked(
            events=self.events,
            actions=self.actions,
            dice=self.dice.compared,
            redecided=self.redecided,
            redacted=tuple(event.seq for event in self.removed),
        )

    def _note_removal(self, event: Envelope) -> None:
        if event.data is None:
            self.removed.append(event)
        elif event.type == REDACTED:
            self.recorded.add(msgspec.json.decode(event.data, type=TextRedacted).seq)

    def _folded(self, ruleset: Ruleset[Any], action: Sequence[Envelope]) -> Tape[Any]:
        first = action[0]
        try:
            rows, log = map(row_of, action), self.log
            tape = fold(ruleset, self.session, rows, self.tape, lambda corrected: rewound(log, corrected))
        except (EventLogError, msgspec.MsgspecError, ValueError) as error:
            seq = error.fields.get("seq", first.seq) if isinstance(error, EventLogError) else first.seq
            message = f"Event {seq} {WRONG.get(type(error), 'cannot be read')}"
            raise Found(seq, first.action, "data", message) from error
        self.actions += 1
        return tape

    def _decide(self, before: Tape[Any] | None, action: Sequence[Envelope]) -> None:
        if not self.redecide or before is None:
            return
        try:
            rules_of(before.ruleset, before.rules)
        except RulesNotDecided as error:
            self.redecide = False
            self.notes.append(f"Decisions were not checked: {error}")
            return
        self.redecided += decide_again(before, action, self.log)

    def _compare(self, ruleset: Ruleset[Any], tape: Tape[Any]) -> None:
        kept = self.checkpoints.pop(tape.action, None)
        if kept is None:
            return
        try:
            cached = unwrap(ruleset, self.session, kept)
            wrong = cached is not None and cached != tape
        except (msgspec.MsgspecError, ValueError):
            wrong = True
        if wrong:
            raise Found(
                tape.version,
                tape.action,
                "checkpoint",
                f"The cached table after action {tape.action} is not what its events lead to; "
                "the events themselves are whole",
            )
