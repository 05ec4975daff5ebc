"""Answers live with the action that asked: they go with it, give way to the recommended ones, or are undone alone."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from caravans import Caravan
from dueling import Table

NONE = {"type": "defend", "question": "q1", "defense": "none"}
PARRY = {"type": "defend", "question": "q1", "defense": "parry"}
DODGE = {"type": "defend", "question": "q1", "defense": "dodge"}
DAMAGE = {"type": "throw_damage", "question": "q2"}


@pytest.fixture
def caravan() -> Iterator[Caravan]:
    caravan = Caravan()
    yield caravan
    caravan.close()


def asked(table: Table) -> str | None:
    return table.state.waiting.kind if table.state.waiting else None


def strike(table: Table) -> None:
    """4 Ada's blow lands at the table, 5 Ben does not defend, 6 she throws 4."""
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (4,)})


def steps(table: Table, slot: int) -> list[dict[str, Any]]:
    """What begins the steps of the standing revision of a slot."""
    revision = table.tape.history.revision(slot)
    return [
        json.loads(event.data or b"")
        for event in table.log()
        if event.slot == slot
        and event.revision == revision
        and event.type in ("core.action-taken", "core.action-revised")
    ]


def test_an_action_is_undone_with_its_answers(table: Table) -> None:
    table.duellists()
    strike(table)
    table.act("undo", target=4)
    assert table.state == table.at(3)
    table.act("redo", target=4)
    assert table.state == table.at(6)


def test_undo_of_the_last_action_is_undo_of_what_asked_not_of_the_answer(table: Table) -> None:
    table.duellists()
    strike(table)
    table.act("undo")
    assert table.state == table.at(3)


def test_an_answer_undone_alone_opens_its_question_again(table: Table) -> None:
    table.duellists()
    strike(table)
    table.act("undo", target=6)
    assert asked(table) == "damage"
    assert table.state == table.at(5)
    table.act("throw_damage", question="q2", request={"dice": (1,)})
    assert table.state.duellists["ben"].hp == 9
    table.holds()


def test_later_answers_go_with_an_answer_undone_alone(table: Table) -> None:
    table.duellists()
    strike(table)
    table.act("undo", target=5)
    assert asked(table) == "defense"
    assert table.state == table.at(4)
    table.act("redo", target=7)
    assert table.state == table.at(6)
    table.holds()


def test_an_answer_that_the_story_went_on_from_is_amended_instead(table: Table) -> None:
    table.duellists()
    strike(table)
    table.act("end_turn")
    refusal = table.refused("amend-instead", "undo", target=6)
    assert refusal.fields == {"action": 6, "slot": 4}
    assert "Amend it" in str(refusal)
    table.act("amend", target=6, request={"dice": (2,)})
    assert table.state.duellists["ben"].hp == 8
    assert table.state.current == "ben"
    table.holds()


def test_an_answer_is_amended_by_its_own_number(table: Table) -> None:
    table.duellists()
    strike(table)
    table.act("end_turn")
    table.act("amend", target=5, command=PARRY, mode="rebase", request={"dice": (1, 1, 1)})
    assert table.state.duellists["ben"].hp == 10
    assert [step["action"] for step in steps(table, 4)] == [4, 5]
    table.holds()


def test_answers_that_no_longer_fit_give_way_to_the_recommended_ones_and_are_listed(table: Table) -> None:
    """Ben dodged; without the rest he was given he is too tired for that, and parries."""
    table.duellists(stamina=2)
    table.act("adjust", duellist="ben", stamina=-1, reason="tired")
    table.act("adjust", duellist="ben", stamina=1, reason="a rest")
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("defend", question="q1", defense="dodge", request={"dice": (3, 3, 3)})
    told = table.foreseen("undo", target=5, mode="rebase", **{"with": [{"action": 7, "dice": [6, 6, 6]}]})
    assert [(each.action, each.outcome, each.replaced) for each in told.consequences] == [
        (6, "changes", True)
    ]


def test_other_answers_are_sent_with_the_correction(table: Table) -> None:
    """Ben dodged; too tired for that now, he parries, with dice thrown for that."""
    table.duellists(stamina=2)
    table.act("adjust", duellist="ben", stamina=-1, reason="tired")
    table.act("adjust", duellist="ben", stamina=1, reason="a rest")
    table.act(
        "attack", attacker="ada", target="ben", request={"answers": (DODGE,), "dice": (2, 3, 4, 3, 3, 3)}
    )
    instead = [{"action": 6, "answers": [PARRY, DAMAGE], "dice": [6, 6, 6, 4]}]
    table.refused("dice-needed", "undo", target=5, mode="rebase")
    table.act("undo", target=5, mode="rebase", **{"with": instead})
    ben = table.state.duellists["ben"]
    assert (ben.stamina, ben.hp) == (1, 6)
    wrong = [{"action": 6, "answers": [DODGE]}]
    table.act("redo", target=5)
    table.refused("too-tired", "undo", target=5, mode="rebase", **{"with": wrong})
    table.holds()


def test_an_answer_that_was_sent_with_the_correction_is_never_replaced(table: Table) -> None:
    """What somebody asks for is done or refused; only what was there before gives way."""
    table.duellists(stamina=2)
    strike(table)
    table.act("end_turn")
    table.refused("wrong-answer", "amend", target=5, command=DAMAGE | {"question": "q1"}, mode="rebase")
    table.act("undo")
    wrong = {"type": "throw_damage", "question": "q1"}
    for code, answer in (("wrong-answer", wrong), ("no-such-question", DAMAGE)):
        table.refused(code, "amend", target=4, answers=[answer], mode="rebase")


def test_no_question_is_left_open_between_actions(table: Table) -> None:
    """Without Ben's answer the recommended one is given: he parries, with dice thrown now."""
    table.duellists(skill=18)
    table.act("attack", attacker="ada", target="ben", request={"answers": (NONE,)})
    table.act("end_turn")
    table.act("amend", target=4, answers=[], mode="rebase")
    assert table.state.waiting is None
    (step,) = steps(table, 4)
    assert step["replaced"] is True
    assert [answer["defense"] for answer in step["answers"]] == ["parry"]
    table.holds()


def test_a_recommended_answer_is_never_hung_onto_a_roll_of_the_gms(table: Table) -> None:
    """A roll between question and answer stays a roll, and what was recommended is decided alike again."""
    table.duellists(skill=18)
    table.act("attack", attacker="ada", target="ben")
    table.act("roll", count=1, purpose="the weather")
    table.act("defend", question="q1", defense="none")
    table.act("end_turn")
    table.act("amend", target=4, answers=[], mode="rebase")
    attack, roll = steps(table, 4)
    assert [answer["defense"] for answer in attack["answers"]] == ["parry"]
    assert "answers" not in roll
    table.act("undo", target=3, mode="cascade")
    table.act("redo", target=3)
    table.holds()


def test_faces_for_a_recommended_answer_are_sent_along(table: Table) -> None:
    """At the table the parry has to be thrown by somebody: the refusal names the action, and its dice then fit."""
    table.duellists()
    strike(table)
    table.act("end_turn")
    needed = table.refused("dice-needed", "amend", target=4, answers=[], mode="rebase")
    assert (needed.fields["action"], needed.fields["wanted"]) == (4, 3)
    table.act("amend", target=4, answers=[], mode="rebase", **{"with": [{"action": 4, "dice": [6, 6, 6]}]})
    assert table.state.duellists["ben"].hp == 10 - 4
    table.holds()


def test_the_last_action_may_leave_its_question_open(table: Table) -> None:
    table.duellists(skill=18)
    table.act("attack", attacker="ada", target="ben", request={"answers": (NONE,)})
    table.act("amend", target=4, answers=[])
    assert asked(table) == "defense"
    table.act("defend", question="q1", defense="none")
    table.holds()


def test_earlier_actions_are_corrected_while_a_question_waits(table: Table) -> None:
    table.duellists()
    table.act("adjust", duellist="ben", hp=-3, reason="a scratch")
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("undo", target=4)
    assert (asked(table), table.state.duellists["ben"].hp) == ("defense", 10)
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (4,)})
    assert table.state.duellists["ben"].hp == 6
    table.holds()


def test_an_answer_still_fits_when_an_earlier_exchange_is_undone(table: Table) -> None:
    """Questions are numbered within their exchange, so that later answers know theirs again."""
    table.duellists()
    strike(table)
    table.act("end_turn")
    table.act("attack", attacker="ben", target="ada", request={"dice": (1, 2, 3)})
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (5,)})
    assert table.state.duellists["ada"].hp == 5
    told = table.foreseen("undo", target=4)
    assert told.consequences == ()
    table.act("undo", target=4)
    assert (table.state.duellists["ada"].hp, table.state.duellists["ben"].hp) == (5, 10)
    table.holds()


def test_book_keeping_while_a_question_waits_is_undone_alone(table: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("adjust", duellist="ben", hp=-2, reason="forgotten")
    table.act("defend", question="q1", defense="none")
    table.act("undo", target=5)
    assert table.state.duellists["ben"].hp == 10
    assert asked(table) == "damage"
    table.act("redo", target=7)
    assert table.state.duellists["ben"].hp == 8
    table.holds()


def test_book_keeping_in_an_earlier_place_is_undone_alone_too(table: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("adjust", duellist="ben", hp=-2, reason="forgotten")
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (4,)})
    table.act("end_turn")
    table.act("undo", target=5)
    assert table.state.duellists["ben"].hp == 6
    table.refused("already-undone", "undo", target=5)
    table.holds()


# --- with rerolls -------------------------------------------------------------------------------------------


def test_a_reroll_is_undone_alone_and_its_trait_is_marked_again(caravan: Caravan) -> None:
    """Undoing the reroll alone gives the roll back as it lay (terraforming-mars#911)."""
    caravan.throw("maneuver", 3, 6, 1, actor="zadie", action_dice=2)
    caravan.throw("reroll", 5, trait="Bold")
    assert caravan.pools("zadie") == (4, 2, 1)
    caravan.act("undo", target=6)
    zadie = caravan.state.characters["zadie"]
    assert (zadie.traits[0].marked, caravan.pools("zadie")) == (True, (4, 0, 0))
    assert caravan.state == caravan.at(5)
    caravan.act("settle")
    assert caravan.pools("zadie") == (4, 1, 1)
    caravan.holds()


def test_a_roll_that_a_reroll_followed_is_undone_with_it(caravan: Caravan) -> None:
    """Both sets of dice stay readable, and the trait is marked again (terraforming-mars#911)."""
    before = caravan.log()
    caravan.throw("maneuver", 3, 6, 1, actor="zadie", action_dice=2)
    caravan.throw("reroll", 5, trait="Bold")
    caravan.act("end_turn")
    caravan.act("undo", target=5, mode="cascade")
    assert caravan.state.characters == caravan.at(4).characters
    rolled = [event for event in caravan.log()[len(before) :] if event.type == "anima-prime.dice-rolled"]
    assert len(rolled) >= 1
    assert all(not caravan.tape.history.stands(event.slot, event.revision) for event in rolled)
    caravan.holds()


def test_keeping_other_dice_is_an_amendment_of_the_answer(caravan: Caravan) -> None:
    """Six successes, five kept: the choice is changed later and the dice stay as they are."""
    gifts = {"gifts": ["rasheem", "gm"]}
    caravan.throw("maneuver", 3, 3, 3, 6, 6, 6, actor="zadie", action_dice=3, **gifts)
    caravan.act("keep", strike=3, charge=2)
    caravan.act("end_turn")
    assert caravan.pools("zadie")[1:] == (3, 2)
    caravan.act("amend", target=6, command={"type": "keep", "strike": 2, "charge": 3})
    assert caravan.pools("zadie")[1:] == (2, 3)
    caravan.refused(
        "keep-exceeds-roll", "amend", target=6, command={"type": "keep", "strike": 1, "charge": 4}
    )
    caravan.holds()
