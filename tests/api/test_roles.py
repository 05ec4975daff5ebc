"""Who may do what: every route for every role, and what a player may ask for whom."""

from typing import Any

import pytest
from litestar.routes import HTTPRoute
from serving import ROLES, ROUTES, Called, Server, Table, call, problem

from rulesets.people import Role


def test_every_route_is_in_the_table(server: Server) -> None:
    there = {
        (method, route.path_format or "/")
        for route in server.app.routes
        if isinstance(route, HTTPRoute)
        for method in route.methods
        if method != "OPTIONS"
    }
    there.discard(("GET", "/schema/{path}"))  # answers what is not there
    assert there == {(route.method, route.path) for route in ROUTES}


NOT_THIS_TIME = {"not-your-action", "acted-since", "dice-shown"}
"""Refusals of a player who may undo, and not just this."""


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_each_role_is_let_in_or_refused_as_documented(table: Table, route: Called) -> None:
    last_word = {"DELETE", "POST"} if route.path.endswith(("/close", "{session}", "rotate")) else set()
    refused = [role for role in ROLES if role not in route.allowed]
    for role in refused:
        answer = call(table, route, role)
        if role == "none" or (route.path in {"/sessions", "/sessions/import"} and role == "none"):
            problem(answer, 401, "not-identified")
        else:
            assert {"gm", "admin", "player"} & set(problem(answer, 403, "not-allowed")["needs"])
    for role in route.allowed:
        answer = call(table, route, role)
        assert answer.status_code != 401, answer.text
        assert answer.status_code != 403 or answer.json()["code"] in NOT_THIS_TIME, answer.text
        assert answer.status_code < 500, answer.text
        if last_word:
            break


def test_a_refused_role_leaves_the_log_as_it_was(table: Table) -> None:
    before = table.log()
    for route in ROUTES:
        for role in set(ROLES) - set(route.allowed):
            call(table, route, role)
    assert table.log() == before


@pytest.mark.parametrize("route", [route for route in ROUTES if "{session}" in route.path], ids=str)
def test_without_a_good_token_nobody_learns_whether_a_session_exists(table: Table, route: Called) -> None:
    other = Table(table.server, table.id, {**table.tokens, "none": "tt_" + "A" * 43})
    answers = [
        call(table, route, "none"),
        call(table, route, "none", session="no-such-session"),
        call(other, route, "none"),
        call(other, route, "none", session="no-such-session"),
        call(table, route, "gm", session="no-such-session"),
        call(table, route, "mina", session="no-such-session"),
    ]
    bodies = {answer.text for answer in answers}
    assert len(bodies) == 1
    for answer in answers:
        problem(answer, 401, "not-identified")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header", ["tt_wrong", "Basic abc", "Bearer", "Bearer  ", "", "bearer \xff\xfe", "Bearer " + "x" * 9000]
)
def test_a_header_that_is_no_token_opens_nothing(table: Table, header: str) -> None:
    answer = table.ask("GET", "/state", "none", headers={"Authorization": header.encode("latin-1")})
    problem(answer, 401, "not-identified")


PLAYED: tuple[tuple[str, dict[str, Any], int, str], ...] = (
    ("mina", {"type": "attack", "attacker": "ada", "target": "ben"}, 201, ""),
    ("noel", {"type": "attack", "attacker": "ada", "target": "ben"}, 403, "not-allowed"),
    ("mina", {"type": "attack", "attacker": "ben", "target": "ada"}, 403, "not-allowed"),
    ("gm", {"type": "attack", "attacker": "ada", "target": "ben"}, 201, ""),
    ("watcher", {"type": "attack", "attacker": "ada", "target": "ben"}, 403, "not-allowed"),
    ("bot", {"type": "attack", "attacker": "ada", "target": "ben"}, 403, "not-allowed"),
    ("admin", {"type": "attack", "attacker": "ada", "target": "ben"}, 403, "not-allowed"),
    ("none", {"type": "attack", "attacker": "ada", "target": "ben"}, 401, "not-identified"),
    ("mina", {"type": "end_turn"}, 201, ""),
    ("noel", {"type": "end_turn"}, 403, "not-allowed"),
    ("mina", {"type": "adjust", "duellist": "ada", "hp": 5, "reason": "a potion"}, 403, "not-allowed"),
    ("mina", {"type": "change_setting", "name": "undo", "value": "off"}, 403, "not-allowed"),
    ("mina", {"type": "redact", "seq": 2}, 403, "not-allowed"),
    ("mina", {"type": "close"}, 403, "not-allowed"),
)


@pytest.mark.parametrize("role,command,status,code", PLAYED)
def test_players_act_for_their_own_characters(
    table: Table, role: str, command: dict[str, Any], status: int, code: str
) -> None:
    before = table.log()
    answer = table.act(command, role)
    if code:
        problem(answer, status, code)
        assert table.log() == before
    else:
        assert answer.status_code == status, answer.text


def test_only_the_gm_passes_over_a_rule(table: Table) -> None:
    attack = {"type": "attack", "attacker": "ben", "target": "ada"}
    refused = problem(table.act(attack, "gm"), 422, "not-your-turn")
    assert refused["overrulable"] is True
    problem(table.act(attack, "noel", overrule=["not-your-turn"]), 403, "not-allowed")
    assert table.act(attack, "gm", overrule=["not-your-turn"], text="he is quicker").status_code == 201


def test_a_token_of_the_server_reads_every_session_as_a_tool(table: Table) -> None:
    from api.seats import Seat
    from api.tokens import draw

    role: Role = "tool"
    issued = draw("overlay", Seat(session=None, role=role, name="overlay", invite=""))
    table.server.app.state.desk.tokens.add(issued)
    table.tokens["overlay"] = issued.secret
    assert table.ask("GET", "/state", "overlay").status_code == 200
    problem(table.server.ask("GET", "/sessions/nowhere/state", issued.secret), 404, "unknown-session")
    problem(table.act({"type": "end_turn"}, "overlay"), 403, "not-allowed")
    problem(table.server.ask("GET", "/sessions", issued.secret), 403, "not-allowed")
