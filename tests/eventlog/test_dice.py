"""Server dice follow the published recipe; typed dice are taken as given or refused."""

import re
from pathlib import Path

import pytest

from eventlog.dice import ServerDice, TableDice, commitment, face
from rulesets.contract import RuleViolation

SEEDS = {"A": bytes([0xAB]) * 32, "B": bytes(range(32))}
RECIPE = Path(__file__).parents[2] / "docs" / "dice.md"
VECTORS = re.findall(
    r"^\| ([AB]) \| (\S+) \| (\d+) \| (\d+) \| (\d+) \| \w+ \| (\d+) \|$", RECIPE.read_text(), re.MULTILINE
)


def test_the_recipe_has_vectors() -> None:
    assert len(VECTORS) == 11


@pytest.mark.parametrize("seed,log,roll,index,sides,shown", VECTORS)
def test_a_face_is_the_one_openssl_computes(
    seed: str, log: str, roll: str, index: str, sides: str, shown: str
) -> None:
    assert face(SEEDS[seed], log, int(roll), int(index), int(sides)) == int(shown)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(SEEDS["B"]) in RECIPE.read_text()


@pytest.mark.parametrize("sides", [4, 6, 10, 20])
def test_a_quarter_of_a_million_dice_of_each_kind_are_fair(sides: int) -> None:
    """Chi-square over a million dice in all; the bound is the 99.99 % quantile for the degrees of freedom."""
    quantile = {4: 21.11, 6: 25.74, 10: 33.72, 20: 50.80}[sides]
    rolls, per_roll = 12_500, 20
    counts = [0] * (sides + 1)
    for roll in range(1, rolls + 1):
        for index in range(1, per_roll + 1):
            counts[face(SEEDS["A"], "fairness", roll, index, sides)] += 1
    assert counts[0] == 0
    expected = rolls * per_roll / sides
    assert sum((count - expected) ** 2 / expected for count in counts[1:]) < quantile


def test_the_reduction_favours_no_face_by_more_than_the_recipe_says() -> None:
    for sides in (6, 10, 100, 999_999, 1_000_000):
        most, least = -(-(2**256) // sides), 2**256 // sides
        assert (most - least) * 2**230 < 2**256 / sides


def test_rolls_count_on_and_dice_have_their_own_addresses() -> None:
    dice = ServerDice(SEEDS["B"], "caravan", 7)
    first = dice.roll("for nothing", [("gm", 6), ("gm", 6), ("gm", 20), ("gm", 100)])
    second = dice.roll("again", [("gm", 6)])
    assert [first.number, second.number, dice.next_roll] == [7, 8, 9]
    assert [die.face for die in first.dice][2:] == [13, 79]


def test_logs_do_not_share_their_dice() -> None:
    wanted = [("gm", 1000)] * 10
    rolls = [ServerDice(SEEDS["A"], f"log{n}", 1).roll("x", wanted).dice for n in range(20)]
    assert len(set(rolls)) == 20


def test_typed_faces_are_taken_in_their_order() -> None:
    dice = TableDice([4, 6, 1], 1)
    roll = dice.roll("maneuver", [("gc", 6), ("action:zadie", 6)])
    assert [(die.origin, die.face) for die in roll.dice] == [("gc", 4), ("action:zadie", 6)]
    assert roll.source == "table"
    assert dice.roll("more", [("gc", 6)]).dice[0].face == 1
    dice.finish()


def test_too_few_typed_faces_say_how_many_of_each_origin_are_wanted() -> None:
    with pytest.raises(RuleViolation) as refused:
        TableDice([4], 1).roll("maneuver", [("gc", 6), ("action:zadie", 6), ("action:zadie", 6)])
    assert refused.value.code == "dice-count-mismatch"
    assert refused.value.fields == {"wanted": 3, "given": 1, "origins": {"gc": 1, "action:zadie": 2}}
    assert not refused.value.overrulable
    words = "The maneuver throws 3 dice, in this order: 1 gc, 2 action (zadie); 1 was typed in"
    assert refused.value.message == words


def test_left_over_typed_faces_are_refused() -> None:
    dice = TableDice([4, 5], 1)
    dice.roll("maneuver", [("gc", 6)])
    with pytest.raises(RuleViolation, match="dice-count-mismatch"):
        dice.finish()


@pytest.mark.parametrize("shown", [0, -1, 7, 10**30])
def test_a_face_no_die_has_is_refused(shown: int) -> None:
    with pytest.raises(RuleViolation, match="face-out-of-range"):
        TableDice([shown], 1).roll("maneuver", [("gc", 6)])


def test_a_roll_of_no_dice_is_a_mistake_of_the_rules() -> None:
    with pytest.raises(ValueError, match="without a die"):
        ServerDice(SEEDS["A"], "x", 1).roll("nothing", [])
