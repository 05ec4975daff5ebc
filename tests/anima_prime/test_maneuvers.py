"""6.4 Maneuvers, alone: what goes in, what is earned, what comes back."""

from __future__ import annotations

import pytest

from anima_prime.table import fell, foe, marked, pc, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import EndRound, Maneuver, Settle
from rulesets.anima_prime.events import (
    DiceReturned,
    DiceRolled,
    GiftGiven,
    ManeuverDeclared,
    ManeuverEarned,
    ManeuverFailed,
)
from rulesets.anima_prime.sheet import Bonus
from rulesets.testing import given, step


def test_three_to_five_earn_strike_dice_and_six_earns_a_charge_die() -> None:
    """6.4, the worked example: 4 6 1 2 is one strike die and one charge die."""
    table = running(pc("zadie"), pc("mira"), foe("critters", "swarm"))
    table.when(
        Maneuver(actor="zadie", action_dice=2, gifts=("mira",), target="critters", text="two quivers"),
        (4, 6, 1, 2),
    ).then(
        ManeuverDeclared(actor="zadie", action_dice=2, target="critters", text="two quivers"),
        GiftGiven(giver="mira", to="zadie"),
        DiceRolled(
            actor="zadie",
            roll=fell(1, "maneuver", ("gc", 4), ("action:zadie", 6), ("action:zadie", 1), ("gift:mira", 2)),
        ),
        ManeuverEarned(actor="zadie", strike=1, charge=1, by_itself=True),
    ).then_state(
        characters={
            "zadie": {"action": 4, "strike": 1, "charge": 1, "acted": True, "awesome_tokens": 0},
            "mira": {"action": 5, "strike": 0, "acted": False},
        }
    )


@pytest.mark.parametrize(
    "face, strike, charge", [(1, 0, 0), (2, 0, 0), (3, 1, 0), (4, 1, 0), (5, 1, 0), (6, 0, 1)]
)
def test_each_face_earns_what_the_book_says(face, strike, charge) -> None:
    """6.4: the competence die shows a 3 throughout, so that nothing comes back."""
    running(pc("zadie"), foe("demons")).when(Maneuver(actor="zadie", action_dice=1), (3, face)).then_state(
        characters={"zadie": {"action": 5, "strike": 1 + strike, "charge": charge}}
    )


def test_a_roll_with_a_failed_die_and_a_marked_trait_waits() -> None:
    """6.4: whoever may still reroll is asked first; nothing is earned until then."""
    table = running(pc("zadie", traits=marked("Sharpshooter")), foe("demons"))
    table.when(Maneuver(actor="zadie", action_dice=2), (4, 6, 1)).then(
        ManeuverDeclared(actor="zadie", action_dice=2),
        DiceRolled(
            actor="zadie",
            roll=fell(1, "maneuver", ("gc", 4), ("action:zadie", 6), ("action:zadie", 1)),
            asks="reroll",
        ),
    ).then_state(
        characters={"zadie": {"action": 4, "strike": 0, "charge": 0}},
        open_roll={
            "may_reroll": True,
            "successes": {"strike": 1, "charge": 1},
            "if_settled": {"strike": 1, "charge": 1},
        },
    ).when(Settle()).then(ManeuverEarned(actor="zadie", strike=1, charge=1)).then_state(
        characters={
            "zadie": {"strike": 1, "charge": 1, "traits": [{"name": "Sharpshooter", "marked": True}]}
        },
        open=[],
    )


def test_without_a_failed_die_nobody_is_asked() -> None:
    """6.4: a marked trait helps only failed dice."""
    table = running(pc("zadie", traits=marked("Sharpshooter")), foe("demons"))
    table.when(Maneuver(actor="zadie", action_dice=1), (4, 6)).then_state(
        open=[], characters={"zadie": {"strike": 1, "charge": 1}}
    )


def test_no_reroll_settles_at_once() -> None:
    """Whoever says beforehand that they will not reroll is not asked."""
    table = running(pc("zadie", traits=marked("Sharpshooter")), foe("demons"))
    table.when(Maneuver(actor="zadie", action_dice=1, no_reroll=True), (4, 1)).then_state(
        open=[], characters={"zadie": {"strike": 1, "traits": [{"marked": True}]}}
    )


def test_total_failure_returns_action_and_gift_dice() -> None:
    """6.4: with no success at all the characters' dice go back; the gift still counts as given."""
    table = running(pc("zadie"), pc("mira"), foe("critters", "swarm"))
    table.when(Maneuver(actor="zadie", action_dice=2, gifts=("mira",)), (1, 2, 1, 2)).then(
        ManeuverDeclared(actor="zadie", action_dice=2),
        GiftGiven(giver="mira", to="zadie"),
        DiceRolled(
            actor="zadie",
            roll=fell(1, "maneuver", ("gc", 1), ("action:zadie", 2), ("action:zadie", 1), ("gift:mira", 2)),
        ),
        ManeuverFailed(actor="zadie", by_itself=True),
        DiceReturned(character="zadie", pool="action", dice=2),
        DiceReturned(character="mira", pool="action", dice=1),
    ).then_state(
        characters={"zadie": {"action": 6, "strike": 0, "charge": 0, "acted": True}, "mira": {"action": 6}},
        conflict={"gift_given": True},
    )


def test_total_failure_keeps_what_was_paid() -> None:
    """6.4: bonus dice and paid charge dice are lost with a total failure."""
    table = running(pc("zadie", charge=3), foe("demons"))
    table.when(
        Maneuver(actor="zadie", action_dice=1, bonus=(Bonus(dice=2, source="Whip", charge=2),)), (1, 2, 1, 2)
    ).then_state(characters={"zadie": {"action": 6, "strike": 0, "charge": 1}})


def test_one_success_uses_up_every_die() -> None:
    """6.4: failed dice are gone as well as soon as one die succeeded."""
    table = running(pc("zadie"), pc("mira"), foe("demons"))
    table.when(Maneuver(actor="zadie", action_dice=3, gifts=("mira",)), (1, 1, 1, 1, 3)).then_state(
        characters={"zadie": {"action": 3, "strike": 1}, "mira": {"action": 5}}
    )


def test_exactly_five_is_no_choice_and_one_token() -> None:
    """6.4: 3 3 4 5 6 earn four strike dice, one charge die and an Awesome Token."""
    table = running(pc("zadie"), pc("mira"), foe("demons"))
    table.when(Maneuver(actor="zadie", action_dice=3, gifts=("mira",)), (3, 3, 4, 5, 6)).then_state(
        open=[],
        characters={"zadie": {"strike": 4, "charge": 1, "awesome_tokens": 1}, "mira": {"awesome_tokens": 0}},
    )


def test_four_earned_are_no_token() -> None:
    """6.4: a token takes five."""
    running(pc("zadie"), foe("demons")).when(Maneuver(actor="zadie", action_dice=3), (3, 3, 4, 6)).then_state(
        characters={"zadie": {"strike": 3, "charge": 1, "awesome_tokens": 0}}
    )


@pytest.mark.parametrize("dice, code", [(0, "no-action-dice"), (4, "too-many-action-dice")])
def test_one_to_three_action_dice(dice, code) -> None:
    """6.4: at least one own die, at most three."""
    running(pc("zadie"), foe("demons")).when(Maneuver(actor="zadie", action_dice=dice)).then_refused(code)


def test_an_empty_pool_cannot_maneuver_whatever_others_give() -> None:
    """6.4: gifts do not replace the own die."""
    table = running(pc("zadie", action=0), pc("mira"), foe("demons"))
    table.when(Maneuver(actor="zadie", action_dice=1, gifts=("mira",))).then_refused(
        "no-action-dice", overrulable=False
    )


def test_nobody_spends_more_action_dice_than_they_have() -> None:
    """6.4: two dice cannot be three."""
    table = running(pc("zadie", action=2), foe("demons"))
    table.when(Maneuver(actor="zadie", action_dice=3)).then_refused("no-action-dice")


def test_one_action_in_a_round() -> None:
    """6.3: whoever maneuvered has acted, until the round ends."""
    table = running(pc("zadie"), foe("demons")).after(step(Maneuver(actor="zadie", action_dice=1), (3, 3)))
    table.when(Maneuver(actor="zadie", action_dice=1)).then_refused("already-acted", overrulable=True)
    table.after(EndRound()).when(Maneuver(actor="zadie", action_dice=1), (3, 3)).then_state(
        characters={"zadie": {"strike": 4}}
    )


def test_typed_faces_must_fit_the_pool() -> None:
    """Faces from a real table are counted before anything happens."""
    table = running(pc("zadie"), foe("demons"))
    maneuver = Maneuver(actor="zadie", action_dice=2)
    table.when(maneuver, (3, 4), source="table").then_refused("dice-count-mismatch")
    table.when(maneuver, (3, 4, 5, 6), source="table").then_refused("dice-count-mismatch")
    table.when(maneuver, (3, 7, 1), source="table").then_refused("face-out-of-range")


def test_a_maneuver_needs_a_conflict() -> None:
    """6.1: without opposition there is nothing to maneuver for."""
    given(RULESET, pc("zadie")).when(Maneuver(actor="zadie", action_dice=1)).then_refused(
        "conflict-not-running"
    )


def test_somebody_unknown_cannot_maneuver() -> None:
    """An id nobody bears."""
    running(pc("zadie"), foe("demons")).when(Maneuver(actor="nobody", action_dice=1)).then_refused(
        "unknown-character"
    )


def test_a_late_settle_is_ignored() -> None:
    """A roll that settled by itself may be settled once more, to no effect."""
    table = running(pc("zadie"), foe("demons")).after(step(Maneuver(actor="zadie", action_dice=1), (3, 1)))
    table.when(Settle()).then_nothing()
