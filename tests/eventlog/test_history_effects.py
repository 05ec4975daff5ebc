"""What undo gives back: every cost and every effect of an action, and nothing twice."""

from collections.abc import Iterator

import pytest
from caravans import Caravan


@pytest.fixture
def caravan() -> Iterator[Caravan]:
    caravan = Caravan()
    yield caravan
    caravan.close()


def arm(caravan: Caravan, who: str, **changes: int) -> None:
    """The GM puts dice into somebody's pools."""
    caravan.act("adjust", character=who, changes=changes, reason="for the test")


def test_undone_a_maneuver_gives_back_its_dice_and_what_they_earned(caravan: Caravan) -> None:
    caravan.throw("maneuver", 3, 6, 4, actor="zadie", action_dice=2)
    assert caravan.pools("zadie") == (4, 2, 1)
    caravan.act("undo", target=5)
    assert caravan.pools("zadie") == (6, 0, 0)
    assert caravan.state.characters["zadie"].acted is False
    assert caravan.state == caravan.at(4)
    caravan.holds()


def test_undone_a_gift_goes_back_to_its_giver_and_was_never_given(caravan: Caravan) -> None:
    """What somebody paid for another's action comes back with it (netrunner#3986)."""
    caravan.throw("maneuver", 3, 6, 1, 4, actor="zadie", action_dice=2, gifts=["rasheem"])
    caravan.act("settle")
    assert (caravan.pools("zadie"), caravan.pools("rasheem")) == ((4, 2, 1), (5, 0, 0))
    assert caravan.state.conflict.gift_given
    caravan.act("undo", target=5)
    assert (caravan.pools("zadie"), caravan.pools("rasheem")) == ((6, 0, 0), (6, 0, 0))
    assert not caravan.state.conflict.gift_given
    assert caravan.state == caravan.at(4)
    caravan.holds()


def test_the_group_competence_a_gift_caused_goes_with_it(caravan: Caravan) -> None:
    caravan.throw("maneuver", 3, 6, 4, 4, actor="zadie", action_dice=2, gifts=["rasheem"])
    caravan.act("end_round")
    assert caravan.state.conflict.group_competence == 2
    touched = caravan.refused("history-conflict", "undo", target=5).fields["touched"]
    assert [(each.action, each.outcome) for each in touched] == [(6, "changes")]
    caravan.act("undo", target=5, mode="rebase")
    assert (caravan.state.conflict.round, caravan.state.conflict.group_competence) == (2, 1)
    caravan.holds()


def test_cascade_also_takes_the_end_of_the_round_that_counted_the_gift(caravan: Caravan) -> None:
    caravan.throw("maneuver", 3, 6, 4, 4, actor="zadie", action_dice=2, gifts=["rasheem"])
    caravan.act("end_round")
    caravan.act("undo", target=5, mode="cascade")
    assert caravan.state == caravan.at(4)
    caravan.holds()


def test_undone_a_strike_gives_back_its_dice_and_heals_exactly_what_it_did(caravan: Caravan) -> None:
    """More successes than wound circles take no more than there are, and undo gives no more back."""
    arm(caravan, "bull", wounds=2)
    arm(caravan, "zadie", strike=6)
    before = caravan.state
    caravan.throw("strike", 6, 6, 6, 6, 6, 6, actor="zadie", targets=["bull"], strike_dice=6)
    bull = caravan.state.characters["bull"]
    assert (bull.wounds, bull.status) == (3, "defeated")
    caravan.act("undo", target=7)
    assert caravan.state == before
    assert caravan.state.characters["bull"].wounds == 2
    assert caravan.pools("zadie") == (6, 6, 0)


def test_what_a_cap_took_away_is_not_given_back(caravan: Caravan) -> None:
    """Undo is no sum: what a full pool could not hold was never there (Fabula-Ultima#1385)."""
    caravan.act("edit_character", id="zadie", set={"charge_max": 1})
    before = caravan.state
    caravan.throw("maneuver", 6, 6, 6, actor="zadie", action_dice=2)
    assert caravan.pools("zadie") == (4, 0, 1)
    caravan.act("undo", target=6)
    assert caravan.state == before
    caravan.act("redo", target=6)
    assert caravan.pools("zadie") == (4, 0, 1)
    caravan.act("undo", target=6)
    assert caravan.state == before


def test_a_second_undo_is_refused_and_changes_nothing(caravan: Caravan) -> None:
    """An old button pressed again touches no new value (lancer#779)."""
    arm(caravan, "bull", wounds=2)
    caravan.act("apply_condition", character="bull", condition="Weakened")
    caravan.act("undo", target=5)
    bull = caravan.state.characters["bull"]
    assert (bull.wounds, [each.name for each in bull.conditions]) == (0, ["Weakened"])
    assert caravan.refused("already-undone", "undo", target=5).fields == {"action": 5, "by": 7}


def test_undone_a_condition_is_gone_with_its_effect_on_defense(caravan: Caravan) -> None:
    caravan.act("apply_condition", character="bull", condition={"name": "Stunned", "defense": -1})
    weakened = caravan.state
    assert [each.name for each in weakened.characters["bull"].conditions] == ["Stunned"]
    caravan.act("undo")
    assert caravan.state == caravan.at(4)
    caravan.act("redo", target=5)
    assert caravan.state == weakened


def test_undone_an_achievement_takes_back_what_its_goal_did_to_defense(caravan: Caravan) -> None:
    hide = {"kind": "defense", "character": "bull", "change": -1}
    caravan.act("add_goal", id="hide", name="Overcome the armored hide", difficulty=2, effects=[hide])
    arm(caravan, "zadie", strike=4)
    before = caravan.state
    caravan.throw("achieve", 3, 3, 3, 3, actor="zadie", goal="hide", strike_dice={"zadie": 4})
    after = caravan.state
    assert after.goals["hide"].status == "achieved"
    assert before != after
    caravan.act("undo", target=7)
    assert caravan.state == before
    caravan.act("redo", target=7)
    assert caravan.state == after
    caravan.holds()


def test_undone_five_successes_take_back_their_awesome_token(caravan: Caravan) -> None:
    caravan.throw("maneuver", 3, 3, 3, 3, 3, actor="zadie", action_dice=3, gifts=["rasheem"])
    assert caravan.state.characters["zadie"].awesome_tokens == 4
    caravan.act("undo", target=5)
    assert caravan.state.characters["zadie"].awesome_tokens == 3
    assert caravan.state == caravan.at(4)


def test_undone_a_total_failure_takes_back_what_came_back(caravan: Caravan) -> None:
    """The dice of a total failure return once, with the roll or with its undoing (Fabula-Ultima#1385)."""
    caravan.throw("maneuver", 1, 1, 2, 1, actor="zadie", action_dice=2, gifts=["rasheem"])
    caravan.act("settle")
    returned = caravan.state
    assert caravan.pools("zadie")[0] == 6
    caravan.act("undo", target=5)
    assert caravan.state == caravan.at(4)
    caravan.act("redo", target=5)
    assert caravan.state == returned


def test_the_tokens_of_a_free_strike_come_back_with_it(caravan: Caravan) -> None:
    arm(caravan, "zadie", strike=2)
    before = caravan.state
    caravan.throw("strike", 3, 3, actor="zadie", targets=["bull"], strike_dice=2, free=True)
    assert caravan.state.characters["zadie"].awesome_tokens == 2
    caravan.act("undo", target=6)
    assert caravan.state == before


def test_a_cost_and_its_effect_never_part(caravan: Caravan) -> None:
    """There is no number that names only the roll or only the payment of an action (netrunner#3986)."""
    caravan.throw("maneuver", 3, 6, 4, 4, actor="zadie", action_dice=2, gifts=["rasheem"])
    parts = [event for event in caravan.log() if event.slot == 5]
    assert {event.action for event in parts} == {5}
    assert len(parts) > 3
    caravan.act("undo", target=5)
    assert not any(caravan.tape.history.stands(event.slot, event.revision) for event in parts)


def test_a_defeat_that_a_strike_caused_is_taken_back_with_it(caravan: Caravan) -> None:
    """What a wound led to goes when the wound goes (lancer#817)."""
    arm(caravan, "bull", wounds=2)
    arm(caravan, "zadie", strike=6)
    before = caravan.state
    caravan.throw("strike", 6, 6, 6, 6, 6, 6, actor="zadie", targets=["bull"], strike_dice=6)
    caravan.act("apply_condition", character="bull", condition="Weakened")
    assert caravan.state.characters["bull"].status == "defeated"
    caravan.act("undo", target=8)
    caravan.act("undo", target=7)
    assert caravan.state.characters["bull"].status == "active"
    assert caravan.state == before
    caravan.holds()


def test_an_effect_is_reckoned_anew_and_not_by_opposites(caravan: Caravan) -> None:
    """A later value set by hand is not touched by what is undone before it (lancer#779, compcon#3442)."""
    arm(caravan, "zadie", action=-1)
    caravan.act("edit_character", id="zadie", set={"defense": 4})
    caravan.act("undo", target=5)
    zadie = caravan.state.characters["zadie"]
    assert (zadie.action, zadie.defense) == (6, 4)


def test_an_earlier_conflict_is_corrected_and_the_later_one_keeps_what_happened_in_it(
    caravan: Caravan,
) -> None:
    """Zadie's wounds: 3 in the first conflict, of which 2 are taken back, and 1 in the second (Shieldmaiden#35)."""
    caravan.act("edit_character", id="zadie", set={"max_wounds": 6})
    arm(caravan, "zadie", wounds=1)
    arm(caravan, "zadie", wounds=2)
    caravan.act("end_conflict", outcome="agreement")
    caravan.act("start_conflict", first="pcs", characters=["zadie", "bull"])
    arm(caravan, "zadie", wounds=1)
    assert caravan.state.characters["zadie"].wounds == 4
    caravan.act("undo", target=7)
    assert caravan.state.characters["zadie"].wounds == 2
    assert all(caravan.tape.history.revision(slot) == 1 for slot in (5, 6, 8, 9, 10))
    caravan.holds()
