"""What faces say under the readings in force: successes, dice earned, wounds.

Shared by the view, which shows what a waiting roll would bring, and by the rules, which decide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulesets.anima_prime.parameters import Comparison, Parameters
from rulesets.anima_prime.state import Character, OpenRoll, Stake, State, bears, defense_of
from rulesets.dice import Die


class Earned(NamedTuple):
    """Dice a maneuver brings: strike dice for middling faces, charge dice for the highest."""

    strike: int
    charge: int

    @property
    def total(self) -> int:
        """All of them together, as the limit counts them."""
        return self.strike + self.charge


def successes_among(parameters: Parameters, dice: Sequence[Die]) -> int:
    """How many of the dice succeeded."""
    return _at_least(parameters.success_face, dice)


def earned_by(parameters: Parameters, dice: Sequence[Die]) -> Earned:
    """6.4: which of a maneuver's dice earn strike dice and which charge dice, before any limit."""
    success, charging = parameters.success_face, parameters.maneuver.charge_face
    faces = [die.face for die in dice if die.face >= success]
    charge = len([face for face in faces if face >= charging])
    return Earned(len(faces) - charge, charge)


def _at_least(face: int, dice: Sequence[Die]) -> int:
    return len([die for die in dice if die.face >= face])


def recommended_keep(earned: Earned, limit: int) -> Earned:
    """Up to the limit, charge dice first: they are rarer."""
    charge = min(earned.charge, limit)
    return Earned(min(earned.strike, limit - charge), charge)


def capped(have: int, gain: int, most: int | None) -> int:
    """How much of a gain fits under a maximum."""
    return gain if most is None else max(0, min(gain, most - have))


class Gain(NamedTuple):
    """What a maneuver brings its actor: dice as far as they fit in the pools, and a token or none."""

    strike: int
    charge: int
    token: bool


def gain_of(state: State, roll: OpenRoll, keep: Earned | None = None, earned: Earned | None = None) -> Gain:
    """6.4: what a maneuver brings if these dice are kept, or else the recommended ones; a token for five.

    `earned` is what its dice earn, where that was reckoned already.
    """
    earned = earned or earned_by(state.parameters, roll.dice)
    kept = keep or recommended_keep(earned, roll.earn_limit)
    actor, token = state.characters[roll.actor], state.parameters.token
    counted = kept.total if token.counts == "kept" else earned.total
    rewarded = actor.side == "pcs" or state.parameters.adversity.tokens
    return Gain(
        strike=kept.strike,
        charge=capped(actor.charge, kept.charge, actor.charge_max),
        token=rewarded and counted >= token.threshold,
    )


def circles_marked(struck: Character, wounds: int) -> int:
    """6.5: how many of so many wounds there are free circles for."""
    return max(0, min(wounds, struck.max_wounds - struck.wounds))


def beats(successes: int, number: int, compare: Comparison) -> bool:
    """Whether successes are enough against a difficulty or a defense."""
    return successes > number if compare == ">" else successes >= number


def wounds_of(parameters: Parameters, successes: int, defense: int) -> int:
    """6.5: the wounds so many successes make against a defense, however few circles are left."""
    reading = parameters.strike
    if not beats(successes, defense, reading.compare):
        return 0
    if reading.wounds == "single":
        return 1
    if reading.wounds == "margin":
        return max(1, successes - defense)
    spare = successes - 1 if reading.compare == ">" else successes
    return max(1, spare // max(1, defense))


def defense_against(state: State, actor: Character, target: Character) -> int:
    """The defense this actor must beat: the target's, and more of it when the actor is weakened."""
    weakness = sum([condition.opponent_defense for condition in bears(actor)])
    return (
        max(state.parameters.defense.min, defense_of(state, target) + weakness)
        if weakness
        else defense_of(state, target)
    )


def successes_against(parameters: Parameters, roll: OpenRoll, target: str) -> int:
    """6.4: the successes that count against one target: those of all dice thrown for all, and of its own."""
    if not roll.apart:
        return successes_among(parameters, roll.dice)
    shared = len(roll.dice) - sum(part.dice for part in roll.apart)
    count = successes_among(parameters, roll.dice[:shared])
    place = shared
    for part in roll.apart:
        if part.target == target:
            count += successes_among(parameters, roll.dice[place : place + part.dice])
        place += part.dice
    return count


def failed_places(parameters: Parameters, roll: OpenRoll) -> tuple[int, ...]:
    """Where the failed dice lie, from 0: these are thrown again in a reroll."""
    success = parameters.success_face
    return tuple([place for place, die in enumerate(roll.dice) if die.face < success])


def must_keep(parameters: Parameters, roll: OpenRoll) -> bool:
    """6.4: whether the roll earned more than its limit, so that somebody has to choose."""
    if roll.kind != "maneuver" or len(roll.dice) <= roll.earn_limit:
        return False
    return earned_by(parameters, roll.dice).total > roll.earn_limit


def comes_back(state: State, roll: OpenRoll) -> tuple[Stake, ...]:
    """The dice that go home if the roll is taken as it lies; none after any success."""
    parameters = state.parameters
    if roll.kind == "maneuver":
        return () if successes_among(parameters, roll.dice) else roll.stakes
    if roll.kind == "achieve":
        return () if achieves(state, roll) else roll.stakes
    return roll.stakes if parameters.strike.on_miss == "return" and not hits(state, roll) else ()


def achieves(state: State, roll: OpenRoll) -> bool:
    """6.6: whether an achievement has the successes its goal asks for."""
    goal = state.goals[roll.goal or ""]
    successes = successes_among(state.parameters, roll.dice)
    return beats(successes, goal.difficulty, state.parameters.achievement.compare)


def hits(state: State, roll: OpenRoll) -> tuple[str, ...]:
    """6.5: the targets a strike hits."""
    actor = state.characters[roll.actor]
    compare = state.parameters.strike.compare
    return tuple(
        [
            target
            for target in roll.targets
            if beats(
                successes_against(state.parameters, roll, target),
                defense_against(state, actor, state.characters[target]),
                compare,
            )
        ]
    )
