"""The walk over a log, action by action: decided again, folded, compared with its checkpoints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from eventlog.codec import core_type
from eventlog.commands import rules_of
from eventlog.corrections import CORRECTION_EVENTS
from eventlog.envelope import Envelope, row_of
from eventlog.errors import (
    EventLogError,
    EventUnreadable,
    SequenceBroken,
    UnknownEventType,
)
from eventlog.history.points import rewound
from eventlog.logs import Log
from eventlog.tape import Tape, fold, unwrap, wrap
from eventlog.verification.byte_for_byte import told_again
from eventlog.verification.decided_again import decide_again
from eventlog.verification.report import NOT_THE_LOG, Fault, Found
from rulesets.contract import Ruleset
from rulesets.errors import RulesNotDecided

WRONG: dict[type[Exception], str] = {
    UnknownEventType: "is of a kind unknown here: a newer version wrote it, or another game",
    EventUnreadable: "cannot be read",
    SequenceBroken: "is not in its place",
}
"""What is wrong with an event that cannot be folded, in words that say nothing of what it says."""


CORRECTIONS = frozenset(core_type(event) for event in CORRECTION_EVENTS)


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """What a walk over some actions found: how many were folded and decided again, the first fault, what to note.

    `undecided` = the rules of the log cannot be decided here.
    """

    actions: int = 0
    redecided: int = 0
    fault: Fault | None = None
    notes: tuple[str, ...] = ()
    undecided: bool = False


@dataclass(slots=True)
class Walk:
    """How far a walk has come: `tape` is the one after the last action it saw, `checkpoints` are those on its way."""

    session: str
    ruleset: Ruleset[Any]
    log: Log
    redecide: bool
    checkpoints: Mapping[int, bytes] = field(default_factory=dict)
    tape: Tape[Any] | None = None
    actions: int = 0
    redecided: int = 0
    notes: list[str] = field(default_factory=list)
    undecided: bool = False
    _known: bool = False

    def over(self, actions: Iterable[Sequence[Envelope]]) -> Walked:
        """Walk over these actions, as far as the first fault."""
        fault = None
        try:
            for action in actions:
                self._see(action)
        except Found as found:
            fault = found.fault
        return Walked(
            actions=self.actions,
            redecided=self.redecided,
            fault=fault,
            notes=tuple(self.notes),
            undecided=self.undecided,
        )

    def _see(self, action: Sequence[Envelope]) -> None:
        before = self.tape
        if before is None and len(action) > 1:
            raise Found(
                action[1].seq,
                action[0].action,
                "action",
                "More than the opening stands before the first action",
            )
        decides = before is not None and self.decides(before)
        told = told_again(before, action) if before is not None and decides else None
        self.tape = told or self._folded(action, decides=decides)
        if told is not None:
            self.redecided += 1
        elif before is not None and decides:
            self.redecided += self.again(before, action)
        elif before is None:
            self.decides(self.tape)
        self.actions += 1
        self._compare(self.tape)

    def again(self, before: Tape[Any], action: Sequence[Envelope]) -> bool:
        """Whether the action was a command and leads, decided again, to what is stored. Raises `Found` where not."""
        return decide_again(before, action, self.log)

    def _folded(self, action: Sequence[Envelope], *, decides: bool) -> Tape[Any]:
        try:
            rows, log = map(row_of, action), self.log
            return fold(
                self.ruleset, self.session, rows, self.tape, lambda corrected: rewound(log, corrected)
            )
        except NOT_THE_LOG:
            raise
        except Exception as error:
            corrects = next((each for each in action if each.type in CORRECTIONS), None)
            if self.tape is not None and corrects is not None and decides:
                decide_again(self.tape, action, self.log)  # which says more exactly where it goes otherwise
            raise _unfit(action, corrects, error) from error

    def decides(self, tape: Tape[Any]) -> bool:
        """Whether actions are decided again: not where the rules of the game are forgotten, and that is noted."""
        if self._known or not self.redecide:
            return self.redecide
        self._known = True
        try:
            rules_of(tape.ruleset, tape.rules)
        except RulesNotDecided as error:
            if error.number < 1:
                message = f"Event 1 names rules number {error.number}, and rules are numbered from 1"
                raise Found(1, 0, "data.rules", message) from error
            self.redecide, self.undecided = False, True
            self.notes.append(f"Decisions were not checked: {error}")
        return self.redecide

    def _compare(self, tape: Tape[Any]) -> None:
        kept = self.checkpoints.get(tape.action)
        if kept is None or kept == wrap(tape):
            return
        try:
            cached = unwrap(self.ruleset, self.session, kept)
            wrong = cached is not None and cached != tape
        except (msgspec.MsgspecError, ValueError):
            wrong = True
        if wrong:
            raise Found(
                tape.version,
                tape.action,
                "checkpoint",
                f"The cached table after action {tape.action} is not what its events lead to: the cache was changed, "
                "or events up to there were, hashes and all",
            )


def _unfit(action: Sequence[Envelope], corrects: Envelope | None, error: Exception) -> Found:
    """The fault of an action that cannot be folded: a history told anew that does not fit is its correction's."""
    named = error.fields.get("seq") if isinstance(error, EventLogError) else None
    event = next((each for each in action if each.seq == named), corrects or action[0])
    how = WRONG.get(type(error), "does not fit the table before it")
    return Found(event.seq, event.action, "data", f"Event {event.seq} {how}")
