"""What the timeline and the statistics say of undone and revised actions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from caravans import Caravan
from sitting import Sitting

from projections.entries import Entry
from projections.statistics import statistics
from projections.timeline import Wanted, timeline, timeline_entry
from rulesets.people import GM, Viewer


def entries(sitting: Sitting) -> dict[int, Entry]:
    page = timeline(sitting.store, sitting.session, GM, limit=200)
    return {entry.number: entry for entry in page.actions}


def attacked(duel: Sitting) -> int:
    """An attack with typed dice that goes home undefended; the number of the attack."""
    number = duel.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)}).tape.action
    duel.act("defend", question="q1", defense="none")
    duel.act("throw_damage", question="q2", request={"dice": (4,)})
    return number


def test_an_undone_action_stays_in_the_timeline_struck_out(duel: Sitting) -> None:
    number = attacked(duel)
    before = entries(duel)[number]
    undo = duel.act("undo", target=number, request={"text": "wrong target"}).tape.action
    undone, correction = entries(duel)[number], entries(duel)[undo]
    assert (undone.status, undone.changed_by, undone.line) == ("undone", (undo,), before.line)
    assert undone.rolls == before.rolls
    assert correction.line == f"The GM undoes action {number}"
    assert [note.text for note in correction.notes] == ["wrong target"]
    assert timeline_entry(duel.store, duel.session, GM, number) == undone


def test_a_redone_action_stands_again_and_its_undo_is_struck(duel: Sitting) -> None:
    number = attacked(duel)
    undo = duel.act("undo", target=number).tape.action
    redo = duel.act("redo", target=number).tape.action
    found = entries(duel)
    assert (found[number].status, found[number].changed_by) == ("standing", (undo, redo))
    assert (found[undo].status, found[undo].changed_by) == ("undone", (redo,))
    assert found[redo].line == f"The GM takes back correction {undo}: action {number} again"


def test_what_fell_with_an_undone_action_comes_back_with_it(duel: Sitting) -> None:
    """It comes back as it was: nothing of it goes otherwise."""
    turn = duel.act("end_turn").tape.action
    other = duel.act("end_turn").tape.action
    undo = duel.act("undo", target=turn, mode="cascade").tape.action
    redo = duel.act("redo", target=turn).tape.action
    found = entries(duel)
    assert found[undo].line == f"The GM undoes action {turn}; with it goes action {other}"
    assert found[redo].line == (
        f"The GM takes back correction {undo}: action {turn} again; with it comes back action {other}"
    )


def test_a_correction_written_for_several_people_is_one_to_who_reads_all_of_it(duel: Sitting) -> None:
    """The dagger up the sleeve is Ada's secret, that it was drawn is seen by all; the GM reads of one undo."""
    concealed = duel.act("conceal_dagger", duellist="ada").tape.action
    drawn = duel.act("draw_dagger", duellist="ada").tape.action
    undo = duel.act("undo", target=concealed, mode="cascade").tape.action
    assert entries(duel)[undo].line == f"The GM undoes action {concealed}; with it goes action {drawn}"


def test_an_amended_action_shows_what_stands_and_what_fell_before(duel: Sitting) -> None:
    number = attacked(duel)
    amend = duel.act("amend", target=number, request={"dice": (6, 6, 6)}).tape.action
    shown = entries(duel)[number]
    assert (shown.revision, shown.changed_by, shown.status) == (2, (amend,), "standing")
    assert [die.face for die in shown.rolls[0].dice] == [6, 6, 6]
    assert [die.face for die in shown.earlier[0].dice] == [3, 3, 3]
    assert shown.at == timeline_entry(duel.store, duel.session, GM, number).at
    assert entries(duel)[amend].line.startswith(f"The GM amends action {number}")


def test_an_answer_that_lost_its_place_has_a_line_of_its_own_struck_out(duel: Sitting) -> None:
    number = duel.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)}).tape.action
    answer = duel.act("defend", question="q1", defense="none").tape.action
    duel.act("undo", target=answer)
    found = entries(duel)
    assert (found[number].status, found[number].answers) == ("standing", ())
    assert found[answer].status == "undone"


def test_a_forgotten_action_is_listed_by_its_own_number(duel: Sitting) -> None:
    number = attacked(duel)
    command = {"type": "roll", "count": 1, "purpose": "the weather"}
    inserted = duel.act("insert", before=number, command=command, request={"text": "we forgot"}).tape.action
    shown = entries(duel)[inserted]
    assert shown.line.startswith("The GM rolls 1d6 for the weather")
    assert shown.status == "standing"
    assert shown.marks == ("inserted",)
    assert shown.changed_by == ()
    amend = duel.act("amend", target=inserted, command={**command, "count": 2}).tape.action
    assert entries(duel)[inserted].changed_by == (amend,)
    assert [note.text for note in shown.notes] == ["we forgot"]


def test_only_deeds_that_stand_are_counted_and_every_die_that_fell(duel: Sitting) -> None:
    before = statistics(duel.store, duel.session, GM)
    number = attacked(duel)
    done = statistics(duel.store, duel.session, GM)
    assert done.characters != before.characters
    duel.act("undo", target=number)
    after = statistics(duel.store, duel.session, GM)
    assert after.characters == before.characters
    assert (after.dice, after.faces) == (done.dice, done.faces)


def test_an_amended_action_is_still_readable_when_those_it_names_are_gone(duel: Sitting) -> None:
    """Amended, and fallen with somebody's arrival: its line tells of the table it was written for."""
    begun = next(entry.number for entry in entries(duel).values() if entry.type == "begin")
    order = tuple(duel.tape.state.order)
    duel.act("amend", target=begun, command={"type": "begin", "order": order})
    line = entries(duel)[begun].line
    duel.act("undo", target=begun - 1, mode="cascade")
    shown = entries(duel)[begun]
    assert (shown.status, shown.revision, shown.line) == ("undone", 2, line)
    assert "Ben" in shown.line


@pytest.fixture
def unveiled() -> Iterator[Caravan]:
    """A fiend nobody knew of is revealed (7) and acts before everybody (9); then the GM takes the reveal back (10)."""
    caravan = Caravan(settings={"table_dice": "all"})
    caravan.act(
        "add_character",
        id="fiend",
        side="adversity",
        kind="individual",
        action=8,
        defense=2,
        max_wounds=3,
        secret=True,
    )
    caravan.act("enter", character="fiend")
    caravan.act("reveal", character="fiend")
    caravan.act("end_turn")
    caravan.throw("maneuver", 1, 3, 3, 3, actor="fiend", action_dice=2, no_reroll=True)
    caravan.act("undo", target=7, mode="rebase")
    yield caravan
    caravan.close()


def test_what_somebody_saw_is_struck_for_them_where_it_is_hidden_now(unveiled: Caravan) -> None:
    """The action stands behind the screen; at the table it is gone, dice and all, and nobody reads why."""
    nora = Viewer(role="player", name="Nora", characters=("zadie",))
    store, session = unveiled.store, unveiled.session
    shown = {entry.number: entry for entry in timeline(store, session, nora).actions}
    behind = {entry.number: entry for entry in timeline(store, session, GM).actions}
    assert (behind[9].status, behind[9].revision) == ("standing", 2)
    assert (shown[9].status, shown[9].revision, shown[9].changed_by) == ("undone", 1, (10,))
    assert [[die.face for die in roll.dice] for roll in shown[9].rolls] == [[1, 3, 3, 3]]
    assert timeline_entry(store, session, nora, 9) == shown[9]
    found = timeline(store, session, nora, wanted=Wanted(undone=True, character="fiend")).actions
    assert shown[9] in found
    unveiled.refused("already-undone", "ask_undo", target=9, request={"issuer": nora})
    unveiled.holds()
