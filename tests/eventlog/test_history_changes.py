"""Amending an action and putting in a forgotten one."""

import pytest
from caravans import Caravan
from dueling import Table
from test_history_outcomes import dagger

from eventlog.errors import EventLogError


def end_turn() -> dict[str, str]:
    return {"type": "end_turn"}


# --- amend --------------------------------------------------------------------------------------------------


def test_an_action_goes_on_with_another_command_and_later_ones_follow(table: Table) -> None:
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    table.act("adjust", duellist="ben", hp=-4, reason="a wound")
    worse = {"type": "adjust", "duellist": "ben", "hp": -6, "reason": "worse"}
    table.act("amend", target=4, command=worse, mode="rebase")
    ben = table.state.duellists["ben"]
    assert (table.state.duellists["ada"].dagger, ben.hp, ben.down) == ("none", 0, True)
    assert [table.tape.history.revision(slot) for slot in (4, 5)] == [2, 2]
    table.holds()


def test_strict_refuses_an_amendment_that_touches_others(table: Table) -> None:
    dagger(table)
    refusal = table.refused("history-conflict", "amend", target=4, command=end_turn())
    assert [(each.action, each.code) for each in refusal.fields["touched"]] == [
        (5, "no-dagger"),
        (6, "not-your-turn"),
        (8, None),
    ]


def test_an_amended_action_keeps_who_asked_for_it_and_when(table: Table) -> None:
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    amended = table.act("amend", target=4, command={"type": "conceal_dagger", "duellist": "ben"})
    revised = next(event for event in amended.events if event.type == "core.action-revised")
    assert b'"action":4' in (revised.data or b"")
    assert b'"by":{"name":"gm","role":"gm"}' in (revised.data or b"")


def test_an_amendment_is_undone_like_anything_else(table: Table) -> None:
    dagger(table)
    before = table.state
    table.act("amend", target=4, command=end_turn(), mode="rebase")
    assert table.state != before
    table.act("undo", target=9)
    assert table.state == before
    table.act("redo", target=10)
    assert table.state.current != before.current
    table.holds()


def test_a_correction_and_what_has_no_place_in_the_story_are_not_amended(table: Table) -> None:
    table.duellists()
    table.act("undo")
    table.refused("nothing-to-undo", "amend", target=4, command=end_turn())
    table.refused("malformed-command", "amend", target=2, command={"type": "note", "text": "hm"})
    table.refused("malformed-command", "amend", target=2, command={"type": "undo"})
    table.refused("malformed-command", "amend", target=2, command={"type": "fly"})


def test_an_amendment_may_pass_over_a_rule_and_the_line_says_so(table: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (6, 6, 6)})
    wrong = {"type": "attack", "attacker": "ben", "target": "ada"}
    table.refused("not-your-turn", "amend", target=4, command=wrong)
    amended = table.act("amend", target=4, command=wrong, overrule=["not-your-turn"])
    ruling = next(event for event in amended.events if event.type == "core.ruling-made")
    assert b'"codes":["not-your-turn"]' in (ruling.data or b"")
    table.holds()


def test_an_overruled_action_keeps_its_reason_when_it_is_decided_again(table: Table) -> None:
    table.duellists()
    table.act("adjust", duellist="ben", stamina=-1, reason="tired")
    command = {"attacker": "ben", "target": "ada"}
    table.act(
        "attack",
        **command,
        request={"overrule": ("not-your-turn",), "text": "He was faster", "dice": (6, 6, 6)},
    )
    table.act("amend", target=5, request={"dice": (5, 6, 6)})
    rulings = [event for event in table.log() if event.type == "core.ruling-made"]
    assert len(rulings) == 2
    assert all(b'"reason":"He was faster"' in (event.data or b"") for event in rulings)
    table.holds()


# --- insert -------------------------------------------------------------------------------------------------


def test_a_forgotten_action_is_put_in_before_another(table: Table) -> None:
    table.duellists()
    table.act("adjust", duellist="ben", hp=-4, reason="a wound")
    inserted = table.act("insert", before=4, command={"type": "conceal_dagger", "duellist": "ada"})
    assert inserted.tape.action == 5
    assert [event.type for event in inserted.events][:2] == ["core.action-taken", "core.action-inserted"]
    assert table.state.duellists["ada"].dagger == "concealed"
    assert table.tape.history.in_order([3, 4, 5]) == [3, 5, 4]
    table.holds()


def test_what_it_changes_later_is_treated_as_the_mode_says(table: Table) -> None:
    table.duellists()
    table.act("adjust", duellist="ben", hp=-4, reason="a wound")
    table.act("adjust", duellist="ben", hp=-6, reason="another")
    wound = {"type": "adjust", "duellist": "ben", "hp": -2, "reason": "forgotten"}
    refusal = table.refused("history-conflict", "insert", before=4, command=wound)
    assert [(each.action, each.code) for each in refusal.fields["touched"]] == [(5, "pool-below-zero")]
    table.act("insert", before=4, command=wound, mode="rebase")
    assert table.state.duellists["ben"].hp == 4
    assert table.tape.history.revision(5) is None
    table.holds()


def test_inserted_actions_stand_in_the_order_in_which_they_were_put_before_one_another(table: Table) -> None:
    table.duellists()
    adjust = {"type": "adjust", "duellist": "ben", "hp": -1}
    first = table.act("insert", before=3, command={**adjust, "reason": "first"}).tape.action
    second = table.act("insert", before=3, command={**adjust, "reason": "second"}).tape.action
    third = table.act("insert", before=first, command={**adjust, "reason": "third"}).tape.action
    assert table.tape.history.in_order([2, 3, first, second, third]) == [2, third, first, second, 3]
    table.holds()


def test_an_inserted_action_counts_once_wherever_a_later_correction_starts_from(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a table kept after every slot, as in a long session after every sixty-fourth."""
    monkeypatch.setattr("eventlog.history.correcting.TABLES_EVERY", 1)
    table.duellists()
    for number in (4, 5, 6):
        table.act("adjust", duellist="ben", hp=-1, reason=f"wound {number}")
    table.act(
        "insert", before=4, command={"type": "adjust", "duellist": "ben", "hp": -2, "reason": "forgotten"}
    )
    table.act("adjust", duellist="ben", hp=-1, reason="wound 8")
    for target, left in ((8, 5), (6, 6), (5, 7), (4, 8), (7, 10)):
        table.act("undo", target=target)
        assert table.state.duellists["ben"].hp == left
    table.holds()


def test_an_answer_that_came_after_a_correction_counts_in_the_next_one(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a table kept after every slot: none of one that answers still join."""
    monkeypatch.setattr("eventlog.history.correcting.TABLES_EVERY", 1)
    table.duellists()
    table.act("adjust", duellist="ben", hp=-1, reason="a scratch")
    table.act("attack", attacker="ada", target="ben", request={"dice": (2, 3, 4)})
    table.act("undo", target=4)
    table.act("defend", question="q1", defense="none")
    table.act("throw_damage", question="q2", request={"dice": (4,)})
    table.act("adjust", duellist="ben", hp=-1, reason="another")
    table.act("adjust", duellist="ben", hp=-1, reason="and another")
    table.act("undo", target=9)
    assert table.state.duellists["ben"].hp == 10 - 4 - 1
    table.act("undo", target=10)
    assert table.state.duellists["ben"].hp == 10 - 4
    table.holds()


def test_an_inserted_action_is_undone_redone_and_amended_by_its_number(table: Table) -> None:
    table.duellists()
    before = table.state
    number = table.act("insert", before=3, command={"type": "conceal_dagger", "duellist": "ada"}).tape.action
    after = table.state
    table.act("undo", target=number)
    assert table.state == before
    table.act("redo", target=number)
    assert table.state == after
    table.act("amend", target=number, command={"type": "conceal_dagger", "duellist": "ben"})
    assert table.state.duellists["ben"].dagger == "concealed"
    table.holds()


def test_a_forgotten_action_brings_its_own_dice_and_answers(table: Table) -> None:
    table.duellists()
    table.act("end_turn")
    none = {"type": "defend", "question": "q1", "defense": "none"}
    attack = {"type": "attack", "attacker": "ada", "target": "ben"}
    answers = [none, {"type": "throw_damage", "question": "q2"}]
    table.act("insert", before=4, command=attack, answers=answers, request={"dice": (2, 3, 4, 5)})
    assert table.state.duellists["ben"].hp == 5
    assert table.state.current == "ben"
    table.holds()


def test_a_forgotten_action_leaves_no_question_open(table: Table) -> None:
    table.duellists(skill=18)
    table.act("end_turn")
    attack = {"type": "attack", "attacker": "ada", "target": "ben"}
    refusal = table.refused("history-conflict", "insert", before=4, command=attack)
    assert "one action after it depends on dice that would be thrown" in refusal.message
    assert [(each.action, each.outcome) for each in refusal.fields["touched"]] == [(4, "open")]
    table.act("insert", before=4, command=attack, mode="rebase")
    assert table.state.waiting is None
    table.holds()


@pytest.mark.parametrize("target", [1, 8])
def test_the_first_and_the_last_action_are_corrected_like_any_other(table: Table, target: int) -> None:
    dagger(table)
    before = table.state
    try:
        table.act("undo", target=target, mode="rebase")
    except EventLogError:
        table.act("undo", target=target, mode="cascade")
    assert table.state != before
    table.act("redo", target=target)
    assert table.state == before
    table.act("insert", before=target, command={"type": "roll", "count": 1, "purpose": "luck"})
    table.holds()


def test_corrections_reach_across_conflicts() -> None:
    caravan = Caravan()
    caravan.throw("maneuver", 3, 6, 4, actor="zadie", action_dice=2)
    caravan.act("end_conflict", outcome="agreement")
    caravan.act("start_conflict", first="pcs", characters=["zadie", "rasheem", "bull"])
    caravan.throw("maneuver", 3, 6, 4, actor="rasheem", action_dice=2)
    touched = caravan.foreseen("undo", target=5).consequences
    caravan.act("undo", target=5, mode="rebase")
    assert caravan.state.conflict.number == 2
    assert caravan.pools("rasheem")[1:] == (2, 1)
    assert all(each.outcome == "changes" for each in touched)
    caravan.holds()
    caravan.close()
