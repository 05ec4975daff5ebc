"""Who is meant: those who start a conflict, those a condition lies on, the scene a benefit belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from rulesets.anima_prime.commands import (
    ApplyCondition,
    CharacterScene,
    RemoveCondition,
    StartConflict,
    StartingCondition,
)
from rulesets.anima_prime.state import Character, State, seated


def starters(state: State, command: StartConflict) -> tuple[Character, ...]:
    """6.1: those named, or PCs with a free wound circle and adversity that was in no conflict yet."""
    if command.characters is not None:
        return tuple(state.characters[who] for who in dict.fromkeys(command.characters))
    return tuple(
        one for one in seated(state) if one.wounds < one.max_wounds and (one.side == "pcs" or not one.used)
    )


def bearers_of(
    command: ApplyCondition | RemoveCondition | StartingCondition, everybody: Iterable[Character]
) -> tuple[str, ...]:
    """Whom a condition is meant for: those named, or all of these."""
    if "all" in (command.character, command.characters):
        return tuple(one.id for one in everybody)
    named = () if isinstance(command.characters, str) else command.characters
    return tuple(dict.fromkeys(named if command.character is None else (command.character, *named)))


def all_at_the_table(state: State) -> tuple[Character, ...]:
    """Everybody in the conflict, or at the table when none runs."""
    if state.conflict.status != "running":
        return seated(state)
    return tuple(one for one in seated(state) if one.status == "active")


def scene_of(state: State, command: CharacterScene) -> str:
    """The scene a benefit belongs to; without a name, all scenes since the last conflict are one."""
    return f"after conflict {state.conflict.number}" if command.scene is None else str(command.scene)
