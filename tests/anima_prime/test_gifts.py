"""6.4 Gift dice: one from each other player, from the own Action Pool, for maneuvers of the own side."""

from __future__ import annotations

import pytest

from anima_prime.table import foe, pc, running
from rulesets.anima_prime.commands import Adjust, Changes, EndConflict, HelpAsked, Maneuver, StartConflict
from rulesets.anima_prime.events import GiftGiven
from rulesets.testing import step


def three(**mira):
    """Zadie, Rasheem and Mira against the demons."""
    return running(pc("zadie"), pc("rasheem"), pc("mira", **mira), foe("demons"))


def test_a_gift_costs_the_giver_one_action_die_and_no_action() -> None:
    """6.4: the giver may still act."""
    three().when(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (3, 4, 6)).then_state(
        characters={"zadie": {"action": 5, "strike": 2, "charge": 1}, "mira": {"action": 5, "acted": False}},
        conflict={"gift_given": True},
    )


def test_who_has_acted_may_still_give() -> None:
    """6.4: giving is not acting."""
    table = three().after(step(Maneuver(actor="mira", action_dice=1), (3, 3)))
    table.when(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (3, 3, 3)).then_state(
        characters={"mira": {"action": 4, "acted": True}}
    )


def test_one_player_gives_to_many_maneuvers() -> None:
    """6.4: the limit is for one maneuver, not for the round."""
    table = three().after(step(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (3, 3, 3)))
    table.when(Maneuver(actor="rasheem", action_dice=1, gifts=("mira",)), (3, 3, 3)).then_state(
        characters={"mira": {"action": 4}}
    )


def test_the_master_gives_from_the_supply() -> None:
    """6.4: the die of the GM costs nobody anything, does not come back, and counts for the round."""
    when = three().when(Maneuver(actor="zadie", action_dice=1, gifts=("gm",)), (1, 2, 1))
    assert GiftGiven(giver="gm", to="zadie") in when.events
    when.then_state(characters={"zadie": {"action": 6}}, conflict={"gift_given": True})


@pytest.mark.parametrize(
    "gifts, code",
    [
        (("zadie",), "gift-from-self"),
        (("mira", "mira"), "gift-twice"),
        (("gm", "gm"), "gift-twice"),
        (("demons",), "gift-other-side"),
        (("nobody",), "unknown-character"),
    ],
)
def test_gifts_that_are_refused(gifts, code) -> None:
    """6.4: from another player, once."""
    three().when(Maneuver(actor="zadie", action_dice=1, gifts=gifts)).then_refused(code)


def test_an_empty_pool_gives_nothing() -> None:
    """6.4: the die has to be there."""
    three(action=0).when(Maneuver(actor="zadie", action_dice=1, gifts=("mira",))).then_refused(
        "gift-no-die", overrulable=False
    )


def test_a_helper_does_not_give_as_well() -> None:
    """6.4, recommended reading: participants put in their own dice already."""
    combined = Maneuver(
        actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=1),), gifts=("mira",)
    )
    three().when(combined).then_refused("gift-from-helper")


def test_a_helper_may_give_where_the_table_says_so() -> None:
    """Parameter gift.from_helpers."""
    table = running(pc("zadie"), pc("mira", action=2), foe("demons"), gift={"from_helpers": True})
    combined = Maneuver(
        actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=1),), gifts=("mira",)
    )
    table.when(combined, (3,) * 5).then_state(characters={"mira": {"action": 0}})


def test_helping_and_giving_need_two_dice() -> None:
    """Parameter gift.from_helpers: one die cannot be spent twice."""
    table = running(pc("zadie"), pc("mira", action=1), foe("demons"), gift={"from_helpers": True})
    combined = Maneuver(
        actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=1),), gifts=("mira",)
    )
    table.when(combined).then_refused("gift-no-die", overrulable=False)


def test_the_defeated_give_only_where_the_table_says_so() -> None:
    """Parameter gift.from_defeated."""
    for allowed in (True, False):
        table = running(pc("zadie"), pc("mira"), foe("demons"), gift={"from_defeated": allowed}).after(
            Adjust(character="mira", changes=Changes(wounds=3, status="defeated"), reason="A fall")
        )
        when = table.when(
            Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (3, 3, 3) if allowed else ()
        )
        if allowed:
            when.then_state(characters={"mira": {"action": 5}})
        else:
            assert when.refusal


def test_gifts_are_for_a_running_conflict() -> None:
    """6.1: before and after there is nothing to give to."""
    table = three().after(EndConflict(outcome="agreement"))
    table.when(Maneuver(actor="zadie", action_dice=1, gifts=("mira",))).then_refused("conflict-not-running")
    table.after(StartConflict(first="pcs", characters=("zadie", "mira", "demons"))).when(
        Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (3, 3, 3)
    ).accepted()
