"""Whoever listens hears of every session that went on, once it is on disk and not before."""

import pytest
from dueling import Table, key

from eventlog.announcing import Announcer
from rulesets.contract import RuleViolation


@pytest.fixture
def heard(table: Table) -> list[tuple[str, int]]:
    """What a listener hears: the session, and the version it finds stored."""
    found: list[tuple[str, int]] = []
    table.recorder.announcer.listen(
        lambda session: found.append((session, table.store.head(session).version))
    )
    return found


def test_what_is_stored_is_announced_after_it_is_stored(table: Table, heard: list[tuple[str, int]]) -> None:
    opened = table.open()
    acted = table.act("note", text="hello")
    session = opened.tape.session
    assert heard == [(session, opened.tape.version), (session, acted.tape.version)]


def test_what_is_refused_or_repeated_is_not_announced(table: Table, heard: list[tuple[str, int]]) -> None:
    table.open()
    sent = {"request": {"key": key("k")}, "text": "hello"}
    table.act("note", **sent)
    before = list(heard)
    assert table.act("note", **sent).replayed
    with pytest.raises(RuleViolation):
        table.act("end_turn")
    assert heard == before


def test_who_stops_listening_hears_no_more() -> None:
    announcer, first, second = Announcer(), list[str](), list[str]()
    stop = announcer.listen(first.append)
    announcer.listen(second.append)
    announcer.announce("a")
    stop()
    announcer.announce("b")
    assert (first, second) == (["a"], ["a", "b"])


def test_who_stops_listening_while_something_is_announced_takes_nothing_from_others() -> None:
    announcer, heard = Announcer(), list[str]()

    def once(session: str) -> None:
        stop()
        heard.append(session)

    stop = announcer.listen(once)
    announcer.listen(heard.append)
    announcer.announce("a")
    assert heard == ["a", "a"]
