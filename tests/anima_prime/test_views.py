"""What lies on the table for everybody to see: sheets, goals, a waiting roll and what it asks."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest

from anima_prime.caravan import RECORD, caravan
from anima_prime.table import fell, reading
from rulesets.anima_prime import events as fact
from rulesets.anima_prime.sheet import Condition, SheetChanges, Trait
from rulesets.anima_prime.state import State
from rulesets.contract import Event
from rulesets.people import EVERYONE, GM


def seen(state: State) -> Any:
    """The GM's table as it is served."""
    return msgspec.json.decode(msgspec.json.encode(RECORD.view(state, GM)))


def maneuver(*faces: int, asks: Literal["reroll", "keep"] | None) -> tuple[Event, ...]:
    """Zadie maneuvers with two dice of her own; the other faces are competence dice."""
    dice = [("action:zadie", face) for face in faces[:2]] + [("gc", face) for face in faces[2:]]
    return (
        fact.ManeuverDeclared(actor="zadie", action_dice=2),
        fact.DiceRolled(actor="zadie", roll=fell(1, "maneuver", *dice), asks=asks),
    )


def test_the_table_after_a_maneuver() -> None:
    """Every number the table shows, under the name tools read it by."""
    zadie = fact.CharacterAdded(
        id="zadie",
        name="Zadie",
        side="pcs",
        kind="pc",
        action=6,
        action_max=6,
        defense=2,
        max_wounds=3,
        traits=(Trait(name="Sharpshooter", marked=True),),
    )
    rasheem = fact.CharacterAdded(
        id="rasheem", name="Rasheem", side="pcs", kind="pc", action=5, defense=2, max_wounds=3
    )
    state = RECORD.start(reading())
    for event in (
        zadie,
        rasheem,
        fact.GoalAdded(id="hide", name="Overcome the armored hide", difficulty=5),
        fact.ConflictStarted(number=1, first="pcs"),
        fact.CharacterEntered(character="zadie"),
        fact.ManeuverDeclared(actor="zadie", action_dice=2),
        fact.GiftGiven(giver="rasheem", to="zadie"),
        fact.DiceRolled(actor="zadie", roll=fell(1, "maneuver", ("gc", 4), ("action:zadie", 6))),
        fact.ManeuverEarned(actor="zadie", strike=1, charge=1),
    ):
        state = RECORD.evolve(state, event)
    table = seen(state)
    conflict, sheet, goal = table["conflict"], table["characters"]["zadie"], table["goals"]["hide"]
    del conflict["outcome"], conflict["pools"]
    assert conflict == {
        "number": 1,
        "title": "",
        "status": "running",
        "round": 1,
        "turn": "pcs",
        "first": "pcs",
        "group_competence": 1,
        "gift_given": True,
    }
    assert sheet == {
        "name": "Zadie",
        "side": "pcs",
        "kind": "pc",
        "action": 4,
        "action_max": 6,
        "strike": 1,
        "charge": 1,
        "charge_max": None,
        "defense": 2,
        "base_defense": 2,
        "wounds": 0,
        "max_wounds": 3,
        "status": "active",
        "acted": True,
        "awesome_tokens": 0,
        "competence": 1,
        "traits": [{"name": "Sharpshooter", "marked": True}],
        "powers": [],
        "conditions": [],
        "player": None,
        "secret": False,
    }
    assert {key: goal[key] for key in ("name", "difficulty", "status", "achieved_by")} == {
        "name": "Overcome the armored hide",
        "difficulty": 5,
        "status": "open",
        "achieved_by": None,
    }
    assert (table["open"], table["open_roll"]) == ([], None)


def test_defense_as_it_stands() -> None:
    """Goals and conditions change what a strike meets, not what stands on the sheet; never below 1 (6.6)."""
    shield = fact.ConditionApplied(character="bull", condition=Condition(name="Shielded", defense=1))
    for facts, defense in (
        ((fact.DefenseChanged(character="bull", change=-1),), 2),
        ((fact.DefenseChanged(character="bull", change=-9),), 1),
        ((shield,), 4),
    ):
        bull = seen(caravan(*facts))["characters"]["bull"]
        assert (bull["defense"], bull["base_defense"]) == (defense, 3)


@pytest.mark.parametrize(
    "faces, earned, settled",
    [
        ((3, 6, 1), (1, 1), {"strike": 1, "charge": 1, "token": False, "returns": []}),
        ((3, 4, 5, 6, 6), (3, 2), {"strike": 3, "charge": 2, "token": True, "returns": []}),
        ((3, 4, 5, 5, 6, 6), (4, 2), {"strike": 3, "charge": 2, "token": True, "returns": []}),
        (
            (1, 2, 2),
            (0, 0),
            {
                "strike": 0,
                "charge": 0,
                "token": False,
                "returns": [{"character": "zadie", "pool": "action", "dice": 2}],
            },
        ),
    ],
)
def test_what_a_waiting_maneuver_brings(
    faces: tuple[int, ...], earned: tuple[int, int], settled: dict[str, Any]
) -> None:
    """6.4: up to five dice, a token for five, and the player's own dice back when all of them failed."""
    roll = seen(caravan(*maneuver(*faces, asks="reroll")))["open_roll"]
    assert (roll["kind"], roll["actor"], roll["may_reroll"]) == ("maneuver", "zadie", True)
    assert [die["face"] for die in roll["dice"]] == list(faces)
    assert roll["dice"][0] == {"face": faces[0], "origin": "action:zadie"}
    assert roll["successes"] == dict(zip(("strike", "charge"), earned, strict=True))
    assert roll["must_keep"] == (sum(earned) > 5)
    assert {key: roll["if_settled"][key] for key in settled} == settled


def test_a_full_charge_pool_takes_no_more() -> None:
    """What a waiting roll promises is what fits: one charge die of two (Zadie has three)."""
    narrow = fact.CharacterEdited(character="zadie", set=SheetChanges(charge_max=4))
    roll = seen(caravan(narrow, *maneuver(6, 6, 1, asks="reroll")))["open_roll"]
    assert roll["successes"] == {"strike": 0, "charge": 2}
    assert roll["if_settled"]["charge"] == 1


def strike(*faces: int) -> tuple[Event, ...]:
    """Zadie strikes at the bull with these faces, and could reroll."""
    return (
        fact.StrikeDeclared(actor="zadie", targets=("bull",), strike_dice=len(faces)),
        fact.DiceRolled(
            actor="zadie", roll=fell(1, "strike", *(("strike:zadie", face) for face in faces)), asks="reroll"
        ),
    )


def test_what_a_waiting_strike_brings() -> None:
    """6.5: of two wounds the one there is a free circle for, or the strike dice back after a miss."""
    softened = fact.DefenseChanged(character="bull", change=-1)
    hit = seen(caravan(softened, *strike(3, 3, 3, 3, 6, 6)))["open_roll"]["if_settled"]
    miss = seen(caravan(*strike(3, 3, 3)))["open_roll"]["if_settled"]
    assert (hit["wounds"], hit["returns"]) == ({"bull": 1}, [])
    assert miss["wounds"] == {"bull": 0}
    assert miss["returns"] == [{"character": "zadie", "pool": "strike", "dice": 3}]


def test_what_a_waiting_achievement_brings() -> None:
    """6.6: more successes than the difficulty of 5, or everybody's strike dice back."""
    for successes, achieved in ((6, True), (5, False)):
        table = caravan(
            fact.AchievementDeclared(actor="zadie", goal="hide", strike_dice={"zadie": 5, "rasheem": 1}),
            fact.DiceRolled(
                actor="zadie",
                roll=fell(
                    1,
                    "achieve",
                    *((("strike:zadie", 3),) * successes),
                    *((("strike:rasheem", 1),) * (6 - successes)),
                ),
                asks="reroll",
            ),
        )
        brings = seen(table)["open_roll"]["if_settled"]
        assert brings["achieved"] is achieved
        assert [one["dice"] for one in brings["returns"]] == ([] if achieved else [5, 1])


def test_a_roll_that_asks_for_a_reroll() -> None:
    """6.4: one answer for each marked trait, and one to let it stand; the actor is asked."""
    (question,) = RECORD.questions(caravan(*maneuver(3, 1, 1, asks="reroll")))
    assert (question.kind, question.asks, question.audience) == ("reroll", ("zadie",), EVERYONE)
    assert [(option.command, option.text) for option in question.options] == [
        ({"type": "reroll", "trait": "Sharpshooter"}, "Reroll 2 failed dice with Sharpshooter"),
        ({"type": "settle"}, "Let the roll stand"),
    ]
    assert question.default == {"type": "settle"}


def test_a_roll_that_asks_what_to_keep() -> None:
    """6.4: every way to keep exactly five of four strike and two charge dice; charge dice first by default."""
    (question,) = RECORD.questions(caravan(*maneuver(3, 4, 5, 5, 6, 6, asks="keep")))
    assert (question.kind, question.asks) == ("keep", ("zadie",))
    assert [option.command for option in question.options] == [
        {"type": "keep", "strike": 4, "charge": 1},
        {"type": "keep", "strike": 3, "charge": 2},
    ]
    assert question.default == {"type": "keep", "strike": 3, "charge": 2}


def test_a_roll_that_asks_nothing() -> None:
    """While nothing is left to decide, nobody is asked."""
    assert RECORD.questions(caravan(*maneuver(3, 4, asks=None))) == ()
    assert RECORD.questions(caravan()) == ()
