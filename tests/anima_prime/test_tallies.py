"""What facts add to the statistics of the people at the table."""

from __future__ import annotations

import pytest

from anima_prime.caravan import RECORD, caravan
from anima_prime.table import fell, reading
from rulesets.anima_prime import events as fact
from rulesets.contract import Event
from rulesets.dice import Roll

FIVE = fell(1, "strike", *(("strike:zadie", face) for face in (1, 2, 3, 5, 6)))


def tallied(event: Event) -> list[tuple[str, str, int]]:
    """Who is counted for what, and how much."""
    return [(one.who, one.measure, one.amount) for one in RECORD.tally(caravan(), event)]


@pytest.mark.parametrize(
    "event, counted",
    [
        (fact.DiceRolled(actor="zadie", roll=FIVE), [("zadie", "dice", 5), ("zadie", "successes", 3)]),
        (
            fact.DiceRerolled(
                actor="zadie", trait="Sharpshooter", places=(0,), roll=fell(2, "reroll", ("action:zadie", 2))
            ),
            [("zadie", "rerolls", 1), ("zadie", "dice", 1), ("zadie", "successes", 0)],
        ),
        (fact.GiftGiven(giver="rasheem", to="zadie"), [("rasheem", "gifts", 1)]),
        (
            fact.ManeuverEarned(actor="zadie", strike=4, charge=1, tokens=1),
            [("zadie", "strike-earned", 4), ("zadie", "charge-earned", 1), ("zadie", "tokens-earned", 1)],
        ),
        (
            fact.StrikeResolved(
                actor="zadie",
                results=(
                    fact.StrikeResult(target="bull", successes=9, defense=3, wounds=1, surplus=1),
                    fact.StrikeResult(target="rasheem", successes=3, defense=2, wounds=1),
                ),
            ),
            [("zadie", "wounds-inflicted", 2)],
        ),
        (fact.WoundsInflicted(character="bull", wounds=1), [("bull", "wounds-taken", 1)]),
        (fact.TokensSpent(character="zadie", tokens=2, use="double"), [("zadie", "tokens-spent", 2)]),
        (
            fact.AchievementResolved(actor="zadie", goal="hide", successes=6, difficulty=5, achieved=True),
            [("zadie", "goals-achieved", 1)],
        ),
        (fact.AchievementResolved(actor="zadie", goal="hide", successes=5, difficulty=5), []),
        (fact.RoundEnded(round=1), []),
    ],
)
def test_what_counts_for_whom(event: Event, counted: list[tuple[str, str, int]]) -> None:
    """Amounts as applied: surplus wounds were never inflicted, a missed goal is none."""
    assert tallied(event) == counted


@pytest.mark.parametrize(
    "success_face, roll, expected, successes",
    [(3, FIVE, (20, 6), 3), (5, FIVE, (10, 6), 2), (1, FIVE, (30, 6), 5)],
)
def test_luck_is_held_against_the_faces_that_succeed(
    success_face: int, roll: Roll, expected: tuple[int, int], successes: int
) -> None:
    """Two thirds of a success for each die with the recommended reading, exactly."""
    state = RECORD.start(reading(success_face=success_face))
    (luck,) = (one for one in RECORD.tally(state, fact.DiceRolled(actor="zadie", roll=roll)) if one.expected)
    assert (luck.measure, luck.amount, luck.expected) == ("successes", successes, expected)
