"""6.4 Maneuvers that earned more than five: which dice are kept, and that the reroll comes first."""

from __future__ import annotations

import pytest

from anima_prime.table import fell, foe, marked, pc, running
from rulesets.anima_prime.commands import Keep, Maneuver, Reroll, Settle
from rulesets.anima_prime.events import (
    DiceRerolled,
    ManeuverEarned,
)
from rulesets.testing import step

SEVEN = (3, 4, 5, 6, 6, 6, 6)


def seven_successes():
    """One competence die, three action dice, three gifts: three show 3 to 5, four show 6."""
    table = running(pc("zadie"), pc("mira"), pc("okoro"), pc("lin"), foe("demons"))
    return table.after(step(Maneuver(actor="zadie", action_dice=3, gifts=("mira", "okoro", "lin")), SEVEN))


@pytest.mark.parametrize("strike, charge", [(1, 4), (2, 3), (3, 2)])
def test_seven_successes_may_be_kept_three_ways(strike, charge) -> None:
    """6.4: any five with strike <= 3 and charge <= 4; one token however many were rolled."""
    seven_successes().when(Keep(strike=strike, charge=charge)).then(
        ManeuverEarned(actor="zadie", strike=strike, charge=charge, tokens=1, discarded=2)
    ).then_state(
        characters={"zadie": {"strike": strike, "charge": charge, "awesome_tokens": 1, "action": 3}}, open=[]
    )


@pytest.mark.parametrize(
    "strike, charge, code",
    [
        (0, 5, "keep-exceeds-roll"),
        (4, 1, "keep-exceeds-roll"),
        (5, 0, "keep-exceeds-roll"),
        (1, 3, "keep-not-five"),
        (3, 4, "keep-not-five"),
        (0, 0, "keep-not-five"),
    ],
)
def test_other_splits_are_refused(strike, charge, code) -> None:
    """6.4: nobody keeps what was not rolled, or another number than five."""
    seven_successes().when(Keep(strike=strike, charge=charge)).then_refused(code)


def test_the_open_choice_says_what_it_is_about() -> None:
    """The question names who is asked and what the dice allow."""
    table = seven_successes()
    view = table.view()
    assert [(question["kind"], question["asks"]) for question in view["open"]] == [("keep", ["zadie"])]
    assert view["open_roll"]["must_keep"] is True
    assert view["open_roll"]["may_reroll"] is False
    assert view["open_roll"]["successes"] == {"strike": 3, "charge": 4}


def test_keep_may_decline_the_reroll_in_the_same_breath() -> None:
    """6.4: reroll first, then choose; choosing says that the roll stays."""
    table = running(
        pc("zadie", traits=marked("Sharpshooter")), pc("mira"), pc("okoro"), pc("lin"), foe("demons")
    )
    table.when(
        Maneuver(actor="zadie", action_dice=3, gifts=("mira", "okoro", "lin")), (3, 4, 5, 6, 6, 6, 1)
    ).then_state(open_roll={"may_reroll": True, "must_keep": True}).when(Keep(strike=3, charge=2)).then_state(
        open=[], characters={"zadie": {"strike": 3, "charge": 2, "traits": [{"marked": True}]}}
    )


def test_settle_then_keep() -> None:
    """6.4: declining the reroll leaves the choice of five open."""
    table = running(
        pc("zadie", traits=marked("Sharpshooter")), pc("mira"), pc("okoro"), pc("lin"), foe("demons")
    )
    declined = table.when(
        Maneuver(actor="zadie", action_dice=3, gifts=("mira", "okoro", "lin")), (3, 4, 5, 6, 6, 6, 1)
    ).when(Settle())
    declined.then_state(open_roll={"may_reroll": False, "must_keep": True})
    declined.when(Reroll(trait="Sharpshooter")).then_refused("no-such-question")
    declined.when(Keep(strike=2, charge=3)).then_state(characters={"zadie": {"strike": 2, "charge": 3}})


def test_the_reroll_comes_before_the_choice_of_five() -> None:
    """6.4: reroll, then count, then choose; rerolled dice may bring more than five."""
    table = running(pc("zadie", traits=marked("Sharpshooter")), pc("mira"), pc("okoro"), foe("demons"))
    rolled = table.when(Maneuver(actor="zadie", action_dice=3, gifts=("mira", "okoro")), (3, 1, 4, 5, 2, 3))
    rolled.then_state(open_roll={"may_reroll": True, "must_keep": False})
    rerolled = rolled.when(Reroll(trait="Sharpshooter", text="never twice"), (6, 6)).then(
        DiceRerolled(
            actor="zadie",
            trait="Sharpshooter",
            places=(1, 4),
            roll=fell(2, "reroll", ("action:zadie", 6), ("gift:mira", 6)),
            asks="keep",
            text="never twice",
        )
    )
    rerolled.then_state(open_roll={"must_keep": True, "successes": {"strike": 4, "charge": 2}})
    rerolled.when(Keep(strike=3, charge=2)).then_state(
        characters={"zadie": {"strike": 3, "charge": 2, "traits": [{"marked": False}]}}
    )
