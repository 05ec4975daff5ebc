"""From a correction's command to what its slots shall hold: which action is meant, and whether it can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from eventlog.codec import codec_for
from eventlog.commands import read_command
from eventlog.corrections import (
    CORRECTION_EVENTS,
    Change,
    CorrectionEvent,
    Redo,
    Undo,
)
from eventlog.envelope import Envelope
from eventlog.history.errors import (
    AlreadyUndone,
    AmendInstead,
    CorrectedSince,
    DiceTaken,
    NothingToUndo,
    NotUndone,
)
from eventlog.history.reading import Past
from eventlog.history.slots import Step
from eventlog.history.standing import History, changes_of
from eventlog.history.touching import Proposal, left_to_the_gm
from rulesets.contract import Command, Rules
from rulesets.people import Viewer


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction shall do: proposals by slot, the slot the telling starts from, the history to order by.

    `correction` is the one that is taken back, `before` the slot something is put in before.
    """

    proposals: dict[int, Proposal]
    first: int
    history: History
    correction: int | None = None
    before: int | None = None


class Planner:
    """Turns corrections of one history into plans; `rules` are the session's, `None` where they are forgotten."""

    def __init__(self, past: Past, rules: Rules[Any] | None) -> None:
        self.past = past
        self._history = past.history
        self.rules = rules

    # --- undo -------------------------------------------------------------------------------------------------

    def undo(self, command: Undo, issuer: Viewer) -> Plan:
        """The last action is the last one in the story that whoever asks sees anything of.

        Raises `NothingToUndo`, `AlreadyUndone`, `AmendInstead`, `CorrectedSince`, `DiceTaken`, `NotAllowed`.
        """
        if command.target is None:
            last = self.past.last_filled(seen_by=issuer)
            if last is None:
                raise NothingToUndo("Nothing has happened yet that could be undone")
            return self._emptying([last])
        found = self.past.action(command.target)
        slot = self.slot_of(command.target, found)
        if slot is None:
            return self.take_back(command.target, found)
        self.filled(slot)
        if command.through:
            return self._emptying([content.slot for content in self.past.line(slot)])
        if slot != command.target and not self._history.is_inserted(slot):
            return self._without(slot, command.target, issuer)
        return self._emptying([slot])

    def slot_of(self, number: int, found: Sequence[Envelope]) -> int | None:
        """The slot an action belongs to; `None` for a correction. Raises `NothingToUndo` for what has neither."""
        if self._history.is_inserted(number):
            return number
        if found[0].slot is not None:
            return found[0].slot
        if self.corrections_in(found):
            return None
        raise NothingToUndo(
            f"Action {number} is not part of the story: the opening, notes, settings and requests are never undone",
            action=number,
        )

    def corrections_in(self, found: Sequence[Envelope]) -> list[CorrectionEvent]:
        """The events of an action that record a correction."""
        codec = codec_for(self.past.ruleset)
        events = (codec.event(each) for each in found if each.type.startswith("core.action-"))
        return [event for event in events if isinstance(event, CORRECTION_EVENTS)]

    def filled(self, slot: int) -> int:
        """The revision that stands. Raises `AlreadyUndone`."""
        revision = self._history.revision(slot)
        if revision is None:
            touched = self._history.of(slot)
            by = touched.changed_by[-1] if touched else 0
            raise AlreadyUndone(f"Action {slot} was undone before, by action {by}", action=slot, by=by)
        return revision

    def _emptying(self, slots: Sequence[int]) -> Plan:
        proposals = {slot: Proposal(content=None, outcome="undone") for slot in slots}
        return Plan(proposals=proposals, first=slots[0], history=self._history)

    def _without(self, slot: int, number: int, issuer: Viewer) -> Plan:
        """The slot without one of its steps; an answer takes later answers along, and only the last slot lets go."""
        content = self.past.content(slot, self.filled(slot))
        index = next((i for i, step in enumerate(content.steps) if step.action == number), None)
        if index is None:
            raise AlreadyUndone(f"Action {number} was undone before", action=number)
        rest = content.steps[:index]
        if self.is_answer(content.steps[index]):
            self._is_last(slot, number, issuer)
            rest += tuple(step for step in content.steps[index + 1 :] if not self.is_answer(step))
        else:
            rest += content.steps[index + 1 :]
        proposal = Proposal(
            content=msgspec.structs.replace(content, steps=rest),
            outcome="undone",
            dice_of=content,
            step=number,
        )
        return Plan(proposals={slot: proposal}, first=slot, history=self._history)

    def _is_last(self, slot: int, number: int, issuer: Viewer) -> None:
        """Refuse to open a question again that the story went on from, as far as whoever asks may know."""
        if self.past.last_filled() == slot:
            return
        if issuer.role != "gm" and self.past.last_filled(seen_by=issuer) == slot:
            raise left_to_the_gm(self.past.tape.settings.undo == "request")
        raise AmendInstead(
            f"Action {number} answered action {slot}, and the story went on since. Amend it with another "
            f"answer, or undo action {slot}",
            action=number,
            slot=slot,
        )

    def is_answer(self, step: Step) -> bool:
        """Whether a step answers a question; where the rules are forgotten, all that joined may."""
        return self.rules is None or isinstance(self.read(step.command), self.rules.answers)

    # --- redo -------------------------------------------------------------------------------------------------

    def redo(self, command: Redo) -> Plan:
        """Raises `NotUndone`, `NothingToUndo`, and what `take_back` raises."""
        found = self.past.action(command.target)
        slot = self.slot_of(command.target, found)
        if slot is None:
            return self.take_back(command.target, found)
        by = self._taken_out_by(slot, command.target)
        if by is None:
            raise NotUndone(
                f"Action {command.target} stands: there is nothing to redo", action=command.target
            )
        return self.take_back(by, self.past.action(by))

    def _taken_out_by(self, slot: int, number: int) -> int | None:
        """The correction that emptied a slot, or took an answer or book-keeping out of it; `None` where it stands."""
        touched = self._history.of(slot)
        if touched is None or self._holds(slot, touched.revision, number):
            return None
        for by in reversed(touched.changed_by):
            changes = changes_of(self.corrections_in(self.past.action(by)))
            before = next((change.before for change in changes if change.slot == slot), None)
            if self._holds(slot, before, number):
                return by
        return None

    def _holds(self, slot: int, revision: int | None, number: int) -> bool:
        """Whether a revision of a slot holds an action; any but an empty one holds what made the slot."""
        if revision is None or slot == number:
            return revision is not None
        return any(step.action == number for step in self.past.content(slot, revision).steps)

    def take_back(self, number: int, found: Sequence[Envelope]) -> Plan:
        """Undo a correction, whole. Raises `AlreadyUndone`, `CorrectedSince`, `DiceTaken`."""
        events = self.corrections_in(found)
        asked = {change.slot for event in events for change in event.targets}
        changes = changes_of(events)
        by = self._history.taken_back_by(number)
        if by is not None:
            raise AlreadyUndone(
                f"Correction {number} was taken back before, by action {by}: undo action {by} to have it again",
                action=number,
                by=by,
            )
        for change in changes:
            self._unchanged_since(number, change)
        proposals = {change.slot: self._restored(number, change, change.slot in asked) for change in changes}
        first = self._history.in_order(proposals)[0]
        return Plan(proposals=proposals, first=first, history=self._history, correction=number)

    def _unchanged_since(self, number: int, change: Change) -> None:
        touched = self._history.of(change.slot)
        if touched is not None and touched.revision != change.after:
            since = touched.changed_by[-1]
            raise CorrectedSince(
                f"Action {change.slot} was corrected again since, by action {since}: undo that first",
                action=change.slot,
                correction=number,
                since=since,
            )
        holder = None if change.before is None else self._history.dice_are_with(change.slot)
        if holder is not None and self._history.revision(change.slot) is None:
            raise DiceTaken(
                f"The dice of action {change.slot} fell again as action {holder}: undo that first",
                action=change.slot,
                by=holder,
            )

    def _restored(self, correction: int, change: Change, asked: bool) -> Proposal:  # noqa: FBT001 - read where it is passed
        """The slot as it was before a correction, with the book-keeping since. Answers since lose their place."""
        if change.before is None:
            return Proposal(content=None, outcome="redone", asked=asked, kept=True, step=change.step)
        content = self.past.content(change.slot, change.before)
        since = self.joined_since(correction, change.slot)
        answers = [step for step in since if self.is_answer(step)]
        besides = tuple(step for step in since if step not in answers)
        return Proposal(
            content=msgspec.structs.replace(content, steps=(*content.steps, *besides))
            if besides
            else content,
            outcome="redone",
            asked=asked,
            kept=not besides,
            step=change.step,
            drops=tuple(step.action for step in answers),
        )

    def joined_since(self, correction: int, slot: int) -> tuple[Step, ...]:
        """What came to a slot as it stands after a correction of it."""
        revision = self._history.revision(slot)
        steps = () if revision is None else self.past.content(slot, revision).steps
        return tuple(step for step in steps if step.action > correction)

    def read(self, raw: msgspec.Raw) -> Command:
        """A command. Raises `CommandMalformed`."""
        return read_command(self.past.tape.ruleset, self.past.tape.rules, bytes(raw))
