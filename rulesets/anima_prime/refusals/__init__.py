"""Every reason a command is illegal now, in the order a GM would check, before any die is thrown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, assert_never, get_args

from rulesets.anima_prime.commands import (
    Achieve,
    Action,
    AddCharacter,
    AddGoal,
    Adjust,
    Announce,
    Answer,
    ApplyCondition,
    CharacterScene,
    Command,
    Course,
    EditCharacter,
    EndConflict,
    EndRound,
    EndTurn,
    Enter,
    Keep,
    Maneuver,
    Offer,
    RemoveCondition,
    Reroll,
    Reveal,
    Rule,
    SetGoal,
    SetParameter,
    Settle,
    Setup,
    SpendToken,
    StartConflict,
    Strike,
    Talk,
    UsePower,
    Withdraw,
    WithdrawOffer,
)
from rulesets.anima_prime.refusals import acting, answers, conflict, maneuvers, powers, setup, strikes, table
from rulesets.anima_prime.state import State
from rulesets.contract import RuleViolation


def refusals(state: State, command: Command) -> Iterator[RuleViolation]:
    """Every refusal; one that keeps the books is the last, since nothing after it could be checked."""
    for violation in _CHAPTERS[type(command)](state, command):
        yield violation
        if not violation.overrulable:
            return


def _of_action(state: State, command: Action | Answer) -> Iterator[RuleViolation]:  # noqa: PLR0911 - a table of commands
    match command:
        case Maneuver():
            return maneuvers.maneuver_refused(state, command)
        case Strike():
            return strikes.strike_refused(state, command)
        case Achieve():
            return strikes.achievement_refused(state, command)
        case UsePower():
            return powers.use_power_refused(state, command)
        case SpendToken():
            return powers.spend_token_refused(state, command)
        case Reroll():
            return answers.reroll_refused(state, command)
        case Keep():
            return answers.keep_refused(state, command)
        case Settle():
            return answers.settle_refused(state, command)
        case _:
            assert_never(command)


def _of_course(state: State, command: Course) -> Iterator[RuleViolation]:
    match command:
        case StartConflict():
            return conflict.start_refused(state, command)
        case Enter():
            return conflict.enter_refused(state, command)
        case Withdraw():
            return conflict.withdraw_refused(state, command)
        case EndTurn() | EndRound():
            return acting.not_running(state)
        case EndConflict():
            return conflict.end_refused(state, command)
        case CharacterScene():
            return conflict.scene_refused(state, command)
        case _:
            assert_never(command)


def _of_talk(state: State, command: Talk) -> Iterator[RuleViolation]:  # noqa: PLR0911 - a table of commands
    match command:
        case Offer():
            return table.offer_refused(state, command)
        case WithdrawOffer():
            return table.withdraw_offer_refused(state, command)
        case Announce():
            return table.announce_refused(state, command)
        case ApplyCondition():
            return table.apply_condition_refused(state, command)
        case RemoveCondition():
            return table.remove_condition_refused(state, command)
        case Adjust():
            return table.adjust_refused(state, command)
        case Rule():
            return iter(())
        case _:
            assert_never(command)


def _of_setup(state: State, command: Setup) -> Iterator[RuleViolation]:
    match command:
        case AddCharacter():
            return setup.add_character_refused(state, command)
        case EditCharacter():
            return setup.edit_character_refused(state, command)
        case Reveal():
            return setup.reveal_refused(state, command)
        case AddGoal():
            return setup.add_goal_refused(state, command)
        case SetGoal():
            return setup.set_goal_refused(state, command)
        case SetParameter():
            return setup.set_parameter_refused(state, command)
        case _:
            assert_never(command)


_CHAPTERS: dict[type[Any], Callable[[State, Any], Iterator[RuleViolation]]] = {
    kind: chapter
    for commands, chapter in (
        (Action | Answer, _of_action),
        (Course, _of_course),
        (Talk, _of_talk),
        (Setup, _of_setup),
    )
    for kind in get_args(commands)
}
"""The chapter of each kind of command: asking whether it is one of so many kinds takes longer than checking it."""
