"""Redo: a correction is taken back whole, and so is the taking back."""

import json

import pytest
from caravans import Caravan
from dueling import Table
from test_history_outcomes import dagger

from eventlog.history.reading import Past
from rulesets.people import Viewer


def test_redo_restores_the_target_and_what_was_touched(table: Table) -> None:
    dagger(table)
    before = table.state
    table.act("undo", target=4, mode="rebase")
    redone = table.act("redo", target=4)
    assert table.state == before
    assert [table.tape.history.revision(slot) for slot in range(4, 9)] == [1] * 5
    assert json.loads(redone.events[-1].data or b"")["correction"] == 9
    table.holds()


@pytest.mark.parametrize("kind, target", [("redo", 4), ("redo", 5), ("undo", 5)])
def test_redo_names_the_action_or_the_correction_that_emptied_it(
    table: Table, kind: str, target: int
) -> None:
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    before = table.state
    table.act("undo", target=4)
    assert table.state != before
    table.act(kind, target=target)
    assert table.state == before


def test_undoing_the_redo_undoes_the_action_again_and_so_on(table: Table) -> None:
    dagger(table)
    first = table.state
    table.act("undo", target=4, mode="cascade")
    second = table.state
    for number in range(9, 15):
        table.act("undo", target=number)
        assert table.state == (second if number % 2 == 0 else first)
    table.holds()


def test_only_what_stands_is_undone_and_only_what_is_undone_is_redone(table: Table) -> None:
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    assert "nothing to redo" in str(table.refused("not-undone", "redo", target=4))
    table.act("undo", target=4)
    assert table.refused("already-undone", "undo", target=4).fields == {"action": 4, "by": 5}
    assert table.refused("already-undone", "amend", target=4, command={"type": "end_turn"})
    table.act("undo", target=5)
    assert table.refused("already-undone", "undo", target=5).fields == {"action": 5, "by": 6}
    assert table.refused("already-undone", "redo", target=5).fields == {"action": 5, "by": 6}


def test_a_correction_that_was_corrected_since_is_not_taken_back_alone(table: Table) -> None:
    dagger(table)
    table.act("undo", target=4, mode="rebase")
    table.act("undo", target=8)
    for kind, target in (("undo", 9), ("redo", 4)):
        refusal = table.refused("corrected-since", kind, target=target, mode="rebase")
        assert refusal.fields == {"action": 8, "correction": 9, "since": 10}
        assert "undo that first" in str(refusal)
    table.act("redo", target=8)
    table.act("redo", target=4)
    assert table.state == table.at(8)
    table.holds()


def test_redo_puts_an_action_back_in_its_place_among_what_came_since(table: Table) -> None:
    """What was done after an undo is decided again on the restored table (18xx#5195)."""
    dagger(table)
    before = table.state
    table.act("undo", target=6, through=True)
    table.act("adjust", duellist="ben", hp=-9, reason="a fall")
    refusal = table.refused("history-conflict", "redo", target=6)
    assert [(each.action, each.outcome, each.code) for each in refusal.fields["touched"]] == [
        (10, "falls", "pool-below-zero")
    ]
    table.act("undo", target=10)
    table.act("redo", target=9)
    assert table.state == before
    assert table.tape.action == 12
    table.holds()


def test_redo_in_rebase_empties_what_no_longer_fits_and_its_undo_brings_that_back(table: Table) -> None:
    dagger(table)
    table.act("undo", target=6, through=True)
    table.act("adjust", duellist="ben", hp=-9, reason="a fall")
    fallen = table.state
    table.act("redo", target=6, mode="rebase")
    assert table.tape.history.revision(10) is None
    table.act("undo", target=11)
    assert table.state == fallen
    assert table.tape.history.revision(10) == 1
    table.holds()


def test_an_undone_correction_can_be_redone_by_its_own_number(table: Table) -> None:
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    table.act("undo", target=4)
    table.act("undo", target=5)
    table.act("redo", target=6)
    assert table.state.duellists["ada"].dagger == "none"
    table.refused("already-undone", "redo", target=6)


def test_what_was_emptied_as_a_consequence_is_redone_with_the_whole_correction(table: Table) -> None:
    dagger(table)
    before = table.state
    table.act("undo", target=4, mode="cascade")
    table.act("redo", target=6)
    assert table.state == before
    assert table.tape.history.revision(4) == 1


@pytest.mark.parametrize("mode", ["rebase", "cascade"])
def test_a_redo_of_a_redo_of_revised_actions_goes_back_to_the_same_revisions(table: Table, mode: str) -> None:
    dagger(table)
    table.act("undo", target=4, mode=mode)
    corrected = [table.tape.history.revision(slot) for slot in range(4, 9)]
    table.act("redo", target=4)
    table.act("undo", target=10)
    assert [table.tape.history.revision(slot) for slot in range(4, 9)] == corrected
    table.holds()


def test_an_answer_that_was_undone_is_redone_by_its_number(table: Table) -> None:
    table.duellists(skill=18)
    table.act("attack", attacker="ada", target="ben")
    table.act("defend", question="q1", defense="parry")
    before = table.state
    table.act("undo", target=5)
    table.act("redo", target=5)
    assert table.state == before
    assert "nothing to redo" in str(table.refused("not-undone", "redo", target=5))
    table.holds()


def test_an_answer_left_out_by_an_amendment_is_redone_by_its_number(table: Table) -> None:
    table.duellists(skill=18)
    table.act("attack", attacker="ada", target="ben")
    table.act("defend", question="q1", defense="parry")
    before = table.state
    table.act("amend", target=4, answers=[])
    assert table.state != before
    table.act("redo", target=5)
    assert table.state == before
    table.holds()


def test_what_waited_for_an_answer_is_redone_with_the_recommended_one_once_the_story_went_on() -> None:
    """It was asked for itself, so that nothing later is touched: looked ahead at and done it is the same."""
    caravan = Caravan(settings={"table_dice": "all"})
    maneuver = caravan.throw("maneuver", 3, 1, 3, actor="zadie", action_dice=2).tape.action
    assert caravan.state.open_roll is not None
    caravan.act("undo", target=maneuver)
    caravan.act("adjust", character="bull", changes={"strike": 1}, reason="it rages")
    ahead = caravan.foreseen("redo", target=maneuver)
    assert (ahead.consequences, [each.replaced for each in ahead.targets]) == ((), [True])
    caravan.act("redo", target=maneuver)
    assert caravan.state == ahead.state
    assert caravan.state.open_roll is None
    caravan.holds()
    caravan.close()


# --- what came since --------------------------------------------------------------------------------------------


def cid_lets_pass_takes_it_back_and_dan_parries(table: Table) -> tuple[int, Viewer]:
    """Cid's player undoes what they answered; Dan's answers instead, with dice. The correction, and Cid's player."""
    cid, dan = (Viewer(role="player", name=f"{one}'s", characters=(one,)) for one in ("cid", "dan"))
    for who, side in (("ada", "red"), ("ben", "blue"), ("cid", "blue"), ("dan", "blue")):
        table.act("add_duellist", id=who, side=side, skill=18, stamina=9)
    table.act("begin")
    table.act("attack", attacker="ada", target="ben")
    passed = table.act("pass_by", question="q1", ally="cid", request={"issuer": cid}).tape.action
    correction = table.act("undo", target=passed, request={"issuer": cid}).tape.action
    table.act("interpose", question="q1", ally="dan", request={"issuer": dan})
    table.act("defend", question="q2", defense="parry", request={"issuer": dan})
    return correction, cid


def test_a_player_takes_no_correction_back_that_others_answered_since(table: Table) -> None:
    correction, cid = cid_lets_pass_takes_it_back_and_dan_parries(table)
    refusal = table.refused("acted-since", "undo", target=correction, request={"issuer": cid})
    assert refusal.fields == {"action": correction, "since": correction + 1}
    table.holds()


def test_answers_since_are_touched_where_a_correction_is_taken_back(table: Table) -> None:
    correction, _ = cid_lets_pass_takes_it_back_and_dan_parries(table)
    before = table.state
    refusal = table.refused("history-conflict", "undo", target=correction)
    [touched] = refusal.fields["touched"]
    assert (touched.action, touched.dropped) == (6, (correction + 1, correction + 2))
    assert table.state == before
    ahead = table.foreseen("undo", target=correction, mode="rebase")
    table.act("undo", target=correction, mode="rebase")
    assert ahead.targets == (touched,)
    assert table.state == ahead.state != before
    table.holds()


def test_an_answer_to_what_an_amendment_opened_is_touched_where_it_is_taken_back(table: Table) -> None:
    table.duellists(skill=18)
    none = {"type": "defend", "question": "q1", "defense": "none"}
    table.act("attack", attacker="ada", target="ben", request={"answers": (none,)})
    stood = table.state
    table.act("amend", target=4, answers=[])
    table.act("defend", question="q1", defense="parry")
    [touched] = table.refused("history-conflict", "undo", target=5).fields["touched"]
    assert (touched.action, touched.dropped) == (4, (6,))
    table.act("undo", target=5, mode="cascade")
    assert table.state == stood
    table.holds()


def test_book_keeping_since_stays_where_a_correction_is_taken_back(table: Table) -> None:
    """It was done while the question waited, and so lies in its slot; it answers nothing."""
    table.duellists(skill=18)
    none = {"type": "defend", "question": "q1", "defense": "none"}
    table.act("attack", attacker="ada", target="ben", request={"answers": (none,)})
    table.act("amend", target=4, answers=[])
    table.act("roll", count=2, purpose="luck")
    table.act("undo", target=5)
    [content] = Past(table.store, table.tape).line(4)
    assert [step.action for step in content.steps] == [4, 6]
    assert not table.state.waiting
    table.holds()
