"""Luck: exact chances against tables and convolutions, and each die counted once for whoever threw it."""

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from fractions import Fraction
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitting import ADA, OBSERVER, Sitting

from projections.chances import chi_square, chi_square_chance, rounded, sum_chance, upper_gamma
from projections.luck import DiceLuck
from projections.statistics import Measure, statistics
from rulesets.people import GM, Viewer


def convolved(dice: int, sides: int) -> Counter[int]:
    """In how many ways dice sum to each total, one die after the other."""
    ways = Counter({0: 1})
    for _ in range(dice):
        more: Counter[int] = Counter()
        for total, count in ways.items():
            for face in range(1, sides + 1):
                more[total + face] += count
        ways = more
    return ways


# --- chances ------------------------------------------------------------------------------------------------


@given(st.integers(1, 8), st.sampled_from([2, 3, 6, 10]), st.data())
def test_the_chance_of_a_sum_is_that_of_the_convolution(dice: int, sides: int, data: st.DataObject) -> None:
    total = data.draw(st.integers(dice, dice * sides))
    ways, mean = convolved(dice, sides), Fraction(dice * (sides + 1), 2)
    off = abs(total - mean)
    wanted = sum(count for each, count in ways.items() if abs(each - mean) >= off)
    assert sum_chance(dice, sides, total) == Fraction(wanted, sides**dice)


@pytest.mark.parametrize(
    "dice,sides,total,chance",
    [
        (1, 6, 6, Fraction(1, 3)),  # 1 or 6
        (2, 6, 7, Fraction(1)),
        (2, 6, 12, Fraction(2, 36)),  # 2 or 12
        (2, 6, 10, Fraction(12, 36)),  # 2 3 4 and 10 11 12: 1 2 3 ways each
        (3, 6, 18, Fraction(2, 216)),
        (3, 6, 15, Fraction(40, 216)),  # 3d6: 1 3 6 10 ways of 18 17 16 15, and as many low
        (1, 20, 20, Fraction(1, 10)),
        (2, 1_000_000, 2, Fraction(2, 10**12)),
    ],
)
def test_chances_known_from_the_table(dice: int, sides: int, total: int, chance: Fraction) -> None:
    assert sum_chance(dice, sides, total) == chance


def test_many_dice_are_read_off_the_normal_curve() -> None:
    """600 dice: mean 2100, deviation sqrt(600 · 35/12) = 41.833; 2182.5 is 1.96 deviations off, half a step aside."""
    assert isclose(float(sum_chance(600, 6, 2182)), 0.0513, abs_tol=5e-4)
    assert float(sum_chance(600, 6, 2100)) == 1
    assert isclose(float(sum_chance(501, 6, 1830)), float(sum_chance(500, 6, 1827)), rel_tol=0.05)


@pytest.mark.parametrize("degrees,value,chance", [
    (1, 3.841, 0.05), (1, 6.635, 0.01), (3, 7.815, 0.05), (5, 11.070, 0.05), (5, 1.145, 0.95), (5, 15.086, 0.01),
    (9, 16.919, 0.05), (19, 30.144, 0.05), (19, 10.117, 0.95), (99, 123.225, 0.05), (99, 77.046, 0.95),
])  # fmt: skip
def test_the_chi_square_curve_is_that_of_the_printed_table(degrees: int, value: float, chance: float) -> None:
    assert isclose(upper_gamma(degrees / 2, value / 2), chance, abs_tol=1e-4)


def test_unevenness_by_hand() -> None:
    """Thirty dice, five a face expected: 8 5 5 5 5 2 are 9/5 + 9/5 off."""
    faces = {1: 8, 2: 5, 3: 5, 4: 5, 5: 5, 6: 2}
    assert chi_square(faces, 6) == Fraction(18, 5)
    assert chi_square({3: 12}, 6) == 60
    chance = chi_square_chance(Fraction(18, 5), 6, 30)
    assert chance is not None
    assert isclose(chance, 0.6083, abs_tol=1e-4)
    assert chi_square_chance(Fraction(18, 5), 6, 29) is None


@pytest.mark.parametrize("chance,words", [
    (Fraction(1), "1.0000"), (Fraction(1, 3), "0.3333"), (0.05, "0.0500"), (Fraction(1, 1000), "0.0010"),
    (Fraction(1, 7776), "0.000129"), (1e-9, "0.00000000100"), (Fraction(1, 6**400), "0.00000000000100"), (0.0, "0.00000000000100"),
])  # fmt: skip
def test_chances_are_decimals(chance: Fraction | float, words: str) -> None:
    assert rounded(chance) == words


# --- whose dice ---------------------------------------------------------------------------------------------


def luck(sitting: Sitting, viewer: Viewer) -> tuple[DiceLuck, ...]:
    return statistics(sitting.store, sitting.session, viewer).luck


def of(found: Sequence[DiceLuck], who: str) -> list[DiceLuck]:
    return [each for each in found if each.who == who]


def test_the_luck_of_each_with_each_kind_of_die(duel: Sitting) -> None:
    """Ada throws 3 3 3 to strike and 4 for damage: four dice, 13, where 14 are fair: 1296 ways, 1150 as far off."""
    duel.blow()
    (ada,) = of(luck(duel, OBSERVER), "ada")
    ways = convolved(4, 6)
    assert ways[14] == 146
    assert ada == DiceLuck(
        who="ada", sides=6, source="table", dice=4, total=13, expected="14.0", chance=rounded(Fraction(1150, 1296)),
        method="exact", unevenness="11.00", uneven_chance=None, faces={"3": 3, "4": 1},
    )  # fmt: skip


def test_server_and_table_are_told_apart(duel: Sitting) -> None:
    duel.act("roll", count=2, sides=10, purpose="x", request={"dice": (10, 2)})
    duel.act("roll", count=3, sides=10, purpose="x")
    server, table = sorted(luck(duel, GM), key=lambda each: each.source)
    assert (server.dice, server.source, table.dice, table.total) == (3, "server", 2, 12)
    assert (table.expected, table.chance) == ("11.0", rounded(Fraction(90, 100)))


def test_a_die_counts_once_however_often_a_correction_takes_it_along(duel: Sitting) -> None:
    number = duel.act("attack", attacker="ada", target="ben").tape.action
    faces = of(luck(duel, GM), "ada")
    duel.act("undo", target=number)
    assert of(luck(duel, GM), "ada") == faces
    duel.act("attack", attacker="ada", target="ben")
    assert duel.tape.history.stands(number, 1) is False
    assert of(luck(duel, GM), "ada") == faces


def test_deeds_that_hang_on_dice_stand_beside_their_expectation() -> None:
    numbers = {"action": 6, "defense": 2, "max_wounds": 3}
    with closing(Sitting("anima-prime")) as sitting:
        sitting.act("add_character", id="zadie", side="pcs", kind="pc", **numbers)
        sitting.act("add_character", id="bull", side="adversity", kind="individual", **numbers)
        sitting.act("start_conflict", first="pcs")
        sitting.act("maneuver", actor="zadie", action_dice=2, request={"dice": (6, 3, 1)})
        deeds = statistics(sitting.store, sitting.session, GM).characters["zadie"]
    assert deeds["successes"] == Measure(amount=2, expected="2.00", expected_exact="2")


def test_luck_is_that_of_visible_dice(duel: Sitting) -> None:
    duel.act("roll", count=2, purpose="canary", by=ADA, request={"visible_to": "self+gm"})
    assert luck(duel, OBSERVER) == ()
    assert sum(each.dice for each in luck(duel, ADA)) == 2


def test_undone_deeds_are_no_deeds(duel: Sitting) -> None:
    number = duel.blow()
    assert statistics(duel.store, duel.session, GM).characters["ben"]["hp-lost"].amount == 4
    duel.act("undo", target=number)
    counted = statistics(duel.store, duel.session, GM)
    assert counted.characters == {}
    assert counted.dice == 4, "dice that fell have fallen"
    duel.act("redo", target=number)
    assert statistics(duel.store, duel.session, GM).characters["ben"]["hp-lost"].amount == 4
