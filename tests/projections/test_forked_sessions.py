"""A fork as people read it: one timeline, one table, one count, from the first action of its parents on."""

import pytest
from sitting import ADA, BEN, EVERYBODY, Sitting

from eventlog.history.points import tape_at
from eventlog.requests import ForkRequest
from projections.entries import Entry
from projections.events import event_page
from projections.statistics import statistics
from projections.table import state_document
from projections.timeline import timeline, timeline_entry
from rulesets.people import GM, Viewer


def fork(sitting: Sitting, **fields: object) -> str:
    """Fork the session, and sit down at the fork; the id of its parent."""
    parent = sitting.session
    request = ForkRequest(parent=parent, **fields)  # type: ignore[arg-type]  # its own fields
    sitting.session = sitting.do(lambda: sitting.recorder.fork(request)).tape.session
    return parent


def lines(sitting: Sitting, session: str, viewer: Viewer = GM) -> list[str]:
    return [entry.line for entry in everything(sitting, session, viewer)]


def everything(sitting: Sitting, session: str, viewer: Viewer = GM, limit: int = 200) -> tuple[Entry, ...]:
    """The whole timeline, page by page, which is the same whichever way it is read."""
    page = timeline(sitting.store, session, viewer, limit=limit)
    found = page.actions
    while page.next is not None:
        page = timeline(sitting.store, session, viewer, after=page.next, limit=limit)
        found += page.actions
    page = timeline(sitting.store, session, viewer, before=10_000, limit=limit)
    back = page.actions
    while page.previous is not None:
        page = timeline(sitting.store, session, viewer, before=page.previous, limit=limit)
        back = page.actions + back
    assert back == found
    return found


@pytest.fixture
def parent(duel: Sitting) -> str:
    """A duel in which a blow was struck, forked after it; both went on."""
    duel.blow()
    duel.act("note", text="He smiled.", about=4)
    parent = fork(duel, title="What if she waits")
    duel.act("end_turn")
    child, duel.session = duel.session, parent
    duel.act("note", text="She struck again.", about=4)
    duel.session = child
    return parent


def test_the_timeline_of_a_fork_begins_with_its_parents(duel: Sitting, parent: str) -> None:
    told = everything(duel, duel.session)
    before = [entry for entry in everything(duel, parent) if entry.number <= 7]
    assert [entry.line for entry in told[: len(before)]] == [entry.line for entry in before]
    (here,) = told[len(before) : -1]
    assert here.line == "The GM forks the session after action 7: “What if she waits”"
    assert (here.number, here.slot, here.by and here.by.role) == (8, None, "gm")
    assert told[-1].number == 9
    assert told == everything(duel, duel.session, limit=1)
    assert timeline_entry(duel.store, duel.session, GM, 8) == here


def test_notes_of_the_parent_since_are_not_told_in_the_fork(duel: Sitting, parent: str) -> None:
    for session, words in ((parent, ["He smiled.", "She struck again."]), (duel.session, ["He smiled."])):
        entry = timeline_entry(duel.store, session, GM, 4)
        assert [note.text for note in entry.notes] == words


def test_a_sequel_is_told_as_one(duel: Sitting) -> None:
    duel.act("close")
    fork(duel, kind="sequel", title="Next week")
    assert lines(duel, duel.session)[-2:] == [
        "The GM closes the session and the dice are revealed",
        "The GM goes on in a sequel: “Next week”",
    ]


@pytest.mark.parametrize("viewer", EVERYBODY.values(), ids=EVERYBODY)
def test_what_was_hidden_stays_hidden_in_the_fork(duel: Sitting, viewer: Viewer) -> None:
    duel.act("add_duellist", id="canary", side="blue", skill=9, secret=True)
    duel.act("note", text="canary", by=BEN, request={"visible_to": "self"})
    parent = fork(duel)
    pages = [event_page(duel.store, session, viewer) for session in (parent, duel.session)]
    shown = [[type(event) for event in page.events] for page in pages]
    assert shown[1][:-1] == shown[0]
    tape = tape_at(duel.store, duel.session)
    told = str((lines(duel, duel.session, viewer), pages[1], state_document(tape, viewer)))
    assert ("canary" in told) is (viewer in (GM, BEN))


def test_a_fork_counts_from_the_beginning(duel: Sitting) -> None:
    duel.blow()
    before = statistics(duel.store, duel.session, ADA)
    parent = fork(duel)
    assert statistics(duel.store, duel.session, ADA).characters == before.characters
    duel.act("roll", count=3, purpose="luck")
    assert statistics(duel.store, duel.session, ADA).dice == before.dice + 3
    assert statistics(duel.store, parent, ADA) == before


def test_every_point_of_a_fork_can_be_looked_at(duel: Sitting, parent: str) -> None:
    for action in range(8):
        then = [state_document(tape_at(duel.store, each, action), GM) for each in (parent, duel.session)]
        assert then[0] == then[1]
    assert tape_at(duel.store, duel.session, 9).state != tape_at(duel.store, duel.session, 8).state
