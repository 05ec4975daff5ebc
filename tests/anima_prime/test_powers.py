"""6.3 Powers: boosts, strike powers, action powers; charge dice are paid before the roll."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, foe, pc, running
from rulesets.anima_prime.commands import Achieve, AddGoal, EndTurn, Maneuver, Strike, UsePower
from rulesets.anima_prime.events import ChargePaid, PowerUsed
from rulesets.anima_prime.sheet import Bonus, DiceByType, Power
from rulesets.testing import step

GATE = AddGoal(id="gate", name="Gate", difficulty=5)
BLAZE = Power(
    id="blaze",
    name="Blaze",
    kind="strike",
    cost=2,
    joins=("strike",),
    dice=DiceByType(individual=4, squad=3, swarm=2),
)
DUELIST = Power(id="duelist", kind="strike", cost=1, joins=("strike",), dice=DiceByType(individual=2))
FLOURISH = Power(id="flourish", name="Flourish", kind="boost", cost=1, joins=("maneuver", "strike"), dice=2)
SMOKE = Power(id="smoke", name="Smoke", kind="action", cost=2, effect="Nobody sees their own hand")


def armed(*powers, **zadie):
    """Zadie with these powers, 4 charge and 12 strike dice, against one of each type."""
    return running(
        pc("zadie", **{"strike": 12, "charge": 4, "powers": powers, **zadie}),
        foe("bull", "individual", defense=6),
        foe("demons", "squad", defense=3),
        foe("critters", "swarm", defense=3),
        GATE,
    )


def test_heroics_gives_three_dice_to_an_achievement() -> None:
    """6.6: for 2 charge dice."""
    wish = Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 4}, power="heroics")
    armed("heroics").when(wish, faces(6, 1)).then_state(
        characters={"zadie": {"strike": 8, "charge": 2}}, goals={"gate": {"status": "achieved"}}
    )


def test_heroics_does_not_join_maneuvers_and_strikes() -> None:
    """6.4 and 6.6 disagree; the recommended reading is achievements only."""
    armed("heroics").when(Maneuver(actor="zadie", action_dice=1, power="heroics")).then_refused(
        "power-not-for-action"
    )
    armed("heroics").when(
        Strike(actor="zadie", targets=("demons",), strike_dice=1, power="heroics")
    ).then_refused("power-not-for-action")


def test_heroics_joins_maneuvers_where_the_table_says_so() -> None:
    """Parameters power.heroics."""
    table = running(
        pc("zadie", charge=3, powers=("heroics",)),
        foe("demons"),
        power={"heroics": {"joins": ["maneuver", "achieve"], "cost": 3, "dice": 4}},
    )
    # 1 competence, 1 action, 4 of Heroics.
    table.when(Maneuver(actor="zadie", action_dice=1, power="heroics"), (3, 3, 3, 3, 1, 1)).then_state(
        characters={"zadie": {"charge": 0, "strike": 4}}
    )


@pytest.mark.parametrize("target, dice, wounds", [("bull", 4, 1), ("demons", 3, 2), ("critters", 2, 1)])
def test_dice_by_type_of_target(target, dice, wounds) -> None:
    """6.3: 4, 3, 2. On four strike dice: 8 against 6 is floor(7 / 6), 7 against 3 floor(6 / 3), 6 against 3 floor(5 / 3)."""
    wish = Strike(actor="zadie", targets=(target,), strike_dice=4, power="blaze")
    armed(BLAZE).when(wish, faces(4 + dice), source="table").then_state(
        characters={"zadie": {"charge": 2, "strike": 8}, target: {"wounds": wounds}}
    )


def test_a_character_counts_as_an_individual() -> None:
    """6.3: dice against individuals work against player characters."""
    table = running(
        pc("zadie"), foe("bull", "individual", strike=1, charge=2, powers=(BLAZE,)), first="adversity"
    )
    table.when(
        Strike(actor="bull", targets=("zadie",), strike_dice=1, power="blaze"), faces(5), source="table"
    ).then_state(characters={"zadie": {"wounds": 2}, "bull": {"strike": 0, "charge": 0}})


def test_a_power_that_gives_nothing_against_this_type() -> None:
    """6.3: whoever pays gets something."""
    armed(DUELIST).when(
        Strike(actor="zadie", targets=("critters",), strike_dice=1, power="duelist")
    ).then_refused("power-not-for-target")


def test_a_boost_joins_what_it_says() -> None:
    """6.3: Flourish joins maneuvers and strikes, not achievements."""
    armed(FLOURISH).when(Maneuver(actor="zadie", action_dice=1, power="flourish"), (3, 3, 3, 6)).then_state(
        characters={"zadie": {"charge": 4, "strike": 15}}
    )
    armed(FLOURISH).when(
        Strike(actor="zadie", targets=("demons",), strike_dice=2, power="flourish"), faces(4)
    ).then_state(characters={"zadie": {"charge": 3}, "demons": {"wounds": 1}})
    armed(FLOURISH).when(
        Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1}, power="flourish")
    ).then_refused("power-not-for-action")


def test_the_master_may_let_a_strike_power_help_an_achievement() -> None:
    """6.6: the GM sets the number of dice; the cost stays."""
    wish = Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 4}, power="blaze", power_dice=2)
    armed(BLAZE).when(wish, faces(6)).then_state(
        characters={"zadie": {"charge": 2, "strike": 8}}, goals={"gate": {"status": "achieved"}}
    )


def test_several_powers_are_paid_each() -> None:
    """6.3: 2 + 1 charge dice, 3 + 2 dice."""
    wish = Strike(actor="zadie", targets=("demons",), strike_dice=2, powers=("blaze", "flourish"))
    when = armed(BLAZE, FLOURISH).when(wish, faces(7))
    paid = [event for event in when.events if isinstance(event, ChargePaid)]
    assert paid == [
        ChargePaid(character="zadie", source="blaze", charge=2),
        ChargePaid(character="zadie", source="flourish", charge=1),
    ]
    when.then_state(characters={"zadie": {"charge": 1}, "demons": {"wounds": 2}})


def test_charge_dice_have_to_be_there() -> None:
    """6.3: no ruling makes dice out of nothing."""
    armed("heroics", charge=1).when(
        Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1}, power="heroics")
    ).then_refused("not-enough-charge", overrulable=False)
    armed(charge=1).when(
        Strike(
            actor="zadie", targets=("demons",), strike_dice=1, bonus=(Bonus(dice=1, source="Whip", charge=2),)
        )
    ).then_refused("not-enough-charge", overrulable=False)


def test_costs_add_up_before_they_are_refused() -> None:
    """6.3: 2 + 1 with 2 charge dice is too much."""
    armed(BLAZE, FLOURISH, charge=2).when(
        Strike(actor="zadie", targets=("demons",), strike_dice=1, powers=("blaze", "flourish"))
    ).then_refused("not-enough-charge")


def test_a_power_one_does_not_have() -> None:
    """6.3."""
    armed().when(Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1}, power="heroics")).then_refused(
        "power-not-known"
    )
    armed().when(UsePower(actor="zadie", power="smoke")).then_refused("power-not-known")


def test_an_action_power_is_the_action() -> None:
    """6.3: paid, told, and the action is used."""
    when = armed(SMOKE).when(UsePower(actor="zadie", power="smoke", text="Grey everywhere"))
    assert ChargePaid(character="zadie", source="smoke", charge=2) in when.events
    assert any(isinstance(event, PowerUsed) and event.power == "smoke" for event in when.events)
    when.then_state(characters={"zadie": {"charge": 2, "acted": True}})
    when.when(UsePower(actor="zadie", power="smoke")).then_refused("already-acted")


def test_an_action_power_needs_its_charge_dice() -> None:
    """6.3: impossible without them."""
    armed(SMOKE, charge=1).when(UsePower(actor="zadie", power="smoke")).then_refused(
        "not-enough-charge", overrulable=False
    )


def test_an_action_power_waits_for_the_turn() -> None:
    """6.3."""
    armed(SMOKE).after(EndTurn()).when(UsePower(actor="zadie", power="smoke")).then_refused("not-your-turn")


def test_an_action_power_may_be_free() -> None:
    """6.4: a token buys it after the action of the round."""
    table = armed(SMOKE, awesome_tokens=1).after(step(Maneuver(actor="zadie", action_dice=1), (3, 3)))
    table.when(UsePower(actor="zadie", power="smoke", free=True)).then_state(
        characters={"zadie": {"charge": 2, "awesome_tokens": 0}}
    )


def test_a_boost_is_no_action() -> None:
    """6.3: it joins an action, it is none."""
    armed(FLOURISH).when(UsePower(actor="zadie", power="flourish")).then_refused("power-not-for-action")


def test_an_action_power_joins_no_roll() -> None:
    """6.3."""
    armed(SMOKE).when(Maneuver(actor="zadie", action_dice=1, power="smoke")).then_refused(
        "power-not-for-action"
    )


@pytest.mark.parametrize(
    "power, sheet, wish, legal",
    [
        ("strike-boost", {}, Strike(actor="zadie", targets=("demons",), strike_dice=8), True),
        ("strike-boost", {}, Strike(actor="zadie", targets=("demons",), strike_dice=9), False),
        ("achievement-boost", {}, Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 10}), True),
        ("achievement-boost", {}, Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 11}), False),
    ],
)
def test_passive_powers_raise_limits(power, sheet, wish, legal) -> None:
    """6.3, first edition: two more strike dice; they give none."""
    dice = wish.strike_dice if isinstance(wish.strike_dice, int) else wish.strike_dice["zadie"]
    when = armed(power, **sheet).when(wish, faces(0, dice) if legal else ())
    if legal:
        when.accepted()
    else:
        when.then_refused("too-many-strike-dice")
