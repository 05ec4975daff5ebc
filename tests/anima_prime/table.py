"""A table to test on: short sheets, a conflict that runs, dice with their origins."""

from __future__ import annotations

from typing import Any

import msgspec

from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import AddCharacter, StartConflict
from rulesets.anima_prime.parameters import Parameters
from rulesets.anima_prime.sheet import Trait
from rulesets.dice import Die, Roll
from rulesets.people import Viewer
from rulesets.testing import Given, given


def pc(name: str, /, **sheet: Any) -> AddCharacter:
    """A player character: 6 action dice, defense 2, three wound circles unless said otherwise."""
    return AddCharacter(
        **{"id": name, "side": "pcs", "kind": "pc", "action": 6, "defense": 2, "max_wounds": 3, **sheet}
    )


def foe(name: str, kind: str = "squad", /, **sheet: Any) -> AddCharacter:
    """An opponent: 8 action dice, defense 3, three wound circles unless said otherwise."""
    return AddCharacter(
        **{"id": name, "side": "adversity", "kind": kind, "action": 8, "defense": 3, "max_wounds": 3, **sheet}
    )


def marked(*names: str) -> tuple[Trait, ...]:
    """Marked traits of these names."""
    return tuple(Trait(name=name, marked=True) for name in names)


def player(*characters: str) -> Viewer:
    """The player of these characters, named after the first."""
    return Viewer(role="player", name=characters[0], characters=characters)


def running(*setup: Any, first: str = "pcs", **readings: Any) -> Given:
    """A conflict in round 1 with everybody in it, under these readings."""
    return given(RULESET, *setup, StartConflict(first=first), parameters=reading(**readings))


def reading(**readings: Any) -> Parameters:
    """The recommended readings, with these replaced: `strike={"wounds": "margin"}`."""
    return msgspec.convert(readings, Parameters)


def fell(number: int, purpose: str, *dice: tuple[str, int]) -> Roll:
    """A roll as an event tells it: each die with its origin and its face."""
    return Roll(
        number=number, purpose=purpose, dice=tuple(Die(origin=origin, face=face) for origin, face in dice)
    )


def faces(successes: int, failures: int = 0) -> tuple[int, ...]:
    """So many dice that succeed (3) and so many that fail (1)."""
    return (3,) * successes + (1,) * failures
