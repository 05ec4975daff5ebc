"""Cursors: a place in a session or in all of them, which fits no other log."""

import pytest
from sitting import Sitting

from eventlog.errors import CursorUnknown, SessionUnknown
from eventlog.sqlite.store import SqliteStore
from eventlog.testing import opened
from projections.cursors import START, SessionLog, WholeLog, place_of


@pytest.fixture
def store() -> SqliteStore:
    """Two sessions whose numbers differ from their positions, and a gap between them."""
    found = SqliteStore.open(":memory:")
    found.append([opened("first", 3), opened("gone", 2), opened("second", 4)])
    found.remove("gone", "2026-12-01T20:00:00.000000Z")
    return found


def test_a_place_of_a_session_counts_its_own_events(store: SqliteStore) -> None:
    log = SessionLog(store, "second")
    events = log.read(0, 9)
    assert [log.number(event) for event in events] == [1, 2, 3, 4]
    assert log.end().number == 4
    for event in events:
        place = place_of(log, f"{event.seq}.{event.hash.hex()[:8]}")
        assert (place.number, place.hash, place.cursor) == (
            event.seq,
            event.hash,
            f"{event.seq}.{event.hash.hex()[:8]}",
        )
        assert place_of(log, str(event.seq)) == place


def test_a_place_of_the_whole_log_counts_positions(store: SqliteStore) -> None:
    log = WholeLog(store)
    assert [log.number(event) for event in log.read(0, 9)] == [1, 2, 3, 6, 7, 8, 9]
    assert log.end().number == 9
    assert log.closed_at(log.end()) is False


def test_a_place_in_a_gap_that_a_removed_session_left_still_fits(store: SqliteStore) -> None:
    log = WholeLog(store)
    for text in ("4", "5.1234abcd"):
        place = place_of(log, text)
        assert [log.number(event) for event in log.read(place.number, 1)] == [6]
        assert place_of(log, place.cursor) == place


def test_the_beginning_is_nothing_and_fits_every_log(store: SqliteStore) -> None:
    assert START.cursor == "0"
    empty = WholeLog(SqliteStore.open(":memory:"))
    for log in (SessionLog(store, "first"), WholeLog(store), empty):
        assert place_of(log, "0").cursor == "0"
    assert empty.end() == START
    with pytest.raises(CursorUnknown):
        place_of(empty, "1")


@pytest.mark.parametrize("text", ["4", "3.00000000", "x", "1.2.3", "01", "-1", "3.ABCDEF01", "9" * 20])
def test_what_does_not_fit_is_refused_with_the_head(store: SqliteStore, text: str) -> None:
    log = SessionLog(store, "first")
    with pytest.raises(CursorUnknown) as refused:
        place_of(log, text)
    assert refused.value.fields["head"] == log.end().cursor


def test_cursors_of_one_log_do_not_fit_another(store: SqliteStore) -> None:
    first, second, whole = SessionLog(store, "first"), SessionLog(store, "second"), WholeLog(store)
    for cursor, log in (
        (second.end().cursor, first),
        (whole.end().cursor, second),
        (place_of(second, "2").cursor, whole),
    ):
        with pytest.raises(CursorUnknown):
            place_of(log, cursor)
    with pytest.raises(SessionUnknown):
        place_of(SessionLog(store, "nowhere"), "0")


def test_nothing_comes_after_the_end_of_a_closed_session(sitting: Sitting) -> None:
    log = SessionLog(sitting.store, sitting.session)
    assert not log.closed_at(log.end())
    before = log.end()
    sitting.act("close")
    assert log.closed_at(log.end())
    assert not log.closed_at(before)
