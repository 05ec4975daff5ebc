"""6.6 Achievements: alone, together, with Heroics; the dice that come back and those that do not."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, fell, foe, marked, pc, running
from rulesets.anima_prime.commands import Achieve, AddGoal, EndRound, EndTurn, Reroll, Settle
from rulesets.anima_prime.events import (
    AchievementDeclared,
    AchievementResolved,
    ChargePaid,
    DefenseChanged,
    DiceReturned,
    DiceRolled,
    GoalAchieved,
)
from rulesets.anima_prime.sheet import DefenseEffect
from rulesets.testing import step

HIDE = AddGoal(
    id="hide",
    name="Overcome the armored hide",
    difficulty=5,
    effects=(DefenseEffect(character="bull", change=-2),),
)
BULL = foe("bull", "individual", defense=6)


def hunt(*, zadie=None, rasheem=None, goal=HIDE):
    """Zadie and Rasheem against the bull, with the goal of its hide."""
    return running(
        pc("zadie", **{"strike": 7, **(zadie or {})}),
        pc("rasheem", **{"strike": 5, "charge": 3, "powers": ("heroics",), **(rasheem or {})}),
        BULL,
        goal,
    )


def test_the_worked_example_that_fails() -> None:
    """6.6: seven dice, four successes; 4 > 5 is false, all seven return, the action is used."""
    thrown = (3, 3, 4, 6, 1, 2, 2)
    hunt().when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 7}), thrown).then(
        AchievementDeclared(actor="zadie", goal="hide", strike_dice={"zadie": 7}),
        DiceRolled(actor="zadie", roll=fell(1, "achieve", *[("strike:zadie", face) for face in thrown])),
        AchievementResolved(actor="zadie", goal="hide", successes=4, difficulty=5, by_itself=True),
        DiceReturned(character="zadie", pool="strike", dice=7),
    ).then_state(
        characters={"zadie": {"strike": 7, "acted": True}, "bull": {"defense": 6}},
        goals={"hide": {"status": "open"}},
    )


def test_the_worked_example_with_heroics() -> None:
    """6.6: 3 and 7 strike dice, three of Heroics for 2 charge dice; nine successes, defense 6 becomes 4."""
    thrown = (3, 4, 1, 6, 5, 3, 2, 2, 4, 3, 6, 1, 5)
    origins = ["strike:rasheem"] * 3 + ["strike:zadie"] * 7 + ["bonus:heroics"] * 3
    wish = Achieve(actor="rasheem", goal="hide", strike_dice={"rasheem": 3, "zadie": 7}, power="heroics")
    hunt().when(wish, thrown).then(
        AchievementDeclared(
            actor="rasheem", goal="hide", strike_dice={"rasheem": 3, "zadie": 7}, powers=("heroics",)
        ),
        ChargePaid(character="rasheem", source="heroics", charge=2),
        DiceRolled(actor="rasheem", roll=fell(1, "achieve", *zip(origins, thrown, strict=True))),
        AchievementResolved(
            actor="rasheem", goal="hide", successes=9, difficulty=5, achieved=True, by_itself=True
        ),
        GoalAchieved(goal="hide"),
        DefenseChanged(character="bull", change=-2),
    ).then_state(
        characters={
            "zadie": {"strike": 0, "acted": True},
            "rasheem": {"strike": 2, "charge": 1, "acted": True},
            "bull": {"defense": 4, "base_defense": 6},
        },
        goals={"hide": {"status": "achieved"}},
    )


@pytest.mark.parametrize("successes, status, left", [(5, "open", 8), (6, "achieved", 0)])
def test_more_than_the_difficulty(successes, status, left) -> None:
    """6.6: at difficulty 5 five successes fail and six succeed."""
    table = hunt(zadie={"strike": 8})
    table.when(
        Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 8}), faces(successes, 8 - successes)
    ).then_state(goals={"hide": {"status": status}}, characters={"zadie": {"strike": left}})


def test_at_least_the_difficulty_where_the_table_says_so() -> None:
    """Parameter achievement.compare."""
    table = running(pc("zadie", strike=5), BULL, HIDE, achievement={"compare": ">="})
    table.when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 5}), faces(5)).then_state(
        goals={"hide": {"status": "achieved"}}
    )


@pytest.mark.parametrize(
    "dice, legal",
    [
        ({"zadie": 8}, True),
        ({"zadie": 9}, False),
        ({"zadie": 8, "rasheem": 2}, True),
        ({"zadie": 8, "rasheem": 3}, False),
        ({"zadie": 5, "rasheem": 4, "mira": 3}, True),
        ({"zadie": 5, "rasheem": 4, "mira": 4}, False),
        ({"zadie": 5, "rasheem": 4, "mira": 3, "okoro": 2}, True),
        ({"zadie": 5, "rasheem": 4, "mira": 3, "okoro": 3}, False),
    ],
)
def test_eight_and_two_for_each_further_player(dice, legal) -> None:
    """6.6: 8, 10, 12, 14 strike dice for one to four players, in any mix."""
    everybody = [pc(name, strike=9) for name in ("zadie", "rasheem", "mira", "okoro")]
    when = running(*everybody, BULL, HIDE).when(
        Achieve(actor="zadie", goal="hide", strike_dice=dice), faces(0, sum(dice.values())) if legal else ()
    )
    if legal:
        when.then_state(characters={name: {"strike": 9, "acted": True} for name in dice})
    else:
        when.then_refused("too-many-strike-dice", overrulable=True)


def test_bonus_dice_come_on_top_of_the_limit() -> None:
    """6.6: ten strike dice and three of Heroics are thirteen."""
    table = hunt(rasheem={"strike": 3})
    wish = Achieve(actor="rasheem", goal="hide", strike_dice={"rasheem": 3, "zadie": 7}, power="heroics")
    table.when(wish, (3,) * 13).accepted()


def test_the_leader_may_put_in_no_die() -> None:
    """6.6, recommended reading: any combination, but each further player at least one."""
    table = hunt()
    led = Achieve(actor="rasheem", goal="hide", strike_dice={"rasheem": 0, "zadie": 7})
    table.when(led, (1,) * 7).then_state(
        characters={"rasheem": {"acted": True, "strike": 5}, "zadie": {"acted": True}}
    )
    table.when(Achieve(actor="rasheem", goal="hide", strike_dice={"zadie": 7}), (1,) * 7).then_state(
        characters={"rasheem": {"acted": True}}
    )


def test_a_helper_puts_in_at_least_one() -> None:
    """6.6, recommended reading."""
    hunt().when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 6, "rasheem": 0})).then_refused(
        "not-enough-strike-dice"
    )


def test_nobody_achieves_with_nothing() -> None:
    """6.6: at least one strike die."""
    hunt().when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 0})).then_refused(
        "not-enough-strike-dice"
    )


def test_dice_come_from_the_pools() -> None:
    """6.6: no ruling makes dice out of nothing."""
    hunt().when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 8})).then_refused(
        "not-enough-strike-dice", overrulable=False
    )
    hunt().when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 1, "rasheem": 6})).then_refused(
        "not-enough-strike-dice", overrulable=False
    )


def test_returned_dice_go_home() -> None:
    """6.6: each to the pool it came from; Heroics stays paid."""
    wish = Achieve(actor="rasheem", goal="hide", strike_dice={"rasheem": 3, "zadie": 2}, power="heroics")
    hunt().when(wish, faces(5, 3)).then_state(
        characters={"rasheem": {"strike": 5, "charge": 1}, "zadie": {"strike": 7}},
        goals={"hide": {"status": "open"}},
    )


def test_only_the_leader_uses_powers() -> None:
    """6.6: Zadie leads and has no Heroics, though Rasheem takes part."""
    wish = Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 6, "rasheem": 2}, power="heroics")
    hunt().when(wish).then_refused("power-not-known")


def test_a_trait_may_turn_a_failure() -> None:
    """6.6: six dice, five successes; the sixth is thrown again and shows a 3."""
    table = hunt(zadie={"traits": marked("Sharpshooter")})
    rolled = table.when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 6}), faces(5, 1))
    rolled.then_state(open_roll={"kind": "achieve", "may_reroll": True}, goals={"hide": {"status": "open"}})
    rolled.when(Reroll(trait="Sharpshooter"), (3,)).then_state(
        goals={"hide": {"status": "achieved"}}, characters={"zadie": {"strike": 1}, "bull": {"defense": 4}}
    )
    rolled.when(Settle()).then_state(
        goals={"hide": {"status": "open"}},
        characters={"zadie": {"strike": 7, "traits": [{"name": "Sharpshooter", "marked": True}]}},
    )


def test_only_the_leader_rerolls() -> None:
    """6.6 by analogy with 6.4."""
    table = hunt(rasheem={"traits": marked("Old debts")})
    table.when(
        Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 2, "rasheem": 1}), (3, 1, 1)
    ).then_state(open=[])


def test_no_limit_of_five() -> None:
    """6.6: an achievement earns no dice and no token, however well it goes."""
    table = hunt()
    table.when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 7}), (6,) * 7).then_state(
        open=[], characters={"zadie": {"strike": 0, "charge": 0, "awesome_tokens": 0}}
    )


def test_every_participant_acts() -> None:
    """6.3, 6.6: all spend their action; who has none left cannot join."""
    table = hunt().after(step(Achieve(actor="rasheem", goal="hide", strike_dice={"rasheem": 1}), (1,)))
    table.when(Achieve(actor="rasheem", goal="hide", strike_dice={"rasheem": 1})).then_refused(
        "already-acted"
    )
    table.when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 1, "rasheem": 1})).then_refused(
        "helper-already-acted"
    )
    table.after(EndRound()).when(
        Achieve(actor="rasheem", goal="hide", strike_dice={"rasheem": 1}), (1,)
    ).accepted()


def test_achievements_wait_for_the_own_turn() -> None:
    """6.3."""
    hunt().after(EndTurn()).when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 1})).then_refused(
        "not-your-turn"
    )


def test_an_opponent_does_not_help() -> None:
    """6.6: participants are of one side."""
    assert hunt().when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 1, "bull": 1})).refusal


def test_the_limits_are_readings() -> None:
    """Parameters achievement.max_strike_dice and per_helper."""
    table = running(
        pc("zadie", strike=9),
        pc("rasheem", strike=9),
        BULL,
        HIDE,
        achievement={"max_strike_dice": 4, "per_helper": 1},
    )
    table.when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 5})).then_refused(
        "too-many-strike-dice"
    )
    table.when(Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 4, "rasheem": 2})).then_refused(
        "too-many-strike-dice"
    )
    table.when(
        Achieve(actor="zadie", goal="hide", strike_dice={"zadie": 4, "rasheem": 1}), faces(5)
    ).accepted()
