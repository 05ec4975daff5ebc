"""Whatever was mistaken and put right, all of it can be read afterwards, by everybody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_history import GAMES, Fumbling
from sitting import Sitting

from eventlog.errors import ActionUnknown
from eventlog.store import Store
from eventlog.tape import CHECKPOINT_EVERY
from projections.audit import audit
from projections.dice_table import dice_table, spreadsheet
from projections.entries import Entry
from projections.statistics import statistics
from projections.story import every_entry, story
from projections.story_text import plain_text
from projections.timeline import timeline, timeline_entry
from rulesets.people import GM, OBSERVER, Viewer


def everything_reads(store: Store, session: str, last: int, viewer: Viewer) -> dict[int, Entry]:
    """The timeline, each line by itself, the story, every die and the audit, of one session for one person."""
    entries = timeline(store, session, viewer, limit=500).actions
    listed = {each.number: each for each in entries}
    told = [number for each in entries for number in (each.number, *each.answers)]
    assert len(set(told)) == len(told)
    for number in range(last + 1):
        try:
            alone = timeline_entry(store, session, viewer, number)
        except ActionUnknown:
            assert number not in listed
        else:
            assert listed.setdefault(number, alone) == alone
    assert list(plain_text(store.head(session), viewer, story(every_entry(store, session, viewer))))
    assert b"".join(spreadsheet(dice_table(store, session, viewer)))
    audit(store, session, viewer)
    statistics(store, session, viewer)
    return listed


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_a_session_reads_whole_after_whatever_corrections(game: str, seed: int) -> None:
    """Amendments of deeds, of answers and of typed dice, undone, redone and put in, at random."""
    with Fumbling(game, seed) as sitting:
        sitting.play(8)
        for _ in sitting.try_corrections(12):
            sitting.play(1)
        tape = sitting.tape
        characters = tuple(getattr(tape.state, "characters", ()))
        player = Viewer(role="player", name="nora", characters=characters[:1])
        for viewer in (GM, player, OBSERVER):
            everything_reads(sitting.store, sitting.session, tape.action, viewer)
        sitting.holds()


# --- a reroll that was amended, and then was none -------------------------------------------------------------


@pytest.fixture
def rerolled() -> Iterator[Sitting]:
    """Action 4 is a maneuver of 1 2 5, and action 5 its reroll: two that failed, amended from 3 1 to 6 6."""
    sitting = Sitting("anima-prime")
    sheet = {"side": "pcs", "kind": "pc", "action": 6, "defense": 2, "max_wounds": 3}
    sitting.act("add_character", id="zadie", traits=[{"name": "Sharp", "marked": True}], **sheet)
    sitting.act("add_character", id="bull", **{**sheet, "side": "adversity", "kind": "individual"})
    sitting.act("start_conflict", first="pcs")
    sitting.act("maneuver", actor="zadie", action_dice=2, request={"dice": (1, 2, 5)})
    sitting.act("reroll", trait="Sharp", request={"dice": (3, 1)})
    sitting.act("amend", target=5, request={"dice": (6, 6)})
    yield sitting
    sitting.close()


def read(sitting: Sitting) -> dict[int, Entry]:
    return everything_reads(sitting.store, sitting.session, sitting.tape.action, GM)


SIX_SIX = "Zadie unmarks Sharp and rerolls 2 dice: 6 6, gains 1 strike and 2 charge"


def test_an_amended_answer_that_is_undone_is_told_of_what_it_answered(rerolled: Sitting) -> None:
    rerolled.act("undo", target=5)
    entries = read(rerolled)
    assert (entries[5].status, entries[5].line) == ("undone", SIX_SIX)
    assert (entries[4].status, entries[4].answers) == ("standing", ())


def test_an_amended_answer_that_another_replaced_is_told_of_what_it_answered(rerolled: Sitting) -> None:
    rerolled.act("amend", target=4, answers=[{"type": "settle"}])
    entries = read(rerolled)
    assert (entries[5].status, entries[5].line) == ("undone", SIX_SIX)
    assert entries[4].line.endswith("1 2 5, gains 1 strike")


def test_an_amended_answer_to_what_now_asks_nothing_is_told_of_what_it_answered(rerolled: Sitting) -> None:
    command = {"type": "maneuver", "actor": "zadie", "action_dice": 2, "no_reroll": True}
    rerolled.act("amend", target=4, command=command)
    entries = read(rerolled)
    assert (entries[5].status, entries[5].line) == ("undone", SIX_SIX)


def test_an_amended_answer_that_is_undone_with_its_action_is_told_by_its_own_number(
    rerolled: Sitting,
) -> None:
    rerolled.act("undo", target=4)
    assert read(rerolled)[5].line == SIX_SIX


def test_book_keeping_that_waited_with_a_question_is_told_after_what_came_before_it(
    rerolled: Sitting,
) -> None:
    """What was said while the dice lay there is undone alone, after the dice were amended."""
    rerolled.act("undo", target=5)
    said = rerolled.act("adjust", character="zadie", changes={"charge": 2}, reason="forgot").tape.action
    rerolled.act("amend", target=4, request={"dice": (1, 1, 5)})
    rerolled.act("undo", target=said)
    assert "charge" in read(rerolled)[said].line


@pytest.mark.parametrize("before", range(CHECKPOINT_EVERY))
def test_answers_that_came_back_are_told_in_one_line_only(duel: Sitting, before: int) -> None:
    """Wherever the reader breaks the session into stretches: none begins between a deed and its answers."""
    for _ in range(before):
        duel.act("roll", count=1, purpose="luck")
    blow = duel.blow()
    amended = duel.act(
        "amend", target=blow, answers=[{"type": "defend", "question": "q1", "defense": "none"}]
    )
    duel.act("undo", target=amended.tape.action)
    assert read(duel)[blow].answers == (blow + 1, blow + 2)
