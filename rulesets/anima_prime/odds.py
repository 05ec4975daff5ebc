"""Exact chances of what an action not yet taken leads to, before any reroll; no chance is rounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import comb

from rulesets.anima_prime.commands import Achieve, Command, Maneuver, Strike
from rulesets.anima_prime.costs import earn_limit
from rulesets.anima_prime.pool import Wanted, wanted
from rulesets.anima_prime.reckoning import (
    Earned,
    beats,
    circles_marked,
    defense_against,
    recommended_keep,
    wounds_of,
)
from rulesets.anima_prime.refusals import refusals
from rulesets.anima_prime.state import State
from rulesets.contract import Outcome


def odds(state: State, command: Command) -> tuple[Outcome, ...]:
    """What can come of a maneuver, strike or achievement, and how likely; nothing for what throws no dice."""
    if not isinstance(command, Maneuver | Strike | Achieve):
        return ()
    if any(not violation.overrulable for violation in refusals(state, command)):
        return ()
    pool = wanted(state, command)
    match command:
        case Maneuver():
            return _maneuver(state, command, len(pool.origins))
        case Strike():
            return _strike(state, command, pool)
        case Achieve():
            return _achievement(state, command, len(pool.origins))


def binomial(dice: int, chance: Fraction) -> tuple[Fraction, ...]:
    """The chances of 0, 1, 2 … successes among so many dice."""
    return tuple(comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in range(dice + 1))


def _success(state: State) -> Fraction:
    return Fraction(7 - state.parameters.success_face, 6)


def _maneuver(state: State, command: Maneuver, dice: int) -> tuple[Outcome, ...]:
    """6.4: every pair of strike and charge dice, kept as recommended; no success at all is a total failure."""
    limit = earn_limit(state, command)
    chances: dict[tuple[int, int], Fraction] = {}
    for earned, chance in _earned(state, dice):
        kept = recommended_keep(earned, limit)
        chances[kept] = chances.get(kept, Fraction()) + chance
    return tuple(
        _outcome(_gain(strike, charge), {"strike": strike, "charge": charge}, chance)
        for (strike, charge), chance in sorted(chances.items())
    )


def _gain(strike: int, charge: int) -> str:
    return f"{strike} strike and {charge} charge" if strike or charge else "a total failure, dice come back"


def _earned(state: State, dice: int) -> Iterator[tuple[Earned, Fraction]]:
    """Charge dice first, then strike dice among the rest: a multinomial as two binomials."""
    faces = 7 - max(state.parameters.maneuver.charge_face, state.parameters.success_face)
    high = Fraction(faces, 6)
    middling = (_success(state) - high) / (1 - high) if high < 1 else Fraction()
    for charge, chance in enumerate(binomial(dice, high)):
        for strike, among in enumerate(binomial(dice - charge, middling)):
            if chance * among:
                yield Earned(strike, charge), chance * among


def _strike(state: State, command: Strike, pool: Wanted) -> tuple[Outcome, ...]:
    """6.5: wounds for each target, of dice shared by all and dice of its own."""
    own = {part.target: part.dice for part in pool.apart}
    shared = len(pool.origins) - sum(own.values())
    chances: dict[tuple[int, ...], Fraction] = {}
    for hits, chance in enumerate(binomial(shared, _success(state))):
        results: dict[tuple[int, ...], Fraction] = {(): chance}
        for target in command.targets:
            alone = tuple(_wounds(state, command, target, hits, own.get(target, 0)))
            results = _joined(results, alone)
        for wounds, likely in results.items():
            chances[wounds] = chances.get(wounds, Fraction()) + likely
    return tuple(
        _outcome(_harm(state, command, wounds), dict(zip(command.targets, wounds, strict=True)), chance)
        for wounds, chance in sorted(chances.items())
    )


def _wounds(
    state: State, command: Strike, target: str, hits: int, own: int
) -> Iterator[tuple[int, Fraction]]:
    struck = state.characters[target]
    defense = defense_against(state, state.characters[command.actor], struck)
    for more, chance in enumerate(binomial(own, _success(state))):
        yield circles_marked(struck, wounds_of(state.parameters, hits + more, defense)), chance


def _joined(
    results: dict[tuple[int, ...], Fraction], alone: Iterable[tuple[int, Fraction]]
) -> dict[tuple[int, ...], Fraction]:
    joined: dict[tuple[int, ...], Fraction] = {}
    for wounds, chance in alone:
        for before, likely in results.items():
            joined[(*before, wounds)] = joined.get((*before, wounds), Fraction()) + likely * chance
    return joined


def _harm(state: State, command: Strike, wounds: tuple[int, ...]) -> str:
    told = (
        f"{state.characters[target].name}: {'no wound' if not one else '1 wound' if one == 1 else f'{one} wounds'}"
        for target, one in zip(command.targets, wounds, strict=True)
    )
    return ", ".join(told)


def _achievement(state: State, command: Achieve, dice: int) -> tuple[Outcome, ...]:
    """6.6: achieved or not."""
    difficulty, compare = state.goals[command.goal].difficulty, state.parameters.achievement.compare
    chances = binomial(dice, _success(state))
    achieved = sum(
        (chance for hits, chance in enumerate(chances) if beats(hits, difficulty, compare)), Fraction()
    )
    return (
        _outcome("achieved", {"achieved": 1}, achieved),
        _outcome("not achieved, strike dice come back", {"achieved": 0}, 1 - achieved),
    )


def _outcome(text: str, result: dict[str, int], chance: Fraction) -> Outcome:
    return Outcome(text=text, result=result, numerator=chance.numerator, denominator=chance.denominator)
