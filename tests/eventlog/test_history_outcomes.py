"""What a correction makes of later actions: they stand, they change, or they fall; and what each mode does then."""

import json
from collections.abc import Callable

import pytest
from dueling import Table

MODES = ("strict", "rebase", "cascade")


def dagger(table: Table) -> None:
    """4 Ada hides a dagger, 5 draws it, 6 wounds Ben by 4 and 2 for the dagger; 7 Ben hides one; 8 he loses 4 more."""
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    table.act("draw_dagger", duellist="ada")
    answers = (
        {"type": "defend", "question": "q1", "defense": "none"},
        {"type": "throw_damage", "question": "q2"},
    )
    table.act("attack", attacker="ada", target="ben", request={"answers": answers, "dice": (2, 3, 4, 4)})
    table.act("conceal_dagger", duellist="ben")
    table.act("adjust", duellist="ben", hp=-4, reason="he bleeds")
    ben = table.state.duellists["ben"]
    assert (ben.hp, ben.down) == (0, True)


def test_what_does_not_lean_on_it_stands_and_writes_nothing(table: Table) -> None:
    table.duellists()
    table.act("adjust", duellist="ben", hp=-1, reason="a scratch")
    table.act("conceal_dagger", duellist="ada")
    undone = table.act("undo", target=4)
    assert [event.type for event in undone.events] == ["core.action-taken", "core.action-undone"]
    assert table.state.duellists["ada"].dagger == "concealed"
    assert table.state.duellists["ben"].hp == 10
    assert table.tape.history.revision(5) == 1
    table.holds()


def test_strict_refuses_with_the_list_and_the_reasons(table: Table) -> None:
    dagger(table)
    refusal = table.refused("history-conflict", "undo", target=4)
    touched = [(each.action, each.outcome, each.code) for each in refusal.fields["touched"]]
    assert touched == [(5, "falls", "no-dagger"), (6, "changes", None), (8, "changes", None)]
    assert refusal.fields["touched"][0].message == "There is no dagger up this sleeve."
    assert "3 actions" in refusal.message
    assert "rebase" in refusal.message
    assert "cascade" in refusal.message


def test_rebase_takes_along_what_is_legal_and_empties_what_falls(table: Table) -> None:
    dagger(table)
    table.act("undo", target=4, mode="rebase")
    ben, ada = table.state.duellists["ben"], table.state.duellists["ada"]
    assert (ben.hp, ben.down, ben.dagger, ada.dagger) == (2, False, "concealed", "none")
    revisions = {slot: table.tape.history.revision(slot) for slot in range(4, 9)}
    assert revisions == {4: None, 5: None, 6: 2, 7: 1, 8: 2}
    table.holds()


def test_cascade_empties_everything_it_touches_and_leaves_the_rest(table: Table) -> None:
    dagger(table)
    table.act("undo", target=4, mode="cascade")
    ben, ada = table.state.duellists["ben"], table.state.duellists["ada"]
    assert (ben.hp, ben.down, ben.dagger, ada.dagger, ada.attacked) == (10, False, "concealed", "none", False)
    revisions = {slot: table.tape.history.revision(slot) for slot in range(4, 9)}
    assert revisions == {4: None, 5: None, 6: None, 7: 1, 8: None}
    table.holds()


def test_cascade_compares_each_action_on_the_table_without_those_it_emptied(table: Table) -> None:
    """Without the draught the poison fells Ben, and so would the blow; without the poison the blow is as it was."""
    table.duellists()
    table.act("adjust", duellist="ben", hp=4, reason="a draught")
    table.act("adjust", duellist="ben", hp=-10, reason="poison")
    table.act("adjust", duellist="ben", hp=3, reason="a surgeon")
    table.act("adjust", duellist="ben", hp=-3, reason="a blow")
    rebased = table.foreseen("undo", target=4, mode="rebase").consequences
    assert [(each.action, each.outcome, each.after) for each in rebased] == [
        (5, "changes", 2),
        (7, "changes", 2),
    ]
    table.act("undo", target=4, mode="cascade")
    assert [table.tape.history.revision(slot) for slot in (4, 5, 6, 7)] == [None, None, 1, 1]
    assert table.state.duellists["ben"].hp == 10 + 3 - 3
    table.holds()


def test_the_correction_tells_its_targets_and_its_consequences(table: Table) -> None:
    """The dagger was hidden from the others, so what became of it is told apart, to those who knew of it."""
    dagger(table)
    _, secret, open_, *_ = table.act("undo", target=4, mode="rebase").events
    assert (secret.type, secret.slot, secret.audience) == (
        "core.action-undone",
        None,
        ("gm", "character:ada"),
    )
    assert json.loads(secret.data or b"") == {"targets": [{"slot": 4, "outcome": "undone", "before": 1}]}
    assert (open_.type, open_.slot, open_.audience) == ("core.action-undone", None, ("everyone",))
    assert json.loads(open_.data or b"") == {
        "targets": [],
        "consequences": [
            {"slot": 5, "outcome": "falls", "before": 1, "code": "no-dagger"},
            {"slot": 6, "outcome": "changes", "before": 1, "after": 2},
            {"slot": 8, "outcome": "changes", "before": 1, "after": 2},
        ],
    }


def test_revised_events_lie_in_the_run_of_the_correction_after_what_is_asked(table: Table) -> None:
    dagger(table)
    events = table.act("undo", target=4, mode="rebase").events
    placed = [(event.action, event.slot, event.revision, event.type) for event in events]
    assert placed == [
        (9, None, 1, "core.action-taken"),
        (9, None, 1, "core.action-undone"),
        (9, None, 1, "core.action-undone"),
        (9, 6, 2, "core.action-revised"),
        (9, 6, 2, "duel.attack-made"),
        (9, 6, 2, "duel.question-asked"),
        (9, 6, 2, "duel.defense-made"),
        (9, 6, 2, "duel.question-asked"),
        (9, 6, 2, "duel.wound-dealt"),
        (9, 8, 2, "core.action-revised"),
        (9, 8, 2, "duel.adjusted"),
    ]


@pytest.mark.parametrize("mode", MODES)
def test_the_log_only_grows(table: Table, mode: str) -> None:
    dagger(table)
    before = table.log()
    if mode == "strict":
        table.refused("history-conflict", "undo", target=4)
    else:
        table.act("undo", target=4, mode=mode)
    table.act("undo", target=7)
    table.act("redo", target=7)
    assert table.log()[: len(before)] == before


def illegal_redo(table: Table) -> None:
    table.act("conceal_dagger", duellist="ada")
    table.act("draw_dagger", duellist="ada")
    table.act("undo", target=5)
    table.act("undo", target=4)


ILLEGAL: tuple[tuple[Callable[[Table], None], str, dict[str, object]], ...] = (
    (illegal_redo, "no-dagger", {"type": "redo", "target": 5}),
    (
        lambda table: table.act("conceal_dagger", duellist="ada"),
        "unknown-duellist",
        {"type": "amend", "target": 4, "command": {"type": "conceal_dagger", "duellist": "cid"}},
    ),
    (
        lambda table: table.act("conceal_dagger", duellist="ada"),
        "no-dagger",
        {"type": "insert", "before": 4, "command": {"type": "draw_dagger", "duellist": "ada"}},
    ),
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("prepared, code, correction", ILLEGAL, ids=("redo", "amend", "insert"))
def test_what_was_asked_for_and_is_illegal_is_refused_with_its_own_code_in_every_mode(
    table: Table, prepared: Callable[[Table], None], code: str, correction: dict[str, object], mode: str
) -> None:
    table.duellists()
    prepared(table)
    table.refused(code, **{**correction, "mode": mode})  # type: ignore[arg-type]


def test_undo_to_here_is_one_correction_and_one_redo_brings_all_of_it_back(table: Table) -> None:
    """Clicking a line of the log undoes it and all after it at once (18xx#2611)."""
    table.duellists()
    for n in range(40):
        table.act("adjust", duellist="ada", hp=1 if n % 2 else -1, reason="back and forth")
    before = table.state
    undone = table.act("undo", target=10, through=True)
    assert undone.tape.action == 44
    assert [event.type for event in undone.events] == ["core.action-taken", "core.action-undone"]
    assert table.state == table.at(9)
    table.act("redo", target=44)
    assert table.state == before
    table.holds()


def test_undo_steps_back_through_turns_one_by_one(table: Table) -> None:
    """Round and turn walk back exactly as they came (Fabula-Ultima#248)."""
    table.duellists()
    places = []
    for _ in range(5):
        places.append((table.state.round, table.state.current))
        table.act("end_turn")
    assert (table.state.round, table.state.current) == (3, "ben")
    for place in reversed(places):
        table.act("undo")
        assert (table.state.round, table.state.current) == place
    table.act("undo")
    assert (table.state.round, table.state.current) == (0, None)


def test_the_end_of_a_turn_pressed_by_mistake_is_one_step_back(table: Table) -> None:
    """Next turn comes back with all it did for the next one (tracker#1061, maptool#5617)."""
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (6, 6, 6)})
    table.act("end_turn")
    table.act("end_turn")
    before = table.state
    assert before.duellists["ada"].attacked is False
    table.act("undo")
    assert table.state.current == "ben"
    assert table.state.duellists["ada"].attacked is True
    table.act("redo", target=6)
    assert table.state == before


def test_undo_names_the_last_action_and_takes_no_more(table: Table) -> None:
    """Undo is no reset of the turn (TestingProject-Domination#3)."""
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    table.act("draw_dagger", duellist="ada")
    table.act("adjust", duellist="ben", hp=-1, reason="a scratch")
    told = table.foreseen("undo")
    assert ([each.action for each in told.targets], told.consequences) == ([6], ())
    table.act("undo")
    assert table.state == table.at(5)


def test_more_than_a_thousand_revised_actions_are_too_much(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the limit lowered to ten: a fork is the better way then."""
    monkeypatch.setattr("eventlog.history.account.MOST_REVISED", 10)
    table.duellists()
    table.act("adjust", duellist="ben", hp=-1, reason="a scratch")
    for _ in range(11):
        table.act("adjust", duellist="ben", hp=-9, reason="down")
        table.act("adjust", duellist="ben", hp=9, reason="and up")
    refusal = table.refused("too-much-touched", "undo", target=4, mode="rebase")
    assert refusal.fields == {"limit": 10}
    assert "Fork" in str(refusal)
    table.act("undo", target=4, mode="cascade")
    assert table.state.duellists["ben"].hp == 10 + 11 * 9


def test_there_is_nothing_to_undo_before_anything_happened(table: Table) -> None:
    table.refused("nothing-to-undo", "undo")
    table.act("note", text="Are we all here?")
    table.refused("nothing-to-undo", "undo")


@pytest.mark.parametrize("target", [0, 4, 5])
def test_the_opening_notes_and_settings_are_no_part_of_the_story(table: Table, target: int) -> None:
    """An undo never takes what was said about it (18xx#263)."""
    table.duellists()
    table.act("note", text="wait, that is wrong")
    table.act("change_setting", name="table_dice", value="all")
    table.refused("nothing-to-undo", "undo", target=target)
    table.refused("nothing-to-undo", "redo", target=target)
    table.refused("nothing-to-undo", "amend", target=target, command={"type": "end_turn"})
    table.refused("nothing-to-undo", "insert", before=target, command={"type": "end_turn"})


def test_undo_to_here_leaves_notes_and_settings(table: Table) -> None:
    """What was said stays, also what was said since (18xx#263)."""
    table.duellists()
    table.act("conceal_dagger", duellist="ada")
    table.act("note", text="wait, that is wrong", about=4)
    table.act("change_setting", name="table_dice", value="all")
    table.act("draw_dagger", duellist="ada")
    undone = table.act("undo", target=4, through=True)
    assert table.state == table.at(3)
    assert undone.tape.settings.table_dice == "all"
    assert b'"slot":5' not in (undone.events[1].data or b"")
    assert [each.slot for each in table.tape.history.touched] == [4, 7]


@pytest.mark.parametrize("kind", ["undo", "redo", "amend", "insert"])
def test_an_action_that_is_not_there_is_unknown(table: Table, kind: str) -> None:
    table.duellists()
    where = {"before": 9} if kind == "insert" else {"target": 9}
    more = {"command": {"type": "end_turn"}} if kind in ("amend", "insert") else {}
    refusal = table.refused("unknown-action", kind, **where, **more)
    assert refusal.fields["action"] == 9
