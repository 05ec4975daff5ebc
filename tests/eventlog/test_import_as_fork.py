"""A copy taken in as a fork: a session of its own that goes on from the copy's end, whatever is here already."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from copies import an_evening
from dueling import Table

from eventlog.archive import checked_copy, export_lines, foreseen, take_in
from eventlog.dice import face
from eventlog.errors import ImportRefused, KeyReused
from eventlog.history.points import tape_at
from eventlog.verification import verify
from rulesets.people import GM, OBSERVER


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Table]:
    other = Table(tmp_path / "elsewhere.db")
    yield other
    other.close()


def copy_of(table: Table) -> list[bytes]:
    return list(export_lines(table.store, table.session, GM))


def taken(table: Table, lines: list[bytes], as_: str) -> Any:
    """What taking a copy in as a fork of that id came to; the table sits there afterwards."""
    came = table.do(lambda: take_in(table.recorder, checked_copy(lines, as_)))
    table.session = came.session
    return came


def is_whole(table: Table) -> None:
    found = verify(table.store, table.session)
    assert found.ok, found.first_fault


@pytest.mark.parametrize("closed", [False, True], ids=["running", "closed"])
def test_a_copy_goes_on_as_a_session_of_its_own(table: Table, elsewhere: Table, closed: bool) -> None:
    an_evening(table)
    if closed:
        table.act("close")
    lines, first = copy_of(table), tape_at(table.store, table.session)
    came = taken(elsewhere, lines, "another")
    assert (came.session, came.added) == ("another", first.version + 1)
    head = elsewhere.store.head("another")
    assert (head.log, head.closed_at, head.title) == (
        table.session, None, f"{first.title} (fork after action {first.action})",
    )  # fmt: skip
    assert head.parent is not None
    assert (head.parent.session, head.parent.at, head.parent.held_by) == (table.session, first.action, None)
    assert tape_at(elsewhere.store, "another").state == first.state
    elsewhere.act("note", text="and on we go")
    is_whole(elsewhere)
    assert verify(table.store, table.session).ok


def test_its_dice_fall_under_its_own_id_and_a_seed_of_its_own(table: Table, elsewhere: Table) -> None:
    an_evening(table)
    taken(elsewhere, copy_of(table), "another")
    assert elsewhere.store.seed("another") != table.store.seed(table.session)
    rolled = elsewhere.act("roll", count=3, purpose="luck").events[-1]
    roll, seed = json.loads(rolled.data or b"")["roll"], elsewhere.store.seed("another")
    assert [die["face"] for die in roll["dice"]] == [
        face(seed, "another", roll["number"], index, 6) for index in (1, 2, 3)
    ]
    elsewhere.act("close")
    is_whole(elsewhere)


def test_what_went_on_here_is_left_alone_and_the_older_copy_is_a_fork_beside_it(table: Table) -> None:
    """A file of action 3 of a session that is at 4 is refused, and taken in as a fork (gloomhavensecretariat#234)."""
    table.duellists()
    lines = copy_of(table)
    table.act("note", text="later")
    before, session = copy_of(table), table.session
    taken(table, lines, "another")
    table.act("note", text="otherwise")
    table.session = session
    assert copy_of(table) == before


def test_what_was_corrected_and_what_is_open_goes_on_in_the_fork(table: Table, elsewhere: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
    taken(elsewhere, copy_of(table), "another")
    elsewhere.act("defend", question="q1", defense="none")
    is_whole(elsewhere)


def test_the_same_fork_again_adds_nothing_and_another_under_its_id_is_refused(
    table: Table, elsewhere: Table
) -> None:
    table.duellists()
    lines = copy_of(table)
    first = taken(elsewhere, lines, "another")
    elsewhere.act("note", text="gone on")
    again = taken(elsewhere, lines, "another")
    assert (again.session, again.added, again.version) == ("another", 0, first.version + 2)
    table.act("end_turn")
    with pytest.raises(KeyReused):
        taken(elsewhere, copy_of(table), "another")


def test_it_is_taken_in_whole_or_not_at_all(table: Table, elsewhere: Table) -> None:
    an_evening(table)
    lines = copy_of(table)
    partly = list(export_lines(table.store, table.session, OBSERVER))
    for spoilt in (partly, lines[:-1], [*lines[:4], *lines[5:]], lines[:1]):
        with pytest.raises(ImportRefused):
            taken(elsewhere, spoilt, "another")
    assert elsewhere.store.sessions().heads == ()


def test_a_look_ahead_tells_what_would_come_and_stores_nothing(table: Table, elsewhere: Table) -> None:
    table.duellists()
    lines = copy_of(table)
    planned = foreseen(elsewhere.store, checked_copy(lines, "another"))
    assert elsewhere.store.sessions().heads == ()
    assert taken(elsewhere, lines, "another") == planned


def test_a_copy_of_the_fork_is_taken_in_like_any_other(table: Table, elsewhere: Table) -> None:
    an_evening(table)
    taken(table, copy_of(table), "another")
    table.act("roll", count=2, purpose="luck")
    table.act("close")
    lines = copy_of(table)
    came = elsewhere.do(lambda: take_in(elsewhere.recorder, checked_copy(lines)))
    assert (came.session, came.added) == ("another", len(lines) - 1)
    taken(elsewhere, lines, "a-third")
    is_whole(elsewhere)
