"""The table after set-up: new sheets and goals, changed ones, other readings."""

from __future__ import annotations

from typing import Any, assert_never

import msgspec
from msgspec.structs import asdict, replace

from rulesets.anima_prime.events import (
    CharacterAdded,
    CharacterEdited,
    CharacterRevealed,
    GoalAdded,
    GoalRevealed,
    GoalSet,
    ParameterSet,
    SetupEvent,
)
from rulesets.anima_prime.evolve.pools import seat
from rulesets.anima_prime.state import Character, Goal, State


def after_setup(state: State, event: SetupEvent) -> State:  # noqa: PLR0911 - a table of facts
    """The table after one more fact of set-up."""
    match event:
        case CharacterAdded():
            return seat(state, Character(place=len(state.characters), **asdict(event)))
        case CharacterEdited(character=who, set=changes):
            return seat(state, replace(state.characters[who], **changes.given))
        case CharacterRevealed(character=character):
            return seat(state, replace(state.characters[character.id], secret=False))
        case GoalAdded():
            return _goal(state, Goal(place=len(state.goals), **asdict(event)))
        case GoalSet():
            return _goal(state, _set(state.goals[event.goal], event))
        case GoalRevealed(goal=goal):
            return _goal(state, replace(state.goals[goal.id], secret=False))
        case ParameterSet(name=name, value=value):
            return replace(state, parameters=_read(state.parameters, name.split("."), value))
        case _:
            assert_never(event)


def _goal(state: State, goal: Goal) -> State:
    return replace(state, goals={**state.goals, goal.id: goal})


def _set(goal: Goal, event: GoalSet) -> Goal:
    achievers = goal.achievers
    if event.achieved_by is not None and event.achieved_by not in achievers:
        achievers = (*achievers, event.achieved_by)
    reopened = event.status is not None and event.status != "achieved"
    return replace(
        goal,
        status=event.status or goal.status,
        difficulty=event.difficulty or goal.difficulty,
        text=goal.text if event.text is None else event.text,
        achieved_by=None if reopened else event.achieved_by or goal.achieved_by,
        achievers=() if reopened else achievers,
    )


def _read(reading: Any, path: list[str], value: object) -> Any:
    """The readings with one of them replaced, however deep it lies."""
    inner = _read(getattr(reading, path[0]), path[1:], value) if path[1:] else value
    changed: msgspec.Struct = replace(reading, **{path[0]: inner})
    return changed
