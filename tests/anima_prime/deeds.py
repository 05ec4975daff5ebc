"""What somebody may do with their action: legal maneuvers, strikes and achievements at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from anima_prime.people import BLAZE, SMOKE, active, open_goals
from rulesets.anima_prime.commands import Achieve, EndTurn, HelpAsked, Maneuver, Strike, UsePower
from rulesets.anima_prime.sheet import Bonus
from rulesets.anima_prime.state import Character, State
from rulesets.contract import Command


def act(random: Random, state: State, actor: Character) -> Command:
    """The action of somebody's turn."""
    ways: list[Callable[[], Command]] = []
    if actor.action >= least(actor):
        ways += [lambda: maneuver(random, state, actor)] * 3
    if actor.strike >= least(actor):
        ways += [lambda: strike(random, state, actor, free=False)] * 2
        ways += [lambda: achieve(random, state, actor)] * bool(open_goals(state, actor))
    if actor.charge >= 2 and SMOKE in actor.powers:
        ways.append(lambda: UsePower(actor=actor.id, power="smoke"))
    return random.choice(ways)() if ways else EndTurn()


def maneuver(random: Random, state: State, actor: Character) -> Maneuver:
    """A maneuver, often with gifts, sometimes with helpers."""
    friends = (
        [one for one in active(state, "pcs") if one.id != actor.id and one.action]
        if actor.side == "pcs"
        else []
    )
    able = [one for one in friends if not one.acted]
    helpers = _some(random, able, 0.15)
    givers = _some(random, [one for one in friends if one not in helpers], 0.25)
    master = ("gm",) if actor.side == "pcs" and random.random() < 0.1 else ()
    return Maneuver(
        actor=actor.id,
        action_dice=random.randint(least(actor), min(3, actor.action)),
        helpers=tuple(
            HelpAsked(character=one.id, action_dice=up_to(random, min(3, one.action))) for one in helpers
        ),
        gifts=(*(one.id for one in givers), *master),
        bonus=_bonus(random, actor),
        no_reroll=random.random() < 0.1,
    )


def _bonus(random: Random, actor: Character) -> tuple[Bonus, ...]:
    if random.random() > 0.2:
        return ()
    return (Bonus(dice=up_to(random, 2), source="Whip", charge=random.randint(0, min(1, actor.charge))),)


def strike(random: Random, state: State, actor: Character, *, free: bool) -> Strike:
    """A strike at one opponent, or at two if there are tokens for it."""
    most = min(6, actor.strike)
    targets = active(state, "pcs" if actor.side == "adversity" else "adversity")
    two = len(targets) > 1 and actor.awesome_tokens >= (3 if free else 2) and random.random() < 0.7
    costly = any(condition.power_cost for condition in actor.conditions)
    blaze = BLAZE in actor.powers and actor.charge >= 2 + costly and random.random() < 0.5
    return Strike(
        actor=actor.id,
        targets=tuple(one.id for one in random.sample(targets, 1 + two)),
        strike_dice=random.choice((random.randint(least(actor), most), most)),
        power="blaze" if blaze else None,
        free=free,
    )


def achieve(random: Random, state: State, actor: Character) -> Achieve:
    """A try for an open goal, perhaps together."""
    goal = state.goals[random.choice(open_goals(state, actor))]
    friends = [
        one for one in active(state, actor.side) if one.id != actor.id and one.strike and not one.acted
    ]
    together = goal.participation == "joint" and actor.side == "pcs"
    helpers = _some(random, friends, 0.5) if together else []
    dice = {actor.id: random.randint(least(actor), min(8, actor.strike))}
    for one in helpers:
        dice[one.id] = up_to(random, min(2, one.strike))
    return Achieve(
        actor=actor.id,
        goal=goal.id,
        strike_dice=dice,
        power="heroics" if "heroics" in actor.powers and actor.charge >= 3 else None,
    )


def least(actor: Character) -> int:
    """How many own dice leave at least one to throw, whatever conditions take away."""
    return 1 + sum(condition.dice < 0 or condition.basic_dice < 0 for condition in actor.conditions)


def up_to(random: Random, most: int) -> int:
    """A number from 1 to that."""
    return random.randint(1, most)


def _some(random: Random, people: Sequence[Character], chance: float) -> list[Character]:
    return [one for one in people if random.random() < chance]
