"""Paging and searching the timeline: nothing twice, nothing missed, and no page dearer in a longer session."""

from typing import Any

import pytest
from sitting import ADA, BEN, Sitting

import projections.timeline as timelines
from eventlog.store import Store
from eventlog.tape import CHECKPOINT_EVERY
from projections.timeline import TimelinePage, Wanted, timeline
from rulesets.people import GM, OBSERVER, Viewer


def numbers(page: TimelinePage) -> list[int]:
    return [entry.number for entry in page.actions]


def page_of(sitting: Sitting, viewer: Viewer = GM, **fields: Any) -> TimelinePage:
    return timeline(sitting.store, sitting.session, viewer, **fields)


def forwards(sitting: Sitting, viewer: Viewer, limit: int, **wanted: Any) -> list[int]:
    found: list[int] = []
    after = None
    for _ in range(200):
        page = page_of(sitting, viewer, after=after, limit=limit, wanted=Wanted(**wanted))
        assert len(page.actions) <= limit
        found += numbers(page)
        after = page.next
        if after is None:
            return found
    raise AssertionError("this list has no end")


def backwards(sitting: Sitting, viewer: Viewer, limit: int, **wanted: Any) -> list[int]:
    found: list[int] = []
    before: int | None = sitting.tape.action + 1
    for _ in range(200):
        page = page_of(sitting, viewer, before=before, limit=limit, wanted=Wanted(**wanted))
        assert len(page.actions) <= limit
        found = numbers(page) + found
        before = page.previous
        if before is None:
            return found
    raise AssertionError("this list has no end")


@pytest.fixture
def evening(duel: Sitting) -> Sitting:
    """Blows with their answers, notes, secrets, turns: three checkpoints of them."""
    for index in range(4):
        attack = duel.act("attack", attacker="ada", target="ben", request={"dice": (1, 1, 1)})
        question = duel.tape.state.waiting.question
        duel.act("note", text=f"Blow {index}", about=attack.tape.action)
        duel.act("defend", question=question, defense="parry", request={"dice": (1, 1, 1)})
        duel.act("adjust", duellist="ada", stamina=1, reason="a breath")
        duel.act("roll", count=1, purpose="in the dark", request={"visible_to": "gm"})
        duel.act("add_duellist", id=f"lurker{index}", side="blue", skill=9, secret=True)
        for _ in range(4):
            duel.act("end_turn")
    assert duel.tape.action > 2 * CHECKPOINT_EVERY
    return duel


@pytest.mark.parametrize("viewer", [GM, ADA, OBSERVER])
@pytest.mark.parametrize("limit", [1, 2, 5, 16, 17, 100])
def test_both_ways_lead_to_the_same_list(evening: Sitting, viewer: Viewer, limit: int) -> None:
    whole = numbers(page_of(evening, viewer, limit=200))
    assert whole == sorted(set(whole))
    assert forwards(evening, viewer, limit) == whole
    assert backwards(evening, viewer, limit) == whole


def test_filtered_pages_are_full_of_what_may_be_seen(evening: Sitting) -> None:
    """Filter first, then count: hidden actions take no places on a page."""
    page = page_of(evening, OBSERVER, limit=10)
    assert len(page.actions) == 10
    assert set(numbers(page)) < set(range(evening.tape.action))


def test_scrolling_back_while_the_log_grows_shows_each_entry_once(duel: Sitting) -> None:
    """Each number exactly once, none missing, though others keep acting (foundryvtt#10951)."""
    for _ in range(100):
        duel.act("end_turn")
    standing = list(range(duel.tape.action + 1))
    found: list[int] = []
    before: int | None = duel.tape.action + 1
    while before is not None:
        page = page_of(duel, before=before, limit=7)
        found = numbers(page) + found
        duel.act("end_turn")
        before = page.previous
    assert found == standing


def test_a_page_reads_the_same_later(evening: Sitting) -> None:
    before = page_of(evening, after=5, limit=10)
    for _ in range(20):
        evening.act("end_turn")
    after = page_of(evening, after=5, limit=10)
    assert (after.actions, after.next, after.previous) == (before.actions, before.next, before.previous)
    assert after.version > before.version


def test_a_reader_at_the_end_goes_on_where_they_stopped(duel: Sitting) -> None:
    page = page_of(duel)
    assert page.next is None
    assert page.previous is None
    last = numbers(page)[-1]
    assert numbers(page_of(duel, after=last)) == []
    duel.act("end_turn")
    assert numbers(page_of(duel, after=last)) == [last + 1]


def test_links_lead_back_and_forth(evening: Sitting) -> None:
    first = page_of(evening, limit=10)
    second = page_of(evening, after=first.next, limit=10)
    back = page_of(evening, before=second.previous, limit=10)
    assert back.actions == first.actions
    again = page_of(evening, after=back.next, limit=10)
    assert again.actions == second.actions


@pytest.mark.parametrize("fields", [{"after": 10**9}, {"before": 0}, {"before": -5}])
def test_beyond_the_ends_there_is_nothing(duel: Sitting, fields: dict[str, int]) -> None:
    page = page_of(duel, **fields)
    assert page.actions == ()
    assert page.next is None


def test_from_far_beyond_the_end_back_are_the_last_ones(duel: Sitting) -> None:
    assert numbers(page_of(duel, before=10**9, limit=2)) == [2, 3]


# --- searching ----------------------------------------------------------------------------------------------


def test_entries_are_found_by_the_kind_of_their_command_or_answers(evening: Sitting) -> None:
    attacks = forwards(evening, GM, 3, kind="attack")
    assert len(attacks) == 4
    assert forwards(evening, GM, 3, kind="defend") == attacks
    assert backwards(evening, OBSERVER, 3, kind="roll") == []
    assert len(backwards(evening, GM, 1, kind="roll")) == 4


def test_entries_are_found_by_whom_they_name(evening: Sitting) -> None:
    assert set(forwards(evening, GM, 5, kind="attack")) < set(forwards(evening, GM, 5, character="ben"))
    assert len(forwards(evening, GM, 5, character="lurker2")) == 1
    assert forwards(evening, BEN, 5, character="lurker2") == []
    assert forwards(evening, GM, 5, character="lurker") == []


def test_entries_are_found_by_round(evening: Sitting) -> None:
    first = forwards(evening, GM, 4, round=1)
    assert first[0] == 3
    rounds = [entry.moment.round for entry in page_of(evening, limit=200).actions if entry.moment]
    assert rounds == sorted(rounds)
    assert len(forwards(evening, GM, 4, round=2)) == rounds.count(2)


def test_entries_are_found_by_words_in_line_and_notes(evening: Sitting) -> None:
    assert len(forwards(evening, GM, 2, text="BLOW")) == 4
    evening.act("end_turn", request={"text": "with a Flourish"})
    assert forwards(evening, GM, 2, text="flourish") == [evening.tape.action]
    assert forwards(evening, OBSERVER, 2, text="in the dark") == []
    assert len(forwards(evening, GM, 2, text="in the dark")) == 4


def test_nothing_is_undone_before_anybody_undid(evening: Sitting) -> None:
    assert forwards(evening, GM, 50, undone=True) == []
    assert forwards(evening, GM, 50, undone=False) == forwards(evening, GM, 50)


# --- cost ---------------------------------------------------------------------------------------------------


class Counting:
    """A store that counts the events read from it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.read = 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name not in {"rows", "actions", "envelopes", "revised", "notes_about"}:
            return method

        def counted(*args: Any, **fields: Any) -> list[Any]:
            found = list(method(*args, **fields))
            self.read += len(found)
            return found

        return counted


def read_for(sitting: Sitting, **fields: Any) -> int:
    counting = Counting(sitting.store)
    timeline(counting, sitting.session, GM, **fields)
    return counting.read


def test_a_page_costs_no_more_in_a_longer_session(duel: Sitting) -> None:
    for _ in range(60):
        duel.act("end_turn")
    here = {"after": 20, "limit": 10}
    back = {"before": duel.tape.action + 1, "limit": 10}
    before = read_for(duel, **here), read_for(duel, **back)
    for _ in range(300):
        duel.act("end_turn")
    duel.act("note", text="late", about=200)
    since_a_checkpoint = 2 * CHECKPOINT_EVERY  # events; where the session stands is folded from the last one
    assert read_for(duel, **here) <= before[0] + since_a_checkpoint
    back["before"] = duel.tape.action + 1
    assert read_for(duel, **back) <= before[1] + 2 * since_a_checkpoint


def test_a_page_that_finds_little_stops_and_says_where(
    duel: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timelines, "MOST_READ", 32)
    for _ in range(100):
        duel.act("end_turn")
    duel.act("note", text="at last")
    page = page_of(duel, wanted=Wanted(kind="note"))
    assert page.actions == ()
    assert page.next is not None
    assert page.next < duel.tape.action
    assert forwards(duel, GM, 5, kind="note") == [duel.tape.action]
    assert backwards(duel, GM, 5, kind="begin") == [3]
    assert numbers(page_of(duel, wanted=Wanted(text="at last"))) == [duel.tape.action]
