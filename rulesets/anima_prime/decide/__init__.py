"""What happens: each command to the one function named after its rule."""

from __future__ import annotations

from collections.abc import Callable
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
from rulesets.anima_prime.decide import actions, conflict, powers, setup, table
from rulesets.anima_prime.decide.folding import fold
from rulesets.anima_prime.events import Event, HiddenNamed
from rulesets.anima_prime.hidden import named, secrets
from rulesets.anima_prime.state import State
from rulesets.dice import Dice


def decide(state: State, command: Command, dice: Dice) -> list[Event]:
    """What a legal command leads to. A command that names something hidden begins with a fact that does, too."""
    events = _CHAPTERS[type(command)](state, command, dice)
    after = fold(state, events) if type(command) in _SETUP else state  # nothing else hides or reveals
    hidden = named(command, secrets(after)) if events else ()
    if hidden and not named(events[0], hidden):
        return [HiddenNamed(ids=tuple(sorted(hidden))), *events]
    return events


def _action(state: State, command: Action | Answer, dice: Dice) -> list[Event]:  # noqa: PLR0911 - a table of commands
    match command:
        case Maneuver():
            return actions.maneuver(state, command, dice)
        case Strike():
            return actions.strike(state, command, dice)
        case Achieve():
            return actions.achieve(state, command, dice)
        case UsePower():
            return powers.use_power(state, command)
        case SpendToken():
            return actions.spend_token(command)
        case Reroll():
            return actions.reroll(state, command, dice)
        case Keep():
            return actions.keep(state, command)
        case Settle():
            return actions.settle(state)
        case _:
            assert_never(command)


def _course(state: State, command: Course, dice: Dice) -> list[Event]:  # noqa: PLR0911 - a table of commands
    match command:
        case StartConflict():
            return conflict.start_conflict(state, command, dice)
        case Enter():
            return conflict.enter(command)
        case Withdraw():
            return conflict.withdraw(command)
        case EndTurn():
            return conflict.end_turn(state)
        case EndRound():
            return conflict.end_round(state)
        case EndConflict():
            return conflict.end_conflict(state, command)
        case CharacterScene():
            return conflict.character_scene(state, command)
        case _:
            assert_never(command)


def _talk(state: State, command: Talk, _: Dice) -> list[Event]:  # noqa: PLR0911 - a table of commands
    match command:
        case Offer():
            return table.offer(command)
        case WithdrawOffer():
            return table.withdraw_offer(state, command)
        case Announce():
            return table.announce(command)
        case ApplyCondition():
            return table.apply_condition(state, command)
        case RemoveCondition():
            return table.remove_condition(state, command)
        case Adjust():
            return table.adjust(state, command)
        case Rule():
            return table.rule(command)
        case _:
            assert_never(command)


def _setup(state: State, command: Setup, _: Dice) -> list[Event]:
    match command:
        case AddCharacter():
            return setup.add_character(state, command)
        case EditCharacter():
            return setup.edit_character(command)
        case Reveal():
            return setup.reveal(state, command)
        case AddGoal():
            return setup.add_goal(state, command)
        case SetGoal():
            return setup.set_goal(state, command)
        case SetParameter():
            return setup.set_parameter(state, command)
        case _:
            assert_never(command)


_SETUP = frozenset(get_args(Setup))

_CHAPTERS: dict[type[Any], Callable[[State, Any, Dice], list[Event]]] = {
    kind: chapter
    for commands, chapter in (
        (Action | Answer, _action),
        (Course, _course),
        (Talk, _talk),
        (Setup, _setup),
    )
    for kind in get_args(commands)
}
"""The chapter of each kind of command: asking whether it is one of so many kinds takes longer than deciding it."""
