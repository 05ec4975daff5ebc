"""6.1: sheets, goals and readings become facts."""

from __future__ import annotations

from rulesets.anima_prime.commands import AddCharacter, AddGoal, EditCharacter, Reveal, SetGoal, SetParameter
from rulesets.anima_prime.conditions import condition_of
from rulesets.anima_prime.decide.table import goal_set
from rulesets.anima_prime.events import (
    CharacterAdded,
    CharacterEdited,
    CharacterRevealed,
    Event,
    GoalAdded,
    GoalRevealed,
    GoalSet,
    ParameterSet,
)
from rulesets.anima_prime.hidden import secrets, shown_goal
from rulesets.anima_prime.readings import reading_before, reading_set
from rulesets.anima_prime.refusals.setup import effects_of
from rulesets.anima_prime.sheets import numbers_of
from rulesets.anima_prime.state import State


def add_character(state: State, command: AddCharacter) -> list[Event]:
    """A sheet, with what it left out filled in from the readings."""
    numbers = numbers_of(state.parameters, command)
    conditions = (condition_of(wish) for wish in command.conditions)
    return [
        CharacterAdded(
            id=command.id,
            name=command.name or command.id.replace("-", " ").replace("_", " ").title(),
            side=command.side,
            kind=command.kind,
            action=numbers.action or 0,
            action_max=numbers.action_max,
            strike=command.strike,
            charge=command.charge,
            charge_max=numbers.charge_max,
            defense=numbers.defense or 0,
            wounds=command.wounds,
            max_wounds=numbers.max_wounds or 1,
            awesome_tokens=command.awesome_tokens,
            secret=command.secret,
            competence=command.competence,
            player=command.player,
            traits=command.traits,
            powers=command.powers,
            conditions=tuple(condition for condition in conditions if condition is not None),
        )
    ]


def edit_character(command: EditCharacter) -> list[Event]:
    """New values on a sheet."""
    return [CharacterEdited(character=command.id, set=command.set)]


def reveal(state: State, command: Reveal) -> list[Event]:
    """What was hidden, shown as it is now; of a goal, nothing that is still hidden."""
    events: list[Event] = []
    if command.character is not None:
        events.append(CharacterRevealed(character=state.characters[command.character]))
    if command.goal is not None:
        still = [one for one in secrets(state) if one not in (command.goal, command.character)]
        events.append(GoalRevealed(goal=shown_goal(state.goals[command.goal], still)))
    return events


def add_goal(state: State, command: AddGoal) -> list[Event]:
    """7.1, 7.5: open, or locked behind a goal that is not achieved yet."""
    waits = command.after is not None and state.goals[command.after].status != "achieved"
    return [
        GoalAdded(
            id=command.id,
            name=command.name,
            difficulty=command.difficulty,
            status="locked" if waits else "open",
            effects=effects_of(command),
            participation=command.participation,
            scope=command.scope,
            side=command.side,
            after=command.after,
            secret=command.secret,
        )
    ]


def set_goal(state: State, command: SetGoal) -> list[Event]:
    """7.1: the GM's hand on a goal."""
    return goal_set(
        state,
        GoalSet(
            goal=command.goal,
            status=command.status,
            achieved_by=command.achieved_by,
            difficulty=command.difficulty,
            text=command.text,
        ),
    )


def set_parameter(state: State, command: SetParameter) -> list[Event]:
    """Another reading from here on, with the old one on record."""
    return [
        ParameterSet(
            name=command.name,
            value=reading_set(state.parameters, command.name, command.value),
            before=reading_before(state.parameters, command.name),
            reason=command.reason,
        )
    ]
