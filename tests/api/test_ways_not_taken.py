"""Two ways forward, undone or forked: neither is ever lost, and neither leaks into the other."""

import json
from typing import Any

import pytest
from serving import Table


def forked(table: Table, at: int, title: str = "If Ben had parried") -> Table:
    answer = table.ask("POST", "/forks", json={"at": at, "title": title})
    assert answer.status_code == 201, answer.text
    return Table(table.server, answer.json()["id"], {"gm": answer.json()["gm_token"]})


def correct(table: Table, part: str, **body: Any) -> Any:
    answer = table.ask("POST", part, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
def evening(table: Table) -> Table:
    """Twenty actions of a duel."""
    for number in range(4, 21):
        table.done(
            {"type": "adjust", "duellist": "ben", "hp": 1 if number % 2 else -1, "reason": "to and fro"}
        )
    return table


def test_a_way_that_was_undone_is_restored_or_goes_on_in_a_fork(evening: Table) -> None:
    """Undone to the wrong point and then played on: nothing is lost, twice over (18xx#5195)."""
    way_forward = evening.get("/state?at=20")["state"]
    undone = correct(evening, "/actions/9/undo", through=True)["action"]
    rolled = evening.done({"type": "roll", "count": 1, "purpose": "luck"})["action"]
    log = evening.log()
    other = forked(evening, 20)
    assert other.get("/state")["state"] == way_forward
    correct(evening, f"/actions/{rolled}/undo")
    correct(evening, f"/actions/{undone}/redo")
    assert evening.get("/state")["state"] == way_forward
    assert evening.log()[: len(log)] == log
    assert evening.server.store.head(evening.id).action == 24


def test_what_is_tried_in_a_fork_is_never_heard_of_in_the_session(evening: Table) -> None:
    """Going another way from a point on copies nothing and touches nothing (boardgame.io#95)."""
    before, hashes = evening.ask("GET", "/events?limit=500").content, evening.log()
    fork = forked(evening, 10)
    tried = fork.done({"type": "roll", "count": 3, "purpose": "what if"})
    assert [event["session"] for event in tried["events"]] == [fork.id] * len(tried["events"])
    correct(fork, "/actions/4/undo", mode="rebase")
    assert evening.ask("GET", "/events?limit=500").content == before
    assert evening.log() == hashes
    assert [event["hash"] for event in fork.get("/events?limit=500")["events"]][:5] == [
        event["hash"] for event in evening.get("/events?limit=500")["events"]
    ][:5]


def test_the_copy_of_a_fork_holds_its_beginning_its_own_way_and_the_notes_of_both(evening: Table) -> None:
    """Neither remarks nor the way not taken get lost on the way out (lila#1890)."""
    evening.done({"type": "note", "text": "remember this one", "about": 7})
    fork = forked(evening, 21)
    fork.done({"type": "note", "text": "and here it parts", "about": 20})
    fork.done({"type": "roll", "count": 1, "purpose": "another way"})
    exported = fork.ask("GET", "/export").text
    assert "remember this one" in exported
    assert "and here it parts" in exported
    assert "another way" in exported
    assert json.loads(exported.splitlines()[0])["session"] == fork.id
    alone = evening.ask("GET", "/export").text
    assert "remember this one" in alone
    assert "another way" not in alone


def test_undo_to_here_is_one_request_and_one_redo_takes_it_back(table: Table) -> None:
    """One line of the log is named, and forty actions after it go and come back at once (18xx#2611)."""
    for number in range(60):
        table.done(
            {"type": "adjust", "duellist": "ben", "hp": 1 if number % 2 else -1, "reason": "to and fro"}
        )
    before = table.get("/state")["state"]
    undone = correct(table, "/actions/24/undo", through=True)
    assert [event["type"] for event in undone["events"]] == ["core.action-taken", "core.action-undone"]
    assert len(undone["events"][1]["data"]["targets"]) == 40
    assert table.get("/state")["state"] == table.get("/state?at=23")["state"]
    correct(table, f"/actions/{undone['action']}/redo")
    assert table.get("/state")["state"] == before
