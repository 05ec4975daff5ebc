"""Corrections that would come to nothing are refused, and say what to send."""

import json

import pytest
from caravans import Caravan
from dueling import Table

from eventlog.errors import CommandMalformed
from eventlog.history import recording
from eventlog.history.errors import NotTouched
from eventlog.history.refusals import Amendment
from eventlog.requests import Request
from rulesets.people import GM, Viewer

ANSWERS = (
    {"type": "defend", "question": "q1", "defense": "none"},
    {"type": "throw_damage", "question": "q2"},
)
ADA = Viewer(role="player", name="Ada", characters=("ada",))
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


# --- something sent for actions that are not decided again ------------------------------------------------------


def shortened(table: Table) -> None:
    """4 Ben tires, 5 rests, 6 his dodge needs that rest, 7 nothing leans on it, 8 is no part of the story."""
    table.duellists(stamina=2)
    table.act("adjust", duellist="ben", stamina=-1, reason="tired")
    table.act("adjust", duellist="ben", stamina=1, reason="a rest")
    table.act("attack", attacker="ada", target="ben", request={"answers": (DODGE,), "dice": DODGED})
    table.act("conceal_dagger", duellist="ben")
    table.act("note", text="It rains")


DODGE = {"type": "defend", "question": "q1", "defense": "dodge"}
DODGED = (2, 3, 4, 3, 3, 3)
PARRY = {"type": "defend", "question": "q1", "defense": "parry"}
INSTEAD = {"action": 6, "answers": [PARRY, ANSWERS[1]], "dice": [6, 6, 6, 4]}


@pytest.mark.parametrize("mode", ["strict", "rebase", "cascade"])
@pytest.mark.parametrize("sent", [{"answers": []}, {"dice": [4]}, {}])
@pytest.mark.parametrize("action", [4, 5, 7, 8, 99])
def test_what_is_sent_for_an_action_that_is_not_decided_again_is_refused(
    table: Table, mode: str, sent: dict[str, object], action: int
) -> None:
    """Before it, the undone one itself, one that nothing leans on, a note, one that is not there."""
    shortened(table)
    both = [{"action": action, **sent}, INSTEAD] if mode == "rebase" else [{"action": action, **sent}]
    code = (
        "history-conflict" if mode == "strict" and not (action == 6 and sent.get("dice")) else "not-touched"
    )
    refusal = table.refused(code, "undo", target=5, mode=mode, **{"with": both})
    if code == "not-touched":
        assert refusal.fields == {"actions": [action]}
        assert f"action {action}, " in refusal.message
        assert "dry_run" in refusal.message


def test_every_one_of_them_is_named_and_a_look_ahead_says_the_same(table: Table) -> None:
    shortened(table)
    sent = {"with": [{"action": 99, "answers": []}, INSTEAD, {"action": 7}]}
    refusal = table.refused("not-touched", "undo", target=5, mode="rebase", **sent)
    assert refusal.fields == {"actions": [7, 99]}
    assert "actions 7, 99" in refusal.message
    with pytest.raises(NotTouched):
        table.foreseen("undo", target=5, mode="rebase", **sent)


def test_what_cascade_undoes_goes_on_with_nothing(table: Table) -> None:
    shortened(table)
    refusal = table.refused("not-touched", "undo", target=5, mode="cascade", **{"with": [INSTEAD]})
    assert refusal.fields == {"actions": [6]}


def test_what_is_sent_for_an_action_that_is_touched_is_heard(table: Table) -> None:
    shortened(table)
    table.act("undo", target=5, mode="rebase", **{"with": [INSTEAD]})
    assert table.state.duellists["ben"].hp == 6
    table.holds()


def test_a_roll_of_the_recorders_own_is_not_touched_either(table: Table) -> None:
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    table.act("roll", count=1, purpose="luck", request={"dice": (5,)})
    for sent in ({"answers": []}, {"dice": [1]}):
        table.refused("not-touched", "undo", target=5, mode="rebase", **{"with": [{"action": 5, **sent}]})


def test_an_answer_that_an_amendment_replaces_is_not_decided_again(table: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (4,)})
    refusal = table.refused(
        "not-touched",
        "amend",
        target=4,
        answers=[DODGE],
        **{"with": [{"action": 4, "dice": [6, 6, 6]}, {"action": 5}]},
    )
    assert refusal.fields == {"actions": [5]}


def test_an_action_is_named_once(table: Table) -> None:
    shortened(table)
    for mode in ("strict", "rebase", "cascade"):
        refusal = table.refused(
            "malformed-command", "undo", target=5, mode=mode, **{"with": [INSTEAD, {"action": 6}]}
        )
        assert "action 6" in refusal.message
        assert refusal.fields == {"action": 6}


def test_the_faces_and_answers_of_an_amended_action_are_said_once(table: Table) -> None:
    strike_at_once(table)
    table.refused(
        "malformed-command",
        "amend",
        target=4,
        request={"dice": (2, 3, 4, 5)},
        **{"with": [{"action": 4, "dice": [5]}]},
    )
    own = {"action": 4, "answers": [DODGE], "dice": [6, 6, 6]}
    table.refused("malformed-command", "amend", target=4, answers=ANSWERS, **{"with": [own]})


def test_a_log_in_which_such_a_thing_was_taken_is_still_proved(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, other answers made an action be touched that nothing else touched."""
    strike_at_once(table)
    table.act("conceal_dagger", duellist="ada")
    table.act("end_turn")
    monkeypatch.setattr(recording, "sent_to_be_heeded", lambda *_: None)
    other = {"action": 4, "answers": [PARRY], "dice": [1, 1, 1]}
    table.act("undo", target=3, mode="cascade")
    table.act("undo", target=7)
    table.act("undo", target=5, mode="rebase", **{"with": [{"action": 6, "answers": []}, {"action": 99}]})
    monkeypatch.undo()
    table.refused("not-touched", "redo", target=5, **{"with": [other]})
    table.holds()


def settle(table: Table, verdict: str, **fields: object) -> None:
    command = {"type": "settle_undo_request", "request": 9, "verdict": verdict, "with": [INSTEAD], **fields}
    asked = Request(command=json.dumps(command).encode(), issuer=GM)
    table.do(lambda: table.recorder.record(table.session, asked))


def test_a_request_that_is_denied_decides_nothing_again(table: Table) -> None:
    shortened(table)
    table.act("ask_undo", target=5, request={"issuer": ADA})
    for verdict in ("deny", "cancel"):
        with pytest.raises(CommandMalformed, match="Only an approved undo"):
            settle(table, verdict)
    settle(table, "approve", mode="rebase")
    assert table.state.duellists["ben"].hp == 6
    table.holds()


# --- dice of the table that are missing -------------------------------------------------------------------------


def test_strict_says_what_it_touches_before_it_asks_for_dice(table: Table) -> None:
    """Without his rest Ben parries, with dice nobody threw: that is touched for certain, and what follows may be."""
    shortened(table)
    refusal = table.refused("history-conflict", "undo", target=5)
    touched = [(each.action, each.outcome, each.purpose, each.dice) for each in refusal.fields["touched"]]
    assert touched == [(6, "changes", "parry", (None, None, None)), (7, "open", None, ())]
    assert "one action more, and what becomes of one action after it depends on dice" in refusal.message
    told = table.foreseen("undo", target=5)
    assert [*told.consequences] == refusal.fields["touched"]
    assert told.state is None


def test_what_cascade_undoes_needs_no_dice(table: Table) -> None:
    shortened(table)
    told = table.foreseen("undo", target=5, mode="cascade")
    assert [(each.action, each.outcome) for each in told.consequences] == [(6, "changes")]
    table.act("undo", target=5, mode="cascade")
    assert table.tape.history.revision(6) is None
    assert table.tape.history.revision(7) == 1
    table.holds()


def test_what_goes_on_asks_for_the_dice_it_lacks_and_says_which_lie_there(table: Table) -> None:
    shortened(table)
    needed = table.refused("dice-needed", "undo", target=5, mode="rebase")
    assert (needed.fields["action"], needed.fields["dice"]) == (6, [None, None, None])
    table.act("undo", target=6)
    table.act("roll", count=1, purpose="luck", request={"dice": (5,)})
    three = {"type": "roll", "count": 3, "purpose": "luck"}
    for mode in ("strict", "rebase", "cascade"):
        needed = table.refused("dice-needed", "amend", target=10, command=three, mode=mode)
        assert (needed.fields["action"], needed.fields["dice"]) == (10, [5, None, None])
