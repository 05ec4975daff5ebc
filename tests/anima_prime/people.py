"""Whom the random players play, and whom they meet."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rulesets.anima_prime.commands import AddCharacter
from rulesets.anima_prime.sheet import DiceByType, Power, Trait
from rulesets.anima_prime.state import Character, State
from rulesets.dice import Die

HEROES = ("zadie", "rasheem", "mira", "okoro")
OPPONENTS = {"critters": "swarm", "bull": "individual", "demons": "squad"}
CONDITIONS = ("Blinded", "Empowered", "Quickened", "Shielded", "Slowed", "Weakened", "Hexed", "Poisoned")
BLAZE = Power(
    id="blaze",
    name="Blaze",
    kind="strike",
    cost=2,
    joins=("strike",),
    dice=DiceByType(individual=4, squad=3, swarm=2),
)
FLOURISH = Power(id="flourish", name="Flourish", kind="boost", cost=1, joins=("maneuver", "strike"), dice=1)
SMOKE = Power(id="smoke", name="Smoke", kind="action", cost=1, effect="Nobody sees their own hand")


def hero(random: Random, name: str) -> AddCharacter:
    """A player character with some marked traits and a power of each kind."""
    return AddCharacter(
        id=name,
        side="pcs",
        kind="pc",
        action=random.randint(4, 10),
        action_max=10,
        defense=2,
        max_wounds=3,
        traits=tuple(Trait(name=trait, marked=random.random() < 0.5) for trait in ("Bold", "Loyal", "Sly")),
        powers=("heroics", BLAZE, FLOURISH, SMOKE),
    )


def opponent(random: Random, name: str) -> AddCharacter:
    """Somebody to fight, of the type they are known for."""
    return AddCharacter(
        id=name,
        side="adversity",
        kind=OPPONENTS.get(name, "squad"),  # type: ignore[arg-type]  # the table above holds only kinds
        action=random.randint(6, 14),
        defense=random.randint(1, 4),
        max_wounds=random.randint(1, 3),
        competence=random.choice((None, 1, 3)),
    )


def active(state: State, side: str) -> list[Character]:
    """Who of one side is in the conflict."""
    return [one for one in state.characters.values() if one.side == side and one.status == "active"]


def open_goals(state: State, actor: Character) -> list[str]:
    """The goals somebody may try for."""
    return [
        goal.id
        for goal in state.goals.values()
        if goal.status == "open" and goal.side in ("any", actor.side) and actor.id not in goal.achievers
    ]


def earned(state: State, dice: Sequence[Die]) -> tuple[int, int]:
    """Strike and charge successes among these dice, counted by hand: 3 to 5, and 6 (6.4)."""
    success, charge = state.parameters.success_face, state.parameters.maneuver.charge_face
    return (
        sum(success <= die.face < charge for die in dice),
        sum(die.face >= max(charge, success) for die in dice),
    )
