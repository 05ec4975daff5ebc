"""Exact odds, held against counting every way the dice can fall and against known probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from anima_prime.sessions import current_rules
from anima_prime.table import foe, pc, running
from rulesets.anima_prime.commands import (
    Achieve,
    AddGoal,
    ApplyCondition,
    EndTurn,
    HelpAsked,
    Maneuver,
    Strike,
)
from rulesets.anima_prime.sheet import Bonus, DiceByType, Power
from rulesets.contract import Command
from rulesets.testing import Given

GATE = AddGoal(id="gate", name="Gate", difficulty=5)
BLAZE = Power(id="blaze", kind="strike", cost=1, joins=("strike",), dice=DiceByType(individual=2, squad=1))


def table(**zadie: Any) -> Given:
    """Zadie and Mira against a squad (defense 2, two circles) and a bull (defense 3, three circles)."""
    return running(
        pc("zadie", **{"strike": 9, "charge": 5, "awesome_tokens": 3, **zadie}),
        pc("mira"),
        foe("demons", defense=2, max_wounds=2),
        foe("bull", "individual", defense=3, max_wounds=3),
        GATE,
    )


def chances(given: Given, command: Command) -> dict[tuple[tuple[str, int], ...], Fraction]:
    """The odds as fractions by result."""
    outcomes = current_rules().odds(given.state, command)
    assert all(outcome.text for outcome in outcomes)
    found = {
        tuple(sorted(outcome.result.items())): Fraction(outcome.numerator, outcome.denominator)
        for outcome in outcomes
    }
    assert len(found) == len(outcomes)
    return found


def counted(dice: int, result: Callable[[tuple[int, ...]], dict[str, int]]) -> dict[Any, Fraction]:
    """What every way so many dice can fall leads to, counted one by one."""
    ways: Counter[Any] = Counter(
        tuple(sorted(result(faces).items())) for faces in product(range(1, 7), repeat=dice)
    )
    return {key: Fraction(count, 6**dice) for key, count in ways.items()}


def earned(faces: Iterable[int]) -> dict[str, int]:
    """6.4: 3 to 5 and 6; of more than five, charge dice first, as the recommended answer keeps them."""
    thrown = list(faces)
    charge = min(5, thrown.count(6))
    strike = min(5 - charge, sum(3 <= face <= 5 for face in thrown))
    return {"strike": strike, "charge": charge}


def hits(faces: Iterable[int]) -> int:
    """Faces of 3 and more."""
    return sum(face >= 3 for face in faces)


def wounds(successes: int, defense: int, circles: int) -> int:
    """6.5: floor((successes - 1) / defense), as many as there are circles."""
    return min(circles, (successes - 1) // defense) if successes > defense else 0


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_odds_of_a_maneuver(dice: int) -> None:
    """6.4: 1 competence die and the action dice."""
    assert chances(table(), Maneuver(actor="zadie", action_dice=dice)) == counted(1 + dice, earned)


def test_odds_of_a_maneuver_that_may_earn_too_much() -> None:
    """6.4: six dice, of which five are kept."""
    wish = Maneuver(
        actor="zadie", action_dice=2, helpers=(HelpAsked(character="mira", action_dice=1),), gifts=("gm",)
    )
    assert chances(table(), wish) == counted(6, earned)


@pytest.mark.parametrize("dice", [1, 2, 4, 6])
def test_odds_of_a_strike(dice: int) -> None:
    """6.5: wounds up to the circles that are left."""
    wish = Strike(actor="zadie", targets=("demons",), strike_dice=dice)
    assert chances(table(), wish) == counted(dice, lambda faces: {"demons": wounds(hits(faces), 2, 2)})


def test_odds_of_a_double_strike() -> None:
    """6.4: one roll against both, so the two results hang together."""
    wish = Strike(actor="zadie", targets=("demons", "bull"), strike_dice=5)
    assert chances(table(), wish) == counted(
        5, lambda faces: {"demons": wounds(hits(faces), 2, 2), "bull": wounds(hits(faces), 3, 3)}
    )


def test_odds_of_dice_thrown_apart() -> None:
    """6.4: three shared dice, two of the bull's own, one of the squad's own."""
    wish = Strike(actor="zadie", targets=("bull", "demons"), strike_dice=3, power="blaze")
    assert chances(table(powers=(BLAZE,)), wish) == counted(
        6,
        lambda faces: {
            "bull": wounds(hits(faces[:5]), 3, 3),
            "demons": wounds(hits(faces[:3]) + hits(faces[5:]), 2, 2),
        },
    )


def test_odds_under_conditions() -> None:
    """One die less for the blinded, one more defense for the shielded."""
    given = table().after(ApplyCondition(character="zadie", condition="Blinded"))
    given = given.after(ApplyCondition(character="demons", condition="Shielded"))
    wish = Strike(actor="zadie", targets=("demons",), strike_dice=5)
    assert chances(given, wish) == counted(4, lambda faces: {"demons": wounds(hits(faces), 3, 2)})


def test_the_worked_example_has_its_chance() -> None:
    """6.6: six or more of seven dice, 576 in 2187."""
    found = chances(table(), Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 7}))
    assert found == {(("achieved", 1),): Fraction(576, 2187), (("achieved", 0),): 1 - Fraction(576, 2187)}


@pytest.mark.parametrize("dice", [2, 3, 4])
def test_total_failure_is_a_third_to_the_power_of_the_dice(dice: int) -> None:
    """6.4: every die fails with 1/3."""
    found = chances(table(), Maneuver(actor="zadie", action_dice=dice - 1))
    assert found[("charge", 0), ("strike", 0)] == Fraction(1, 3) ** dice


@pytest.mark.parametrize("dice", [2, 3, 4])
def test_half_a_strike_die_and_a_sixth_of_a_charge_die(dice: int) -> None:
    """6.4: what a die brings on average, below the limit of five."""
    found = chances(table(), Maneuver(actor="zadie", action_dice=dice - 1))
    assert sum(dict(key)["strike"] * chance for key, chance in found.items()) == Fraction(dice, 2)
    assert sum(dict(key)["charge"] * chance for key, chance in found.items()) == Fraction(dice, 6)


@pytest.mark.parametrize(
    "reading, chance",
    [("margin", Fraction(256, 729)), ("multiples", Fraction(0)), ("single", Fraction(0))],
)
def test_six_dice_against_a_fresh_character(reading: str, chance: Fraction) -> None:
    """6.5: taken out in one strike with 35 % by margin (five or six successes), never by the other readings."""
    given = running(
        pc("zadie"), foe("bull", "individual", strike=6), first="adversity", strike={"wounds": reading}
    )
    found = chances(given, Strike(actor="bull", targets=("zadie",), strike_dice=6))
    assert found.get((("zadie", 3),), Fraction(0)) == chance


COMMANDS = [
    Maneuver(actor="zadie", action_dice=3, gifts=("mira", "gm"), bonus=(Bonus(dice=6, source="Whip"),)),
    Strike(actor="zadie", targets=("bull", "demons"), strike_dice=6, bonus=(Bonus(dice=9, source="Whip"),)),
    Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 8}),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_odds_add_up_to_one(command: Command) -> None:
    """Exactly, however many dice."""
    found = chances(table(), command)
    assert sum(found.values()) == 1
    assert min(found.values()) > 0


@pytest.mark.parametrize(
    "command", [EndTurn(), Maneuver(actor="zadie", action_dice=9), Maneuver(actor="nobody", action_dice=1)]
)
def test_no_odds_where_nothing_is_thrown(command: Command) -> None:
    """Neither for what has no dice nor for what cannot be done."""
    assert current_rules().odds(table().state, command) == ()
