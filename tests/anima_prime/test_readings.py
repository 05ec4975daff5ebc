"""The parameters: the recommended readings of the rule text, and that each one matters."""

from __future__ import annotations

import msgspec
import pytest

from anima_prime.table import faces, foe, pc, reading, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    Achieve,
    AddCharacter,
    AddGoal,
    HelpAsked,
    Keep,
    Maneuver,
    StartConflict,
    Strike,
)
from rulesets.anima_prime.parameters import Parameters
from rulesets.anima_prime.sheet import Bonus, DefenseEffect
from rulesets.testing import given

RECOMMENDED = {
    "success_face": 3,
    "maneuver": {"action_dice": {"min": 1, "max": 3}, "earn_limit": 5, "charge_face": 6},
    "gift": {"max_per_giver": 1, "gm_max": 1, "from_defeated": True},
    "gc": {"start": 1, "max": 4, "step": 1, "policy": "gift-die-per-round"},
    "combined": {"helper_die": 1},
    "achievement": {"max_strike_dice": 8, "per_helper": 2, "compare": ">"},
    "strike": {"max_strike_dice": 6, "compare": ">", "wounds": "multiples", "on_miss": "return"},
    "defense": {"min": 1},
    "adversity": {"competence": 2},
    "reroll": {"max_per_roll": 1},
    "token": {"threshold": 5, "costs": {"free": 1, "double": 2, "both": 3}},
    "tokens": {"pooling": False},
    "pc": {"action_max": None, "charge_max": None, "wounds": 3, "defense": 2},
    "power": {"heroics": {"cost": 2, "dice": 3, "joins": ["achieve"]}},
}


def leaves(tree, path=()):
    """Every single reading with its path."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


@pytest.mark.parametrize("path, value", list(leaves(RECOMMENDED)), ids=str)
def test_the_recommended_readings(path, value) -> None:
    """The defaults, one by one."""
    found = msgspec.to_builtins(Parameters())
    for key in path:
        found = found[key]
    assert (list(found) if isinstance(found, tuple) else found) == value


def test_every_reading_is_explained() -> None:
    """Whoever chooses readings sees what each one means."""
    schema = msgspec.json.schema(Parameters)
    for name, struct in schema["$defs"].items():
        for field, shape in struct.get("properties", {}).items():
            assert shape.get("description"), f"{name}.{field}"


def test_unknown_readings_are_refused() -> None:
    """A typing mistake is not a house rule."""
    with pytest.raises(msgspec.ValidationError):
        reading(strike={"wound": "margin"})


def test_success_face() -> None:
    """Only 4 and more succeed: a 3 earns nothing."""
    running(pc("zadie"), foe("demons"), success_face=4).when(
        Maneuver(actor="zadie", action_dice=2), (3, 4, 6)
    ).then_state(characters={"zadie": {"strike": 1, "charge": 1}})


def test_charge_face() -> None:
    """5 and 6 earn charge dice."""
    running(pc("zadie"), foe("demons"), maneuver={"charge_face": 5}).when(
        Maneuver(actor="zadie", action_dice=2), (4, 5, 6)
    ).then_state(characters={"zadie": {"strike": 1, "charge": 2}})


def test_earn_limit_and_threshold() -> None:
    """A limit of 3 and a token from 3 on."""
    table = running(pc("zadie"), foe("demons"), maneuver={"earn_limit": 3}, token={"threshold": 3})
    rolled = table.when(Maneuver(actor="zadie", action_dice=3), faces(4))
    rolled.then_state(open_roll={"must_keep": True})
    rolled.when(Keep(strike=3, charge=0)).then_state(characters={"zadie": {"strike": 3, "awesome_tokens": 1}})


def test_keeping_fewer() -> None:
    """maneuver.keep = at_most."""
    table = running(pc("zadie"), pc("mira"), pc("lin"), foe("demons"), maneuver={"keep": "at_most"})
    rolled = table.when(Maneuver(actor="zadie", action_dice=3, gifts=("mira", "lin")), faces(6))
    rolled.when(Keep(strike=2, charge=0)).then_state(characters={"zadie": {"strike": 2, "awesome_tokens": 0}})


def test_token_for_what_was_rolled() -> None:
    """token.counts = rolled: six rolled, four may be kept, threshold 6."""
    table = running(
        pc("zadie"),
        pc("mira"),
        pc("lin"),
        foe("demons"),
        token={"threshold": 6, "counts": "rolled"},
    )
    rolled = table.when(Maneuver(actor="zadie", action_dice=3, gifts=("mira", "lin")), faces(6))
    rolled.when(Keep(strike=5, charge=0)).then_state(characters={"zadie": {"awesome_tokens": 1}})


def test_action_dice_limits() -> None:
    """maneuver.action_dice."""
    table = running(pc("zadie"), foe("demons"), maneuver={"action_dice": {"min": 2, "max": 5}})
    assert table.when(Maneuver(actor="zadie", action_dice=1)).refusal
    table.when(Maneuver(actor="zadie", action_dice=5), faces(0, 6), source="table").accepted()


def test_two_gifts_from_one() -> None:
    """gift.max_per_giver."""
    table = running(pc("zadie"), pc("mira"), foe("demons"), gift={"max_per_giver": 2, "gm_max": 2})
    table.when(
        Maneuver(actor="zadie", action_dice=1, gifts=("mira", "mira", "gm", "gm")),
        faces(4, 2),
        source="table",
    ).then_state(characters={"mira": {"action": 4}})
    table.when(Maneuver(actor="zadie", action_dice=1, gifts=("mira",) * 3)).then_refused("gift-twice")


def test_helper_die() -> None:
    """combined.helper_die."""
    table = running(pc("zadie"), pc("mira"), foe("demons"), combined={"helper_die": 2})
    wish = Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=1),))
    table.when(wish, faces(5), source="table").accepted()


def test_strike_limit_and_comparison() -> None:
    """strike.max_strike_dice and strike.compare: four successes of at most four dice hit defense 4."""
    table = running(
        pc("zadie", strike=9),
        foe("demons", defense=4),
        strike={"max_strike_dice": 4, "compare": ">=", "wounds": "single"},
    )
    table.when(Strike(actor="zadie", targets=("demons",), strike_dice=5)).then_refused("too-many-strike-dice")
    table.when(Strike(actor="zadie", targets=("demons",), strike_dice=4), faces(4)).then_state(
        characters={"demons": {"wounds": 1}}
    )


def test_token_costs() -> None:
    """token.costs."""
    table = running(
        pc("zadie", strike=9, awesome_tokens=5),
        foe("demons"),
        token={"costs": {"free": 2, "double": 3, "both": 4}},
    )
    table.when(Strike(actor="zadie", targets=("demons",), strike_dice=1, free=True), (1,)).then_state(
        characters={"zadie": {"awesome_tokens": 3}}
    )


def test_pool_maxima_of_the_first_edition() -> None:
    """pc.action_max and pc.charge_max: what does not fit in is not gained."""
    table = running(
        pc("zadie", action=9, charge=5),
        foe("demons"),
        pc={"action_max": 10, "charge_max": 6, "action_start": 10},
    )
    assert table.view()["characters"]["zadie"]["action_max"] == 10
    table.when(Maneuver(actor="zadie", action_dice=3), (6, 6, 3, 3)).then_state(
        characters={"zadie": {"charge": 6, "strike": 2}}
    )


def test_action_dice_a_sheet_leaves_out() -> None:
    """pc.action_start: required unless the readings say a number."""
    sheet = AddCharacter(id="zadie", side="pcs", kind="pc")
    assert given(RULESET).when(sheet).refusal
    given(RULESET, parameters=reading(pc={"action_start": 10})).when(sheet).then_state(
        characters={"zadie": {"action": 10}}
    )


def test_defense_minimum() -> None:
    """defense.min = 2."""
    table = running(
        pc("zadie", strike=9),
        foe("demons"),
        AddGoal(id="gate", name="Gate", difficulty=1, effect=DefenseEffect(character="demons", change=-9)),
        defense={"min": 2},
    )
    table.when(Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 2}), faces(2)).then_state(
        characters={"demons": {"defense": 2}}
    )


def test_bonus_dice_need_no_reading() -> None:
    """6.4: bonus dice come on top of everything and cost what they say."""
    table = running(pc("zadie", charge=2), foe("demons"))
    wish = Maneuver(
        actor="zadie", action_dice=3, bonus=(Bonus(dice=2, source="Whip", charge=1),), no_reroll=True
    )
    table.when(wish, faces(2, 4), source="table").then_state(characters={"zadie": {"charge": 1, "strike": 2}})


def test_readings_are_those_of_the_session() -> None:
    """A conflict keeps the readings it was opened with."""
    table = given(
        RULESET, pc("zadie"), foe("demons"), StartConflict(first="pcs"), parameters=reading(gc={"start": 3})
    )
    table.when(Maneuver(actor="zadie", action_dice=1), faces(4), source="table").then_state(
        conflict={"group_competence": 3}
    )
