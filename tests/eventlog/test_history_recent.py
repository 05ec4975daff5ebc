"""The stretch of a log that is kept in memory for corrections is never another one than the log's."""

from __future__ import annotations

from dueling import Table

from eventlog.history.recent import LONG, RecentLog


def test_what_is_kept_is_what_the_log_says(table: Table) -> None:
    table.duellists()
    recent = RecentLog(table.store)
    for turns in (2 * LONG, 5, 40):
        for _ in range(turns):
            last = table.act("end_turn").tape.action
        for first in (10, 3, last - LONG, last - 2):
            assert recent.actions(table.session, first, last) == table.store.actions(
                table.session, first, last
            )
    other = Table()
    other.open()
    assert recent.actions(table.session, 5, last - 7) == table.store.actions(table.session, 5, last - 7)
    other.close()


def test_removed_words_are_kept_nowhere(table: Table) -> None:
    table.duellists()
    noted = table.act("note", text="Tom's real name is Thomas")
    for _ in range(2 * LONG):
        table.act("end_turn")
    recent = RecentLog(table.store)
    recent.actions(table.session, 1, 2 * LONG)
    last = table.act("redact", seq=noted.events[1].seq, reason="private").tape.action
    found = recent.actions(table.session, 1, last)
    assert found == table.store.actions(table.session, 1, last)
    assert not any(b"Thomas" in (event.data or b"") for event in found)


def test_only_what_came_since_is_read(table: Table) -> None:
    table.duellists()
    for _ in range(2 * LONG):
        last = table.act("end_turn").tape.action
    asked: list[tuple[int, int]] = []

    class Watched(RecentLog):
        def actions(self, session: str, first: int, last: int) -> list[object]:  # type: ignore[override]
            asked.append((first, last))
            return table.store.actions(session, first, last)  # type: ignore[return-value]

    recent = RecentLog(Watched(table.store))  # type: ignore[arg-type]
    recent.actions(table.session, 4, last)
    recent.actions(table.session, 9, last)
    later = table.act("end_turn").tape.action
    recent.actions(table.session, 5, later)
    assert asked == [(4, last), (last + 1, later)]
