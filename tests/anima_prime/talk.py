"""What else happens at a table: talk, conditions, goals, scenes between conflicts, answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Literal

from anima_prime.deeds import act, least, strike
from anima_prime.people import CONDITIONS, active, earned, opponent
from rulesets.anima_prime.commands import (
    AddGoal,
    Adjust,
    Announce,
    ApplyCondition,
    Changes,
    CharacterScene,
    EndConflict,
    EndRound,
    EndTurn,
    Enter,
    Keep,
    Offer,
    RemoveCondition,
    Reroll,
    Rule,
    Settle,
    SpendToken,
    StartConflict,
    Withdraw,
)
from rulesets.anima_prime.sheet import DefenseEffect, StoryEffect
from rulesets.anima_prime.state import Character, State
from rulesets.contract import Command


def in_conflict(random: Random, state: State) -> Command:
    """What happens next in a running conflict."""
    heroes, opponents = active(state, "pcs"), active(state, "adversity")
    if not heroes or not opponents:
        return EndConflict(outcome="victory" if heroes else "defeat")
    if random.random() < 0.15:
        return _aside(random, state)
    ready = [one for one in (heroes if state.conflict.turn == "pcs" else opponents) if not one.acted]
    if not ready or random.random() < 0.04:
        return EndTurn()
    return act(random, state, random.choice(ready))


def _aside(random: Random, state: State) -> Command:
    someone = random.choice([one for one in state.characters.values() if one.status == "active"])
    room = int(someone.action_max is None or someone.action < someone.action_max)
    rich = [one for one in active(state, "pcs") if one.awesome_tokens and one.strike >= least(one)]
    ways: list[Callable[[], Command]] = [
        lambda: _goal(random, state),
        lambda: ApplyCondition(character=someone.id, condition=random.choice(CONDITIONS)),
        lambda: Announce(actor=someone.id, kind="maneuver", text="Watch this"),
        lambda: Adjust(character=someone.id, changes=Changes(action=room, strike=1), reason="We forgot"),
        lambda: Rule(question="Does it rain?", answer="It pours"),
        lambda: Offer(giver=random.choice(active(state, "pcs")).id, to="all", gift=True),
    ]
    ways += [lambda: strike(random, state, random.choice(rich), free=True)] * (4 if rich else 0)
    ways += [lambda: SpendToken(payer=rich[0].id, tokens=1, text="A lucky find")] if rich else []
    ways += [lambda: _cured(random, someone)] if someone.conditions else []
    ways += [lambda: Withdraw(character=someone.id)] * (random.random() < 0.1)
    ways += [EndRound] * (random.random() < 0.3)
    ways += [
        partial(Enter, character=one.id) for one in state.characters.values() if one.status == "withdrawn"
    ]
    return random.choice(ways)()


def _cured(random: Random, someone: Character) -> RemoveCondition:
    return RemoveCondition(character=someone.id, condition=random.choice(someone.conditions).name)


def _goal(random: Random, state: State) -> AddGoal:
    number = len(state.goals)
    opponent = random.choice(active(state, "adversity")).id
    effect = random.choice(
        (DefenseEffect(character=opponent, change=-1), StoryEffect(text="The road is free"))
    )
    return AddGoal(
        id=f"goal-{number}",
        name=f"Goal {number}",
        difficulty=random.randint(1, 6),
        effects=(effect,),
        participation=random.choice(("joint", "solo")),
        scope="individual" if random.random() < 0.2 else "group",
        side=random.choice(("any", "any", "pcs", "adversity")),
        after=f"goal-{number - 1}" if number and random.random() < 0.3 else None,
    )


def between(random: Random, state: State) -> Command:
    """What happens next between conflicts: scenes until people are well, then another conflict."""
    heroes = [one for one in state.characters.values() if one.side == "pcs"]
    wounded = [one for one in heroes if one.wounds]
    if wounded and random.random() < 0.7:
        return _scene(random, state, random.choice(wounded), "heal")
    empty = [one for one in heroes if one.action_max is not None and one.action < one.action_max]
    if empty and random.random() < 0.7:
        return _scene(random, state, random.choice(empty), "refill")
    if all(one.wounds >= one.max_wounds for one in heroes):
        return _scene(random, state, heroes[0], "heal")
    fresh = [one for one in state.characters.values() if one.side == "adversity" and not one.used]
    if not fresh:
        return opponent(random, f"foe-{len(state.characters)}")
    return StartConflict(first=random.choice(("pcs", "adversity", "roll")), title="Again")


def _scene(
    random: Random, state: State, hero: Character, benefit: Literal["heal", "refill"]
) -> CharacterScene:
    return CharacterScene(
        character=hero.id,
        benefit=benefit,
        scene=f"Scene {state.conflict.number}-{random.randrange(10**9)}",
    )


def answer(random: Random, state: State) -> Command:
    """An answer to the roll that waits."""
    roll = state.open_roll
    if roll.asks == "keep":
        return _keep(random, state)
    marked = [trait.name for trait in state.characters[roll.actor].traits if trait.marked]
    return Reroll(trait=random.choice(marked)) if random.random() < 0.6 else Settle()


def _keep(random: Random, state: State) -> Keep:
    strike, charge = earned(state, state.open_roll.dice)
    limit = state.open_roll.earn_limit
    kept = random.randint(max(0, limit - charge), min(strike, limit))
    return Keep(strike=kept, charge=limit - kept)
