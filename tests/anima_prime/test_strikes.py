"""6.5 Strikes: successes against the defense, wounds, and what a miss leaves."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, fell, foe, marked, pc, running
from rulesets.anima_prime.commands import EndTurn, Reroll, Settle, Strike
from rulesets.anima_prime.events import (
    CharacterDefeated,
    DiceReturned,
    DiceRolled,
    StrikeDeclared,
    StrikeResolved,
    StrikeResult,
    WoundsInflicted,
)
from rulesets.anima_prime.sheet import Bonus
from rulesets.testing import step

# Successes 2 to 7 in rows, then defense 1, 2, 3, 4, 6; each cell is multiples/margin/single.
TABLE = {
    2: ("1/1/1", "0/0/0", "0/0/0", "0/0/0", "0/0/0"),
    3: ("2/2/1", "1/1/1", "0/0/0", "0/0/0", "0/0/0"),
    4: ("3/3/1", "1/2/1", "1/1/1", "0/0/0", "0/0/0"),
    5: ("4/4/1", "2/3/1", "1/2/1", "1/1/1", "0/0/0"),
    6: ("5/5/1", "2/4/1", "1/3/1", "1/2/1", "0/0/0"),
    7: ("6/6/1", "3/5/1", "2/4/1", "1/3/1", "1/1/1"),
}
CELLS = [
    (reading, successes, defense, int(cell.split("/")[column]))
    for column, reading in enumerate(("multiples", "margin", "single"))
    for successes, row in TABLE.items()
    for defense, cell in zip((1, 2, 3, 4, 6), row, strict=True)
]


def duel(strike=6, **target):
    """Zadie with six strike dice against the demons."""
    return running(pc("zadie", strike=strike), foe("demons", **target))


def hit(dice, **more):
    """Zadie strikes at the demons."""
    return Strike(actor="zadie", targets=("demons",), strike_dice=dice, **more)


@pytest.mark.parametrize("reading, successes, defense, wounds", CELLS)
def test_wounds_of_a_strike(reading, successes, defense, wounds) -> None:
    """6.5, every cell of the table; the seventh success is a bonus die."""
    table = running(
        pc("zadie", strike=6), foe("demons", defense=defense, max_wounds=20), strike={"wounds": reading}
    )
    bonus = (Bonus(dice=1, source="High ground"),) if successes == 7 else ()
    dice = min(successes, 6)
    table.when(hit(dice, bonus=bonus), faces(successes)).then_state(
        characters={"demons": {"wounds": wounds}, "zadie": {"strike": 6 - dice if wounds else 6}}
    )


def test_a_hit_uses_up_all_dice() -> None:
    """6.5: five successes of six against 3: floor(4 / 3) = 1 wound."""
    duel().when(hit(6, text="between the shields"), (3, 4, 5, 6, 3, 1)).then(
        StrikeDeclared(actor="zadie", targets=("demons",), strike_dice=6, text="between the shields"),
        DiceRolled(
            actor="zadie", roll=fell(1, "strike", *[("strike:zadie", face) for face in (3, 4, 5, 6, 3, 1)])
        ),
        StrikeResolved(
            actor="zadie",
            results=(StrikeResult(target="demons", successes=5, defense=3, wounds=1),),
            by_itself=True,
        ),
        WoundsInflicted(character="demons", wounds=1),
    ).then_state(
        characters={"zadie": {"strike": 0, "acted": True}, "demons": {"wounds": 1, "status": "active"}}
    )


def test_a_miss_returns_the_strike_dice() -> None:
    """6.5, recommended reading: three successes do not beat 3; the action is used all the same."""
    duel().when(hit(4), (3, 4, 5, 1)).then(
        StrikeDeclared(actor="zadie", targets=("demons",), strike_dice=4),
        DiceRolled(actor="zadie", roll=fell(1, "strike", *[("strike:zadie", face) for face in (3, 4, 5, 1)])),
        StrikeResolved(
            actor="zadie", results=(StrikeResult(target="demons", successes=3, defense=3),), by_itself=True
        ),
        DiceReturned(character="zadie", pool="strike", dice=4),
    ).then_state(characters={"zadie": {"strike": 6, "acted": True}, "demons": {"wounds": 0}})


def test_a_miss_may_lose_the_dice() -> None:
    """Parameter strike.on_miss."""
    table = running(pc("zadie", strike=6), foe("demons"), strike={"on_miss": "lose"})
    table.when(hit(4), (3, 4, 5, 1)).then_state(characters={"zadie": {"strike": 2}})


def test_a_miss_loses_bonus_and_charge_dice() -> None:
    """6.5: only strike dice come back."""
    table = running(pc("zadie", strike=6, charge=3), foe("demons"))
    table.when(hit(2, bonus=(Bonus(dice=2, source="Whip", charge=2),)), (3, 4, 1, 1)).then_state(
        characters={"zadie": {"strike": 6, "charge": 1}}
    )


def test_wounds_stop_at_the_last_circle() -> None:
    """6.5: the surplus is noted, not marked; with the last circle the target is out (6.3)."""
    table = duel(defense=1, max_wounds=3, wounds=1)
    when = table.when(hit(6), faces(6))
    assert when.events[-3:] == (
        StrikeResolved(
            actor="zadie",
            results=(StrikeResult(target="demons", successes=6, defense=1, wounds=2, surplus=3),),
            by_itself=True,
        ),
        WoundsInflicted(character="demons", wounds=2),
        CharacterDefeated(character="demons"),
    )
    when.then_state(characters={"demons": {"wounds": 3, "status": "defeated"}})


def test_a_trait_may_turn_a_miss() -> None:
    """6.4, 6.5: unmark a trait, throw the failed dice again."""
    table = running(pc("zadie", strike=6, traits=marked("Sharpshooter")), foe("demons"))
    rolled = table.when(hit(6), (3, 4, 5, 1, 2, 2))
    rolled.then_state(open_roll={"kind": "strike", "may_reroll": True}, characters={"demons": {"wounds": 0}})
    rolled.when(Reroll(trait="Sharpshooter"), (6, 1, 2)).then_state(
        characters={"demons": {"wounds": 1}, "zadie": {"strike": 0, "traits": [{"marked": False}]}}, open=[]
    )
    rolled.when(Settle()).then_state(
        characters={"demons": {"wounds": 0}, "zadie": {"strike": 6, "traits": [{"marked": True}]}}, open=[]
    )


def test_the_trait_stays_unmarked_after_a_miss() -> None:
    """6.6 by analogy: the mark is gone, the dice come back."""
    table = running(pc("zadie", strike=4, traits=marked("Sharpshooter")), foe("demons"))
    table.when(hit(4), (3, 4, 5, 1)).when(Reroll(trait="Sharpshooter"), (2,)).then_state(
        characters={"zadie": {"strike": 4, "traits": [{"marked": False}]}}
    )


@pytest.mark.parametrize("dice", [7, 100])
def test_at_most_six_strike_dice(dice) -> None:
    """6.6: the limit of a strike; the GM may pass over it."""
    duel(strike=200).when(hit(dice)).then_refused("too-many-strike-dice", overrulable=True)


def test_bonus_dice_come_on_top_of_six() -> None:
    """6.5."""
    duel().when(hit(6, bonus=(Bonus(dice=3, source="Siege engine"),)), faces(9)).then_state(
        characters={"demons": {"wounds": 2}}
    )


def test_at_least_one_strike_die() -> None:
    """6.5: nobody strikes with nothing."""
    duel().when(hit(0)).then_refused("not-enough-strike-dice")


def test_nobody_strikes_with_dice_they_do_not_have() -> None:
    """6.5: no ruling makes dice out of nothing."""
    duel(strike=2).when(hit(3)).then_refused("not-enough-strike-dice", overrulable=False)


def test_targets_are_opponents() -> None:
    """6.5: neither oneself nor a friend nor a stranger."""
    table = running(pc("zadie", strike=3), pc("rasheem"), foe("demons"))
    for target, code in (
        ("rasheem", "not-an-opponent"),
        ("zadie", "not-an-opponent"),
        ("nobody", "unknown-character"),
    ):
        table.when(Strike(actor="zadie", targets=(target,), strike_dice=1)).then_refused(code)


def test_nobody_strikes_at_who_is_out() -> None:
    """6.3: the defeated are out of the conflict."""
    table = running(
        pc("zadie", strike=6), pc("rasheem", strike=2), foe("imp", defense=1, max_wounds=1), foe("demons")
    )
    beaten = table.after(step(Strike(actor="zadie", targets=("imp",), strike_dice=2), (3, 3)))
    beaten.when(Strike(actor="rasheem", targets=("imp",), strike_dice=1)).then_refused("out-of-conflict")


def test_strikes_wait_for_the_own_turn() -> None:
    """6.3: one side after the other."""
    table = duel().after(EndTurn())
    table.when(hit(1)).then_refused("not-your-turn", overrulable=True)


def test_one_strike_in_a_round() -> None:
    """6.3."""
    table = duel().after(step(hit(1), (1,)))
    table.when(hit(1)).then_refused("already-acted")


def test_gifts_are_not_for_strikes() -> None:
    """6.4: only maneuvers take gift dice; a strike has no field for them."""
    assert "gifts" not in Strike.__struct_fields__
