"""Set-up: ids nobody bears yet, sheets that add up, readings that exist."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import AddCharacter, AddGoal, EditCharacter, Reveal, SetGoal, SetParameter
from rulesets.anima_prime.known import goal_unknown, unknown_among
from rulesets.anima_prime.readings import ReadingUnknown, ReadingUnsound, reading_before, reading_set
from rulesets.anima_prime.refusals.wording import condition_unknown, powers_unknown
from rulesets.anima_prime.sheet import ConditionEffect, DefenseEffect, Effect
from rulesets.anima_prime.sheets import Numbers, numbers_of
from rulesets.anima_prime.state import State
from rulesets.contract import RESERVED_IDS, RuleViolation


def add_character_refused(state: State, command: AddCharacter) -> Iterator[RuleViolation]:
    """A new id, every number the sheet needs, and pools within their maxima."""
    yield from id_taken(state, command.id)
    numbers = numbers_of(state.parameters, command)
    yield from _numbers(numbers)
    if command.wounds > (numbers.max_wounds or 0):
        yield RuleViolation(
            "wounds-exceed-circles", f"{command.wounds} wounds do not fit in {numbers.max_wounds} circles"
        )
    yield from powers_unknown(state.parameters, command.powers)
    for condition in command.conditions:
        yield from condition_unknown(condition)


def edit_character_refused(state: State, command: EditCharacter) -> Iterator[RuleViolation]:
    """Somebody at the table, something to change, and no fewer circles than wounds."""
    yield from unknown_among(state, command.id)
    new = command.set.given
    if not new:
        yield RuleViolation("nothing-to-change", "Say in `set` what is new on the sheet")
    one = state.characters[command.id]
    if one.wounds > new.get("max_wounds", one.max_wounds):
        yield RuleViolation(
            "wounds-exceed-circles",
            f"{one.name} has {one.wounds} wounds; adjust them before taking circles away",
        )
    yield from powers_unknown(state.parameters, new.get("powers", ()))


def reveal_refused(state: State, command: Reveal) -> Iterator[RuleViolation]:
    """Something that is hidden."""
    yield from unknown_among(state, command.character)
    yield from goal_unknown(state, command.goal)
    if command.character is None and command.goal is None:
        yield RuleViolation("nothing-to-reveal", "Name a character or a goal to reveal")
    if command.character is not None and not state.characters[command.character].secret:
        yield RuleViolation(
            "not-secret", f"Everybody sees {state.characters[command.character].name} already"
        )
    if command.goal is not None and not state.goals[command.goal].secret:
        yield RuleViolation("not-secret", f"Everybody sees {state.goals[command.goal].name} already")


def add_goal_refused(state: State, command: AddGoal) -> Iterator[RuleViolation]:
    """A new id, a goal before it that exists, and effects on those who exist."""
    yield from id_taken(state, command.id)
    yield from goal_unknown(state, command.after)
    for effect in effects_of(command):
        if isinstance(effect, DefenseEffect | ConditionEffect):
            yield from unknown_among(state, effect.character)
        if isinstance(effect, ConditionEffect):
            yield from condition_unknown(effect.condition)


def effects_of(command: AddGoal) -> tuple[Effect, ...]:
    """Every effect a goal is given, in `effects` or as a single `effect`."""
    return command.effects if command.effect is None else (*command.effects, command.effect)


def set_goal_refused(state: State, command: SetGoal) -> Iterator[RuleViolation]:
    """A goal on the table, and something to change."""
    yield from goal_unknown(state, command.goal)
    yield from unknown_among(state, command.achieved_by)
    if all(
        value is None for value in (command.status, command.achieved_by, command.difficulty, command.text)
    ):
        yield RuleViolation("nothing-to-change", "Say what is new: status, achieved_by, difficulty or text")


def set_parameter_refused(state: State, command: SetParameter) -> Iterator[RuleViolation]:
    """A reading that exists, and a value it can have."""
    try:
        reading_set(state.parameters, command.name, command.value)
    except ReadingUnknown:
        yield RuleViolation(
            "unknown-parameter",
            f"There is no reading {command.name!r}; names are dotted, as in strike.wounds",
            name=command.name,
        )
    except ReadingUnsound as fault:
        before = reading_before(state.parameters, command.name)
        yield RuleViolation(
            "parameter-value",
            f"{command.name} (now {before}) cannot be {command.value!r}: {fault}",
            name=command.name,
        )


def id_taken(state: State, wish: str) -> Iterator[RuleViolation]:
    """Ids name one thing at the table, and some mean somebody already."""
    if wish in RESERVED_IDS:
        yield RuleViolation("reserved-id", f"{wish!r} means somebody already; choose another id", id=wish)
    if wish in state.characters or wish in state.goals:
        yield RuleViolation("duplicate-id", f"{wish!r} is taken; choose another id", id=wish)


def _numbers(numbers: Numbers) -> Iterator[RuleViolation]:
    for name in ("action", "defense", "max_wounds"):
        if getattr(numbers, name) is None:
            yield RuleViolation("missing-number", f"The sheet needs a number for {name}", field=name)
    for pool in ("action", "charge"):
        have, most = getattr(numbers, pool), getattr(numbers, f"{pool}_max")
        if most is not None and have > most:
            yield RuleViolation(
                "pool-above-maximum", f"{have} {pool} dice do not fit in a maximum of {most}", field=pool
            )
