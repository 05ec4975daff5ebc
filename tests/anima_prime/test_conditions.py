"""Conditions: what they add, what they take, and when they go (first edition list)."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, foe, pc, running
from rulesets.anima_prime.commands import (
    Achieve,
    AddGoal,
    ApplyCondition,
    EndConflict,
    EndRound,
    EndTurn,
    Maneuver,
    RemoveCondition,
    StartConflict,
    StartingCondition,
    Strike,
)
from rulesets.anima_prime.events import ConditionApplied, ConditionRemoved
from rulesets.anima_prime.sheet import Condition

GATE = AddGoal(id="gate", name="Gate", difficulty=2)


def under(condition, on="zadie", *, first="pcs", **zadie):
    """Zadie and Mira against the demons, one of them under a condition."""
    return running(
        pc("zadie", **{"strike": 12, "charge": 4, "powers": ("heroics",), **zadie}),
        pc("mira"),
        foe("demons", strike=6),
        GATE,
        first=first,
    ).after(ApplyCondition(character=on, condition=condition))


def names(view, who="zadie"):
    """The conditions somebody bears."""
    return [condition["name"] for condition in view["characters"][who]["conditions"]]


def test_a_condition_is_applied_and_removed() -> None:
    """The GM says so; both are facts."""
    table = running(pc("zadie"), foe("demons"))
    when = table.when(ApplyCondition(character="zadie", condition="Blinded"))
    assert [type(event) for event in when.events] == [ConditionApplied]
    assert names(when.accepted().view()) == ["Blinded"]
    gone = when.when(RemoveCondition(character="zadie", condition="Blinded"))
    assert [type(event) for event in gone.events] == [ConditionRemoved]
    assert names(gone.accepted().view()) == []


def test_a_condition_for_all() -> None:
    """Everybody in the conflict; a condition of the same name lies on somebody once."""
    table = under("Blinded").after(ApplyCondition(characters="all", condition="Blinded"))
    assert [names(table.view(), who) for who in ("zadie", "mira", "demons")] == [["Blinded"]] * 3


@pytest.mark.parametrize(
    "condition, dice",
    [
        ("Quickened", 4),
        ("Empowered", 3),
        ("Blinded", 2),
        ("Slowed", 2),
        ("Shielded", 3),
        ("Hexed", 3),
        ("Weakened", 3),
    ],
)
def test_dice_of_a_maneuver(condition, dice) -> None:
    """1 competence and 2 action dice are three; Quickened adds one, Blinded and Slowed take one."""
    table = under(condition)
    maneuver = Maneuver(actor="zadie", action_dice=2)
    table.when(maneuver, (3,) * (dice + 1), source="table").then_refused("dice-count-mismatch")
    table.when(maneuver, (3,) * dice, source="table").then_state(
        characters={"zadie": {"strike": 12 + dice, "action": 4}}
    )


@pytest.mark.parametrize(
    "condition, dice", [("Quickened", 3), ("Empowered", 4), ("Blinded", 2), ("Slowed", 3), ("Shielded", 3)]
)
def test_dice_of_a_strike(condition, dice) -> None:
    """Three strike dice; Empowered adds one, Blinded takes one."""
    table = under(condition)
    strike = Strike(actor="zadie", targets=("demons",), strike_dice=3)
    table.when(strike, (1,) * (dice + 1), source="table").then_refused("dice-count-mismatch")
    table.when(strike, (1,) * dice, source="table").then_state(characters={"zadie": {"strike": 12}})


@pytest.mark.parametrize("condition, dice", [("Quickened", 4), ("Empowered", 4), ("Blinded", 3)])
def test_dice_of_an_achievement(condition, dice) -> None:
    """Four strike dice; only Blinded says every roll."""
    under(condition).when(
        Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 4}), (1,) * dice, source="table"
    ).then_state(characters={"zadie": {"strike": 12}})


def test_empowered_comes_on_top_of_six() -> None:
    """6.5: bonus dice are outside the limit."""
    under("Empowered").when(
        Strike(actor="zadie", targets=("demons",), strike_dice=6), faces(7), source="table"
    ).then_state(characters={"demons": {"wounds": 2}, "zadie": {"strike": 6}})


def test_shielded_raises_the_defense() -> None:
    """Defense 3 + 1: four successes miss, five hit for floor(4 / 4) = 1."""
    table = under("Shielded", on="demons")
    assert table.view()["characters"]["demons"]["defense"] == 4
    assert table.view()["characters"]["demons"]["base_defense"] == 3
    for successes, wounds in ((4, 0), (5, 1)):
        table.when(
            Strike(actor="zadie", targets=("demons",), strike_dice=5), faces(successes, 5 - successes)
        ).then_state(characters={"demons": {"wounds": wounds}})


def test_weakened_raises_the_defense_of_those_one_strikes() -> None:
    """Only against the weakened: Zadie needs five, though the demons' defense is 3."""
    table = under("Weakened")
    assert table.view()["characters"]["demons"]["defense"] == 3
    for successes, wounds in ((4, 0), (5, 1)):
        table.when(
            Strike(actor="zadie", targets=("demons",), strike_dice=5), faces(successes, 5 - successes)
        ).then_state(characters={"demons": {"wounds": wounds}})


def test_hexed_makes_powers_dearer() -> None:
    """Heroics costs 2 + 1."""
    wish = Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1}, power="heroics")
    under("Hexed").when(wish, (1,) * 4).then_state(characters={"zadie": {"charge": 1}})
    under("Hexed", charge=2).when(wish).then_refused("not-enough-charge")


def test_poison_takes_a_die_at_the_start_of_each_own_turn() -> None:
    """One action die each time the bearer's side begins its turn, not when the other side does."""
    table = under("Poisoned", action=3, first="adversity")
    assert table.view()["characters"]["zadie"]["action"] == 3
    table = table.after(EndTurn())
    assert table.view()["characters"]["zadie"]["action"] == 2
    table = table.after(EndTurn())
    assert table.view()["characters"]["zadie"]["action"] == 2
    table = table.after(EndTurn())
    assert table.view()["characters"]["zadie"]["action"] == 1
    assert names(table.view()) == ["Poisoned"]


def test_poison_ends_with_the_last_action_die() -> None:
    """The pool is empty: the poison has nothing left to take."""
    table = under("Poisoned", action=1, first="adversity").after(EndTurn())
    assert table.view()["characters"]["zadie"]["action"] == 0
    assert names(table.view()) == []


def test_poison_also_bites_when_the_first_side_begins_again() -> None:
    """The round ends, the side that began begins its next turn."""
    table = under("Poisoned", action=3).after(EndRound())
    assert table.view()["characters"]["zadie"]["action"] == 2


def test_poison_in_the_adversity() -> None:
    """Opponents have Action Pools too."""
    table = under("Poisoned", on="demons").after(EndTurn())
    assert table.view()["characters"]["demons"]["action"] == 7


def test_darksighted_does_not_mind_the_dark() -> None:
    """Neither Blinded nor Darkness takes a die from the Darksighted."""
    for dark in ("Blinded", "Darkness"):
        table = under(dark).after(ApplyCondition(character="zadie", condition="Darksighted"))
        table.when(Maneuver(actor="zadie", action_dice=2), (3, 3, 3), source="table").accepted()


def test_darkness_is_like_blinded() -> None:
    """One die less for everyone in it."""
    under("Darkness").when(Maneuver(actor="zadie", action_dice=2), (3, 3), source="table").accepted()


def test_a_condition_of_ones_own() -> None:
    """The table may write any condition with its numbers."""
    haste = Condition(name="On the high wall", dice=2, joins=("strike",), defense=1)
    table = under(haste)
    assert table.view()["characters"]["zadie"]["defense"] == 3
    table.when(Strike(actor="zadie", targets=("demons",), strike_dice=1), (1,) * 3, source="table").accepted()
    table.when(Maneuver(actor="zadie", action_dice=1), (3, 3), source="table").accepted()


def test_conditions_end_with_the_conflict() -> None:
    """Recommended reading: the end removes them."""
    table = under("Blinded").after(EndConflict(outcome="agreement"))
    assert names(table.view()) == []


def test_conditions_stay_where_the_table_says_so() -> None:
    """Parameter end.conditions."""
    table = running(pc("zadie"), foe("demons"), end={"conditions": "keep"})
    table = table.after(ApplyCondition(character="zadie", condition="Blinded")).after(
        EndConflict(outcome="agreement")
    )
    assert names(table.view()) == ["Blinded"]


def test_a_condition_for_a_round() -> None:
    """`until` says when it goes by itself."""
    table = running(pc("zadie"), foe("demons")).after(
        ApplyCondition(character="zadie", condition="Quickened", until="round")
    )
    assert names(table.after(EndTurn()).view()) == ["Quickened"]
    assert names(table.after(EndTurn()).after(EndTurn()).view()) == []


def test_conditions_may_be_there_from_the_start() -> None:
    """6.1: the GM sets starting conditions."""
    table = running(pc("zadie"), foe("demons")).after(EndConflict(outcome="agreement"))
    again = table.after(
        StartConflict(
            first="pcs",
            characters=("zadie", "demons"),
            conditions=(StartingCondition(condition="Darkness", characters="all"),),
        )
    )
    assert names(again.view()) == ["Darkness"]
    assert names(again.view(), "demons") == ["Darkness"]


def test_conditions_on_nobody() -> None:
    """Unknown bearers, and conditions that are not borne."""
    table = running(pc("zadie"), foe("demons"))
    table.when(ApplyCondition(character="nobody", condition="Blinded")).then_refused("unknown-character")
    assert table.when(RemoveCondition(character="zadie", condition="Blinded")).refusal


def test_blinded_rolls_keep_at_least_what_is_left() -> None:
    """One strike die less one is nothing to throw: refused, or a sure miss, but never a crash."""
    when = under("Blinded").when(Strike(actor="zadie", targets=("demons",), strike_dice=1))
    if when.refusal is None:
        when.then_state(characters={"demons": {"wounds": 0}})
