"""The feed of all sessions of a server, for whoever runs it and for tools of the whole server."""

from typing import Any

import pytest
from listening import LINES, Ear, listen
from serving import HIDDEN_NOTE, Server, Table, admin, open_table, seated

from api.seats import Seat
from api.tokens import draw


@pytest.fixture
def tool(server: Server) -> str:
    """A tool of the whole server."""
    issued = draw("mirror", Seat(session=None, role="tool", name="mirror", invite=""))
    server.app.state.desk.tokens.add(issued)
    return issued.secret


def follow(server: Server, token: str | None, *, headers: dict[str, str] | None = None, **params: str) -> Ear:
    return Ear(server, "/feed", token, params=params, headers=headers or {})


def test_all_sessions_are_told_in_the_order_in_which_they_were_stored(server: Server) -> None:
    tables = [seated(server) for _ in range(2)]
    ear = follow(server, admin(server), after="0")
    for number in range(6):
        tables[number % 2].done({"type": "note", "text": str(number)})
    stored = server.store.stream()
    told = ear.hear("event", len(stored))
    assert [frame.data["position"] for frame in told] == [event.position for event in stored]
    assert [frame.id for frame in told] == [f"{each.position}.{each.hash.hex()[:8]}" for each in stored]


@pytest.mark.parametrize("headers", [{}, LINES], ids=["sse", "lines"])
def test_the_head_is_that_of_the_whole_log(server: Server, headers: dict[str, str]) -> None:
    empty = follow(server, admin(server), headers=headers)
    assert empty.hear("head")[0].data == {"after": "0", "head": "0", "position": 0, "head_hash": None}
    open_table(server)
    last = server.store.last()
    head = follow(server, admin(server), headers=headers).hear("head")[0]
    assert head.data["head_hash"] == last.hash.hex()
    assert head.data["head"] == head.data["after"] == head.id == f"{last.position}.{last.hash.hex()[:8]}"
    assert len(empty.hear("event")) == 1, "the opening of a session is told"


def test_a_tool_of_the_server_hears_what_everybody_may_hear(secret_table: Table, tool: str) -> None:
    server = secret_table.server
    ears = {token: follow(server, token, after="0") for token in (tool, admin(server))}
    secret_table.done({"type": "note", "text": "for everybody"})
    for ear in ears.values():
        ear.until(lambda frames: "for everybody" in str(frames[-1]))
    assert HIDDEN_NOTE not in ears[tool].text
    assert HIDDEN_NOTE in ears[admin(server)].text


@pytest.mark.parametrize("as_", ["gm", "mina", "watcher", "bot"])
def test_a_token_of_one_session_does_not_open_all_of_them(table: Table, as_: str) -> None:
    assert follow(table.server, table.tokens[as_]).problem["code"] == "not-allowed"
    assert follow(table.server, None).problem["code"] == "not-identified"


def test_nobody_follows_a_server_without_a_token_even_on_its_own_machine() -> None:
    """Who may open sessions here may still not read what others hide in theirs."""
    server = Server()
    try:
        assert follow(server, None).status == 401
    finally:
        server.close()


def test_a_cursor_of_a_session_is_none_of_the_server(server: Server) -> None:
    tables = [seated(server) for _ in range(2)]
    theirs = listen(tables[1], after="3").hear("head")[0].id
    ear = follow(server, admin(server), after=theirs)
    last = server.store.last()
    assert (ear.status, ear.problem["head"]) == (410, f"{last.position}.{last.hash.hex()[:8]}")
    ours = follow(server, admin(server)).hear("head")[0].id
    assert listen(tables[1], after=ours).status == 410


def test_a_follower_goes_on_although_a_session_was_removed(server: Server) -> None:
    """The events it stood at are gone; those that come after are not."""
    kept, gone = seated(server), seated(server)
    ear = follow(server, admin(server), after="0")
    stood = ear.hear("event", len(server.store.stream()))[-1].id
    behind = follow(server, admin(server), headers=LINES, after=str(kept.version + 1))
    gone.ask("DELETE", "", "admin")
    late = follow(server, admin(server), after=str(kept.version))
    kept.done({"type": "note", "text": "we go on"})
    last = kept.get("/events", params={"after": str(kept.version - 1)})["events"][-1]
    for each in (ear, behind, late, follow(server, admin(server), headers={"Last-Event-ID": stood})):
        assert each.until(lambda frames: "we go on" in str(frames[-1]))[-1].data == last


def test_filters_work_across_sessions(server: Server) -> None:
    tables = [seated(server) for _ in range(2)]
    ear = follow(server, admin(server), after="0", types="duel.duel-begun")
    assert {frame.data["session"] for frame in ear.hear("event", 2)} == {table.id for table in tables}


def test_closing_one_session_does_not_end_the_feed_of_all(server: Server) -> None:
    ended, other = seated(server), seated(server)
    ear = follow(server, admin(server))
    ended.done({"type": "close"})
    other.done({"type": "note", "text": "still here"})
    ear.until(lambda frames: "still here" in str(frames[-1]))
    assert not ear.over


def test_a_session_taken_in_from_elsewhere_is_told(server: Server) -> None:
    table = seated(server)
    copy = table.ask("GET", "/export").content
    elsewhere = Server(admin_key="k")
    try:
        ear = follow(elsewhere, "k")
        taken: Any = elsewhere.ask(
            "POST", "/sessions/import", "k", content=copy, headers={"Content-Type": "application/x-ndjson"}
        )
        assert taken.status_code == 201
        told = ear.hear("event", taken.json()["version"])
        assert {frame.data["session"] for frame in told} == {table.id}
    finally:
        elsewhere.close()
