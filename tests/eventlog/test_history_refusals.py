"""Corrections that would come to nothing are refused, and say what to send."""

import pytest
from caravans import Caravan
from dueling import Table

from eventlog.history.refusals import Amendment

ANSWERS = (
    {"type": "defend", "question": "q1", "defense": "none"},
    {"type": "throw_damage", "question": "q2"},
)
ATTACK = {"type": "attack", "attacker": "ada", "target": "ben"}


def strike_at_once(table: Table) -> None:
    """4 Ada's blow lands and wounds, with the answers sent along and all dice typed in."""
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"answers": ANSWERS, "dice": (2, 3, 4, 4)})


# --- an amendment that changes nothing --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "amended, dice",
    [
        ({}, None),
        ({"command": ATTACK}, None),
        ({"command": {"low": False, **ATTACK}}, None),
        ({"answers": ANSWERS}, None),
        ({"overrule": []}, None),
        ({}, (2, 3, 4, 4)),
        ({"command": ATTACK, "answers": ANSWERS, "overrule": []}, (2, 3, 4, 4)),
    ],
)
def test_an_amendment_that_leaves_all_as_it_stands_is_refused(
    table: Table, amended: dict[str, object], dice: tuple[int, ...] | None
) -> None:
    strike_at_once(table)
    refusal = table.refused("nothing-to-amend", "amend", target=4, request={"dice": dice}, **amended)
    assert refusal.fields == {"action": 4}
    for part in ("action 4", "command", "answers", "dice", "overrule"):
        assert part in refusal.message


def test_answers_that_were_given_one_after_the_other_are_no_other_answers(table: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (4,)})
    table.refused("nothing-to-amend", "amend", target=4, answers=ANSWERS)
    table.refused("nothing-to-amend", "amend", target=4, answers=ANSWERS, request={"dice": (2, 3, 4, 4)})
    table.act("amend", target=4, answers=ANSWERS, request={"dice": (2, 3, 4, 5)})
    assert table.state.duellists["ben"].hp == 5
    table.holds()


def test_an_answer_that_stays_as_it_is_is_refused_by_its_own_number(table: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("defend", question="q1", defense="none")
    refusal = table.refused("nothing-to-amend", "amend", target=5, command=ANSWERS[0])
    assert "action 5" in refusal.message


def test_a_rule_passed_over_that_stands_against_nothing_changes_nothing(table: Table) -> None:
    strike_at_once(table)
    table.refused("nothing-to-amend", "amend", target=4, overrule=["not-your-turn"])


def test_what_nobody_needs_to_correct_is_refused_in_every_mode_and_by_a_look_ahead(table: Table) -> None:
    strike_at_once(table)
    for mode in ("strict", "rebase", "cascade"):
        table.refused("nothing-to-amend", "amend", target=4, mode=mode)
    with pytest.raises(Exception, match="leaves action 4 as it is"):
        table.foreseen("amend", target=4)


def test_one_that_was_recorded_all_the_same_is_still_proved(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike_at_once(table)
    monkeypatch.setattr(Amendment, "says_something_new", lambda *_: None)
    monkeypatch.setattr(Amendment, "comes_to_something_new", lambda *_: None)
    table.act("amend", target=4)
    table.act("amend", target=4, request={"dice": (2, 3, 4, 4)})
    monkeypatch.undo()
    table.holds()
    table.act("undo", target=6)
    table.holds()


def test_a_number_typed_otherwise_is_something_to_amend(table: Table) -> None:
    strike_at_once(table)
    table.act("amend", target=4, request={"dice": (2, 3, 4, 1)})
    assert table.state.duellists["ben"].hp == 9
    table.holds()


def test_an_amendment_that_only_words_it_otherwise_is_taken() -> None:
    caravan = Caravan()
    caravan.throw("maneuver", 4, 6, 1, actor="zadie", action_dice=2)
    told = {"type": "maneuver", "actor": "zadie", "action_dice": 2, "text": "From the roof"}
    caravan.act("amend", target=5, command=told)
    caravan.refused("nothing-to-amend", "amend", target=5, command=told)
    caravan.holds()
    caravan.close()
