"""What a log has to be so that it can be told from end to end: every action what its command is, and in its place.

What the rules of a game made of a command may differ from what they make of it here: verification says so then.
Where they are forgotten nothing of the game is decided again; what was asked for and where it stands still is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eventlog.beginning import next_place
from eventlog.codec import codec_for, core_type, is_core
from eventlog.commands import CORE_TYPES, command_type, read_command, rules_of
from eventlog.core import ActionTaken, RulingMade
from eventlog.corrections import ActionRevised
from eventlog.envelope import Envelope
from eventlog.errors import EventLogError
from eventlog.history.reading import Past
from eventlog.history.slots import NOTE
from eventlog.tape import Tape
from eventlog.verification.report import Found
from eventlog.verification.walking import Walk
from rulesets.errors import RulesNotDecided
from rulesets.people import GM, OBSERVER

RULING = core_type(RulingMade)


class Admitting(Walk):
    """A walk over a log that is about to be taken in."""

    def decides(self, tape: Tape[Any]) -> bool:
        """Each action is asked after, also where the rules of its game are forgotten."""
        del tape
        return True

    def again(self, before: Tape[Any], action: Sequence[Envelope]) -> bool:
        """Whether the action leads to what is stored; where the game alone differs, its shape has to do."""
        try:
            return Walk.again(self, before, action)
        except Found:
            if self.tape is None or not (
                self._is_in_shape(before, action) and self._is_told(self.tape, action)
            ):
                raise
        return False

    def _is_in_shape(self, before: Tape[Any], action: Sequence[Envelope]) -> bool:
        """Whether a deed of the game, or a correction whose rules are forgotten, can be told as it stands."""
        try:
            asked = codec_for(self.ruleset).event(action[0])
            if not isinstance(asked, ActionTaken):
                return False
            if command_type(asked.command) in CORE_TYPES:
                read_command(before.ruleset, before.rules, bytes(asked.command))
                return _forgotten(before) and self.tape is not None and self._corrects(self.tape, action)
            for each in () if _forgotten(before) else (asked.command, *asked.answers):
                read_command(before.ruleset, before.rules, bytes(each))
        except (EventLogError, LookupError, ValueError):
            return False
        place = next_place(before)
        return all(
            (each.slot, each.revision) == place and (index == 0 or _is_of_the_game(each))
            for index, each in enumerate(action)
        )

    def _is_told(self, after: Tape[Any], action: Sequence[Envelope]) -> bool:
        """Whether the game has words for what it did not decide like this, and a table to show after it."""
        record, codec = self.ruleset.record, codec_for(self.ruleset)
        events = [codec.event(each) for each in action if not is_core(each.type)]
        try:
            record.questions(after.state)
            record.moment(after.state)
            record.describe(after.state, events)
            for event in events:
                record.describe(after.state, [event])
                list(record.tally(after.state, event))
            for viewer in (GM, OBSERVER):
                record.view(after.state, viewer)
        except Exception:  # noqa: BLE001 - what a game stumbles over is its own affair, and nothing to take in
            return False
        return True

    def _corrects(self, after: Tape[Any], action: Sequence[Envelope]) -> bool:
        """Whether what a correction says that stands from now on is there, each in its place."""
        place: tuple[int | None, int] = (None, 1)
        for each in action:
            event = codec_for(self.ruleset).event(each)
            if isinstance(event, ActionRevised):
                _ = event.by.signer, *map(command_type, (event.command, *event.answers))
                place = each.slot, each.revision
            if (each.slot, each.revision) != place:
                return False
        past, history = Past(self.log, after), after.history
        if any(number > after.action for each in history.inserted for number in (each.slot, each.anchor)):
            return False
        changed = [each for each in history.touched if each.changed_by[-1] == after.action]
        filled = [each for each in changed if each.revision is not None]
        return bool(changed) and all(past.content(each.slot, each.revision or 1).steps for each in filled)


def _forgotten(tape: Tape[Any]) -> bool:
    try:
        rules_of(tape.ruleset, tape.rules)
    except RulesNotDecided:
        return True
    return False


def _is_of_the_game(event: Envelope) -> bool:
    """Whether an event may follow what was asked of the game: its own, a ruling, or words sent along."""
    return not is_core(event.type) or event.type in (NOTE, RULING)
