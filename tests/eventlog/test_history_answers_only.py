"""Answers answer: what goes along with a command, or takes an answer's place, is no second deed in one place."""

import pytest
from caravans import Caravan
from dueling import Table

from eventlog import decision
from eventlog.history import recording

NONE = {"type": "defend", "question": "q1", "defense": "none"}
DAMAGE = {"type": "throw_damage", "question": "q2"}
DEEDS = (
    {"type": "end_turn"},
    {"type": "conceal_dagger", "duellist": "ben"},
    {"type": "note", "text": "It rains"},
    {"type": "roll", "count": 1, "purpose": "luck"},
    {"type": "undo"},
)


@pytest.mark.parametrize("deed", DEEDS)
def test_a_second_deed_is_no_answer_to_the_first(table: Table, deed: dict[str, object]) -> None:
    """Neither where nothing is asked, nor past a question, nor behind an answer that fits."""
    table.duellists()
    refusal = table.refused("not-an-answer", "conceal_dagger", duellist="ada", request={"answers": [deed]})
    assert str(deed["type"]) in refusal.message
    assert "throw_damage" in refusal.message
    assert refusal.fields["type"] == deed["type"]
    blow = {"attacker": "ada", "target": "ben"}
    for answers in ([deed], [NONE, deed], [NONE, DAMAGE, deed]):
        faces = (2, 3, 4, 4)[: 2 + len(answers)]
        table.refused("not-an-answer", "attack", **blow, request={"answers": answers, "dice": faces})


def test_an_answer_is_for_a_question_that_the_command_opens(table: Table) -> None:
    table.duellists()
    table.refused("no-such-question", "conceal_dagger", duellist="ada", request={"answers": [NONE]})
    blow = {"attacker": "ada", "target": "ben"}
    table.refused(
        "no-such-question",
        "attack",
        **blow,
        request={"answers": [NONE, DAMAGE, NONE], "dice": (2, 3, 4, 4)},
    )
    table.act("attack", **blow, request={"answers": [NONE, DAMAGE], "dice": (2, 3, 4, 4)})
    assert table.state.duellists["ben"].hp == 6


def test_a_roll_that_settles_by_itself_is_settled_once_more_without_a_word() -> None:
    """What the game says of late answers holds for those that come along, too."""
    caravan = Caravan()
    settled = caravan.throw
    settled("maneuver", 3, 4, 6, actor="zadie", action_dice=2)
    caravan.act("undo")
    caravan.act(
        "maneuver", actor="zadie", action_dice=2, request={"answers": [{"type": "settle"}], "dice": (3, 4, 6)}
    )
    assert caravan.pools("zadie") == (4, 2, 1)
    caravan.holds()
    caravan.close()


@pytest.mark.parametrize("deed", DEEDS)
def test_nor_does_a_correction_take_a_deed_for_an_answer(table: Table, deed: dict[str, object]) -> None:
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (4,)})
    table.refused("not-an-answer", "amend", target=5, answers=[NONE, DAMAGE, deed])
    table.refused("not-an-answer", "amend", target=4, answers=[deed])
    nowhere = deed["type"] in ("note", "undo")
    table.refused("malformed-command" if nowhere else "not-an-answer", "amend", target=7, command=deed)
    table.refused("not-an-answer", "insert", before=4, command={"type": "end_turn"}, answers=[deed])
    sent = {"with": [{"action": 5, "answers": [deed]}]}
    table.refused("not-an-answer", "undo", target=4, mode="rebase", **sent)


def test_an_answer_is_no_deed_either(table: Table) -> None:
    """It has no place of its own: neither in between, nor where an action stood."""
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    for asked in ({"before": 4}, {"target": 4}):
        kind = "insert" if "before" in asked else "amend"
        refusal = table.refused("malformed-command", kind, command=NONE, **asked)
        assert "defend" in refusal.message
        assert "answers" in refusal.message


def test_what_was_done_while_a_question_waited_is_amended_to_what_may_pass_then(table: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("adjust", duellist="ben", hp=-2, reason="forgotten")
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (4,)})
    refusal = table.refused("question-open", "amend", target=5, command={"type": "end_turn"})
    assert "action 4" in refusal.message
    table.refused("malformed-command", "amend", target=5, command=NONE)
    table.act(
        "amend", target=5, command={"type": "adjust", "duellist": "ben", "hp": -1, "reason": "a scratch"}
    )
    assert table.state.duellists["ben"].hp == 5
    table.holds()


def test_a_log_that_has_two_deeds_in_one_place_is_decided_as_ever(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was taken once, so it is proved, corrected and verified as it was."""
    table.duellists()
    monkeypatch.setattr(decision, "only_answers", lambda *_: None)
    deed = {"type": "end_turn"}
    table.act("conceal_dagger", duellist="ada", request={"answers": [deed]})
    table.act("adjust", duellist="ben", hp=-1, reason="a scratch")
    monkeypatch.undo()
    assert table.state.current == "ben"
    table.holds()
    table.act("undo", target=4)
    assert table.state.current == "ada"
    table.act("redo", target=4)
    assert table.state.current == "ben"
    table.act("amend", target=4, command={"type": "conceal_dagger", "duellist": "ben"})
    assert (table.state.current, table.state.duellists["ben"].dagger) == ("ben", "concealed")
    table.holds()
    monkeypatch.setattr(recording, "only_sent_as_answers", lambda *_: None)
    table.act("amend", target=4, answers=[deed, deed])
    monkeypatch.undo()
    assert table.state.current == "ada"
    table.holds()
