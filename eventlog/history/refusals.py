"""What a correction is refused for when it is asked for. One that stands in a log stays what it was when it was taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from eventlog.commands import tag_of
from eventlog.core import ThrowDice
from eventlog.corrections import UNCHANGED, Amend, CorrectionCommand, Insert, Otherwise
from eventlog.errors import CommandMalformed, NotAnAnswer
from eventlog.history.errors import NothingToAmend
from eventlog.history.proposing import Plan, Planner
from eventlog.history.slots import Content, Step, rolls_in_facts
from eventlog.history.touching import Told, not_touched
from eventlog.playing import only_answers
from rulesets.contract import RuleViolation

# --- what was sent for other actions ----------------------------------------------------------------------------


def sent_once(command: CorrectionCommand, typed: tuple[int, ...] | None) -> None:
    """Refuse to be told two things about one action. Raises `CommandMalformed`."""
    counted = Counter(each.action for each in command.others)
    twice = next((action for action, times in counted.items() if times > 1), None)
    if twice is None and isinstance(command, Amend):
        own = next((each for each in command.others if each.action == command.target), None)
        twice = own.action if own is not None and _says_otherwise(command, own, typed) else None
    if twice is not None:
        raise CommandMalformed(
            f"What action {twice} goes on with is said twice: send its answers and its faces once, and together",
            action=twice,
        )


def _says_otherwise(command: Amend, own: Otherwise, typed: tuple[int, ...] | None) -> bool:
    answers = command.answers is not None and own.answers is not None
    return (typed is not None and own.dice is not None) or (answers and command.answers != own.answers)


def sent_to_be_heeded(command: CorrectionCommand, told: Told) -> None:
    """Refuse what was sent for actions that are not decided again. Raises `NotTouched`."""
    unheeded = {each.action for each in command.others} - told.heeded
    if unheeded:
        raise not_touched(unheeded)


def sent_to_be_heard(told: Told, planner: Planner) -> None:
    """Refuse answers that were sent where nothing asks for them. Raises `NotAnAnswer`, `CommandMalformed`."""
    retold = next((step for each in told.revised for step in each.again.steps if step.unheard), None)
    if retold is None:
        return
    number = retold.step.action
    if isinstance(planner.read(retold.step.command), ThrowDice):
        raise CommandMalformed(f"Action {number} is a roll, which opens no question, so it takes no answers")
    said = tag_of(type(planner.read(retold.unheard[0])))
    raise NotAnAnswer(
        f"Nothing asks for {said} when action {number} comes to it, so it would go unheard: leave it out of `answers`",
        type=said,
        action=number,
    )


# --- what stands where ------------------------------------------------------------------------------------------


def only_sent_as_answers(command: CorrectionCommand, planner: Planner) -> None:
    """Refuse what is sent as an answer and answers nothing. Raises `NotAnAnswer`, `CommandMalformed`."""
    own = command.answers or () if isinstance(command, Amend | Insert) else ()
    others = [raw for each in command.others for raw in each.answers or ()]
    if planner.rules is not None:
        only_answers(planner.rules, map(planner.read, (*own, *others)))


def in_its_place(command: Amend | Insert, plan: Plan, planner: Planner) -> None:
    """Refuse a deed in an answer's place, and the reverse.

    Raises `NotAnAnswer`, `CommandMalformed`, and `RuleViolation` for what could not be done while a question waited.
    """
    rules = planner.rules
    if rules is None or bytes(command.command) == bytes(UNCHANGED):
        return
    asked, [proposal] = planner.read(command.command), plan.proposals.values()
    steps = proposal.dice_of.steps if proposal.dice_of else ()
    step = next((each for each in steps if each.action == proposal.meant), None)
    if step is not None and isinstance(planner.read(step.command), rules.answers):
        only_answers(rules, [asked])
    elif isinstance(asked, rules.answers):
        raise CommandMalformed(
            f"{tag_of(type(asked))} answers a question and is no action by itself: send it in the `answers` of the "
            "action that asks"
        )
    elif step is not None and step is not steps[0] and not isinstance(asked, (ThrowDice, *rules.at_any_time)):
        raise RuleViolation(
            "question-open",
            f"Action {step.action} was taken while action {steps[0].action} waited for an answer, and "
            f"{tag_of(type(asked))} has to wait for that",
            action=step.action,
        )


# --- an amendment -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """What an amendment is about: the step it amends, and the answers to it that its own ones replace."""

    command: Amend
    step: Step
    answering: tuple[Step, ...]
    before: Content
    planner: Planner

    @classmethod
    def of(cls, command: Amend, plan: Plan, planner: Planner) -> Amendment:
        """The amendment a plan was made for."""
        [proposal] = plan.proposals.values()
        assert proposal.dice_of is not None and proposal.content is not None  # noqa: S101, PT018 - an amendment has both
        steps = proposal.dice_of.steps
        index = next(i for i, step in enumerate(steps) if step.action == proposal.meant)
        replaced = [] if command.answers is None else steps[index + 1 :]
        return cls(
            command=command,
            step=steps[index],
            answering=tuple(step for step in replaced if step not in proposal.content.steps),
            before=proposal.dice_of,
            planner=planner,
        )

    def says_something_new(self, typed: tuple[int, ...] | None) -> None:
        """Refuse what stands already. Raises `NothingToAmend`."""
        command = self.command
        if not self._is_other_deed(command) and self._overrules_as_before(command) and self._fell(typed):
            raise self._nothing(command)

    def comes_to_something_new(self, told: Told) -> None:
        """Refuse a rule passed over that stood against nothing. Raises `NothingToAmend`."""
        command = self.command
        revised = next((each for each in told.revised if each.slot == self.before.slot), None)
        if revised is not None and revised.again.stands(self.before) and not self._is_other_deed(command):
            raise self._nothing(command)

    def _is_other_deed(self, command: Amend) -> bool:
        stands = self.planner.read(self.step.command)
        said = stands if bytes(command.command) == bytes(UNCHANGED) else self.planner.read(command.command)
        return said != stands or not self._answers_as_before(command)

    def _answers_as_before(self, command: Amend) -> bool:
        if command.answers is None:
            return True
        stood = [*self.step.answers]
        for step in self.answering:
            stood += (step.command, *step.answers)
        return list(map(self.planner.read, command.answers)) == list(map(self.planner.read, stood))

    def _overrules_as_before(self, command: Amend) -> bool:
        return command.overrule is None or set(command.overrule) == set(self.step.overrule)

    def _fell(self, typed: Sequence[int] | None) -> bool:
        """Whether these faces fell for it, or none were typed in."""
        rolls = [roll for step in (self.step, *self.answering) for roll in rolls_in_facts(step.facts)]
        return typed is None or list(typed) == [die.face for roll in rolls for die in roll.dice]

    def _nothing(self, command: Amend) -> NothingToAmend:
        return NothingToAmend(
            f"This leaves action {command.target} as it is: send what shall be otherwise, another `command`, other "
            "`answers`, other `dice` for faces that were typed in, or another `overrule`",
            action=command.target,
        )
