"""However a history was corrected, all of it can be read: the timeline, any point, the statistics."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_history import GAMES, Sitting

from eventlog.audience import visible
from eventlog.history.points import corrected_at
from projections.entries import Entry
from projections.statistics import statistics
from projections.timeline import timeline, timeline_entry
from rulesets.people import GM, OBSERVER, Viewer

SEEDS = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


def corrected_sitting(game: str, seed: int) -> Sitting:
    sitting = Sitting(game, seed)
    sitting.play(20)
    for _ in sitting.try_corrections(8):
        sitting.play(2)
    return sitting


def in_pages(sitting: Sitting, viewer: Viewer, size: int) -> list[Entry]:
    found: list[Entry] = []
    after = None
    while True:
        page = timeline(sitting.store, sitting.session, viewer, limit=size, after=after)
        found += page.actions
        if page.next is None:
            return found
        after = page.next


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_every_action_is_in_the_timeline_once_and_says_whether_it_stands(game: str, seed: int) -> None:
    with corrected_sitting(game, seed) as sitting:
        history, last = sitting.tape.history, sitting.tape.action
        found = in_pages(sitting, GM, 500)
        assert in_pages(sitting, GM, 3) == found
        numbers = [number for entry in found for number in (entry.number, *entry.answers)]
        assert sorted(numbers) == list(range(last + 1))
        for entry in found:
            assert timeline_entry(sitting.store, sitting.session, GM, entry.number) == entry
            if entry.slot == entry.number:
                assert (entry.status == "standing") == (history.revision(entry.slot) is not None)


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_every_point_can_be_told_as_it_is_known_now(game: str, seed: int) -> None:
    with corrected_sitting(game, seed) as sitting:
        tape = sitting.tape
        for action in range(tape.action + 1):
            assert corrected_at(sitting.store, tape, action).action == action
        assert corrected_at(sitting.store, tape, tape.action).state == tape.state
        in_pages(sitting, OBSERVER, 500)
        assert statistics(sitting.store, sitting.session, GM).version == tape.version


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_an_action_is_by_whoever_its_events_name_to_its_reader(game: str, seed: int) -> None:
    with corrected_sitting(game, seed) as sitting:
        for viewer in (GM, OBSERVER):
            named = {
                event.action: event.by
                for event in visible(
                    viewer, sitting.store.envelopes(sitting.session, 0, sitting.tape.version)
                )
            }
            for entry in in_pages(sitting, viewer, 500):
                assert entry.by == named[entry.number]
                assert not entry.line.startswith("Somebody ")


def test_actions_are_named_in_order_by_whoever_sees_hidden_ones_among_them(duel: Sitting) -> None:
    first = duel.act("end_turn").tape.action
    duel.act("add_duellist", id="canary", side="blue", skill=10, secret=True)
    duel.act("end_turn")
    undo = duel.act("undo", target=first, through=True).tape.action
    assert timeline_entry(duel.store, duel.session, GM, undo).line == (
        f"The GM undoes actions {first} to {first + 2}"
    )
    assert timeline_entry(duel.store, duel.session, OBSERVER, undo).line == (
        f"The GM undoes actions {first}, {first + 2}"
    )
