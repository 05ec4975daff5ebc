"""Tools that read every session: the admin gives out their tokens, lists, replaces and revokes them."""

from typing import Any

import httpx
import pytest
from serving import ADMIN_KEY, HIDDEN_NAME, Server, Table, problem, seated, with_secrets


def issue(server: Server, name: str = "bridge", **headers: str) -> httpx.Response:
    return server.ask("POST", "/tokens", ADMIN_KEY, json={"name": name}, headers=headers)


def tools(server: Server) -> Any:
    return server.ask("GET", "/tokens", ADMIN_KEY).json()["tools"]


def test_a_tool_reads_every_session_as_far_as_everybody_may_see_it(table: Table) -> None:
    token = issue(table.server).json()["token"]
    later = seated(table.server)
    with_secrets(later)
    for each in (table, later):
        each.tokens["bridge"] = token
        assert each.get(as_="bridge")["you"]["role"] == "tool"
        for part in ("/state", "/actions", "/events", "/export", "/statistics", "/verification", "/choices"):
            answer = each.ask("GET", part, "bridge")
            assert answer.status_code == 200
            assert HIDDEN_NAME not in answer.text
        problem(each.act({"type": "end_turn"}, "bridge"), 403, "not-allowed")
        problem(each.ask("GET", "/invites", "bridge"), 403, "not-allowed")
    for method, path in (
        ("GET", "/tokens"),
        ("GET", "/sessions"),
        ("POST", "/tokens"),
        ("POST", "/sessions"),
    ):
        problem(table.server.ask(method, path, token, json={}), 403, "not-allowed")


def test_tools_are_listed_without_their_secrets(server: Server) -> None:
    first, second = (issue(server, name).json() for name in ("bridge", "overlay"))
    assert [(tool["id"], tool["name"]) for tool in tools(server)] == [
        (first["id"], "bridge"),
        (second["id"], "overlay"),
    ]
    listed = server.ask("GET", "/tokens", ADMIN_KEY).text
    assert first["token"] not in listed
    assert second["token"] not in listed


def test_a_revoked_tool_is_out_at_once_and_its_name_is_free_again(table: Table) -> None:
    issued = issue(table.server).json()
    table.tokens["bridge"] = issued["token"]
    table.get("/state", "bridge")
    path = f"/tokens/{issued['id']}"
    assert table.server.ask("DELETE", path, ADMIN_KEY).json() == {"id": issued["id"], "revoked": True}
    problem(table.ask("GET", "/state", "bridge"), 401, "not-identified")
    problem(table.server.ask("DELETE", path, ADMIN_KEY), 404, "unknown-token")
    problem(table.server.ask("POST", f"{path}/rotate", ADMIN_KEY), 404, "unknown-token")
    assert tools(table.server) == []
    assert issue(table.server).status_code == 201


def test_a_lost_token_is_replaced(table: Table) -> None:
    issued = issue(table.server).json()
    fresh = table.server.ask("POST", f"/tokens/{issued['id']}/rotate", ADMIN_KEY)
    assert (fresh.status_code, fresh.json()["id"], fresh.json()["name"]) == (201, issued["id"], "bridge")
    table.tokens |= {"lost": issued["token"], "fresh": fresh.json()["token"]}
    problem(table.ask("GET", "/state", "lost"), 401, "not-identified")
    assert table.ask("GET", "/state", "fresh").status_code == 200
    assert len(tools(table.server)) == 1


def test_the_invite_of_a_session_is_no_token_of_a_tool(table: Table) -> None:
    invite = table.get("/invites")["invites"][-1]["id"]
    problem(table.server.ask("DELETE", f"/tokens/{invite}", ADMIN_KEY), 404, "unknown-token")
    issued = issue(table.server).json()
    problem(table.ask("DELETE", f"/invites/{issued['id']}"), 404, "unknown-invite")
    assert table.ask("GET", "/state", "bot").status_code == 200


@pytest.mark.parametrize(
    "body,status,code",
    [
        ({}, 422, "malformed-body"),
        ({"name": ""}, 422, "malformed-body"),
        ({"name": "\u200b"}, 422, "malformed-body"),
        ({"name": "x", "role": "gm"}, 422, "malformed-body"),
        ({"name": "GM"}, 422, "reserved-id"),
        ({"name": "BRIDGE"}, 409, "name-taken"),
    ],
)
def test_a_tool_that_makes_no_sense_is_refused(server: Server, body: Any, status: int, code: str) -> None:
    issue(server)
    before = tools(server)
    problem(server.ask("POST", "/tokens", ADMIN_KEY, json=body), status, code)
    assert tools(server) == before


def test_the_same_key_gives_another_token_of_the_same_tool(table: Table) -> None:
    key = {"Idempotency-Key": "one"}
    first, again = issue(table.server, **key), issue(table.server, **key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert (first.json()["id"], again.headers["idempotent-replayed"]) == (again.json()["id"], "true")
    table.tokens |= {"first": first.json()["token"], "again": again.json()["token"]}
    problem(table.ask("GET", "/state", "first"), 401, "not-identified")
    assert table.ask("GET", "/state", "again").status_code == 200
    problem(issue(table.server, "another", **key), 422, "idempotency-key-reused")


def test_nobody_but_the_keeper_gives_them_out(table: Table) -> None:
    for role, status, code in (
        ("gm", 403, "not-allowed"),
        ("bot", 403, "not-allowed"),
        ("none", 401, "not-identified"),
    ):
        for method, path in (
            ("GET", "/tokens"),
            ("POST", "/tokens"),
            ("DELETE", "/tokens/x"),
            ("POST", "/tokens/x/rotate"),
        ):
            problem(table.server.ask(method, path, table.tokens[role], json={"name": "x"}), status, code)


def test_a_server_without_a_keeper_gives_out_none() -> None:
    """Everybody at the machine may open sessions there, and read none but their own."""
    server = Server()
    try:
        problem(server.ask("POST", "/tokens", json={"name": "bridge"}), 401, "not-identified")
    finally:
        server.close()
