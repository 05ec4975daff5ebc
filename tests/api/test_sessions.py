"""Sessions: opened, listed, looked at, removed."""

from pathlib import Path

import pytest
from serving import ADMIN_KEY, Server, Table, admin, open_table, problem, seated

from api.settings import AdminKeyMissing, ServerSettings


def test_opening_a_session_gives_the_gm_a_token(server: Server) -> None:
    answer = server.ask("POST", "/sessions", ADMIN_KEY, json={"ruleset": "duel", "title": "At dawn"})
    assert answer.status_code == 201
    opened = answer.json()
    assert opened["version"] == 1
    assert answer.headers["etag"] == '"1"'
    assert len(opened["gm_token"]) == 46
    assert opened["gm_token"].startswith("tt_")
    assert len(bytes.fromhex(opened["dice_commitment"])) == 32
    assert "no-store" in answer.headers["cache-control"]
    shown = server.ask("GET", opened["links"]["self"], opened["gm_token"])
    assert shown.json()["you"] == {"role": "gm", "name": "gm", "characters": []}


def test_every_link_of_an_opened_session_leads_somewhere(server: Server) -> None:
    """Asked by their headers alone, since a feed does not end."""
    opened = server.ask("POST", "/sessions", ADMIN_KEY, json={"ruleset": "duel", "title": "At dawn"}).json()
    assert {"actions", "state", "events", "export", "feed", "webhooks"} <= set(opened["links"])
    for link in opened["links"].values():
        assert server.ask("HEAD", link, opened["gm_token"]).status_code == 200, link


@pytest.mark.parametrize(
    "body,status,code",
    [
        ({"ruleset": "duel"}, 422, "malformed-body"),
        ({"ruleset": "duel", "title": ""}, 422, "malformed-body"),
        ({"ruleset": "duel", "title": "a\x00b"}, 422, "malformed-body"),
        ({"ruleset": "duel", "title": "x" * 81}, 422, "malformed-body"),
        ({"ruleset": "duel", "title": "t", "sides": 6}, 422, "malformed-body"),
        ({"ruleset": "no-such-game", "title": "t"}, 422, "ruleset-not-installed"),
        ({"ruleset": "DUEL", "title": "t"}, 422, "malformed-body"),
        ({"ruleset": "duel", "title": "t", "parameters": {"no_such": 1}}, 422, "malformed-command"),
        ({"ruleset": "duel", "title": "t", "parameters": []}, 422, "malformed-command"),
        ({"ruleset": "duel", "title": "t", "settings": {"undo": "always"}}, 422, "malformed-body"),
    ],
)
def test_a_session_that_makes_no_sense_is_not_opened(
    server: Server, body: dict[str, object], status: int, code: str
) -> None:
    problem(server.ask("POST", "/sessions", ADMIN_KEY, json=body), status, code)
    assert server.ask("GET", "/sessions", ADMIN_KEY).json() == {"sessions": [], "next": None}


def test_sessions_are_listed_newest_first_a_page_at_a_time(server: Server) -> None:
    titles = ("Dusk", "Night", "Midnight", "Gloaming", "Dawn")
    made = [open_table(server, title=title).id for title in titles]
    first = server.ask("GET", "/sessions", ADMIN_KEY, params={"limit": 3}).json()
    rest = server.ask("GET", "/sessions", ADMIN_KEY, params={"limit": 3, "after": first["next"]}).json()
    assert [each["id"] for each in first["sessions"] + rest["sessions"]] == made[::-1]
    assert rest["next"] is None
    found = server.ask("GET", "/sessions", ADMIN_KEY, params={"search": "gLOAming"}).json()["sessions"]
    assert [each["title"] for each in found] == ["Gloaming"]
    assert set(found[0]) == {"id", "title", "ruleset", "opened_at", "changed_at", "closed_at"}
    problem(server.ask("GET", "/sessions", ADMIN_KEY, params={"after": "x"}), 422, "malformed-command")


def test_a_version_seen_before_is_not_sent_again(table: Table) -> None:
    for part, as_ in (("", "mina"), ("/state", "mina"), ("/state", "gm")):
        seen = table.ask("GET", part, as_)
        again = table.ask("GET", part, as_, headers={"If-None-Match": seen.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == seen.headers["etag"]
        assert again.headers["vary"] == "Authorization"
        assert table.ask("GET", part, as_, headers={"If-None-Match": "garbage"}).status_code == 200
    table.done({"type": "end_turn"})
    assert table.ask("GET", "/state", headers={"If-None-Match": seen.headers["etag"]}).status_code == 200


def test_a_session_opened_by_mistake_is_removed_whole(table: Table) -> None:
    version = table.version
    problem(table.ask("DELETE"), 403, "not-allowed")
    removed = table.ask("DELETE", as_="admin")
    assert removed.status_code == 200
    assert (removed.json()["id"], removed.json()["version"]) == (table.id, version)
    problem(table.ask("GET", "/state"), 401, "not-identified")
    gone = problem(table.ask("GET", "/state", "admin"), 410, "session-removed")
    assert gone["head_hash"] == removed.json()["head_hash"]
    problem(table.ask("DELETE", as_="admin"), 410, "session-removed")
    problem(table.server.ask("DELETE", "/sessions/never-there", ADMIN_KEY), 404, "unknown-session")


def test_people_on_the_machine_of_an_open_server_open_and_list_sessions() -> None:
    server = Server()
    try:
        table = open_table(server)
        assert server.ask("GET", "/sessions").json()["sessions"][0]["id"] == table.id
        problem(server.ask("GET", f"/sessions/{table.id}"), 401, "not-identified")
        problem(server.ask("DELETE", f"/sessions/{table.id}"), 401, "not-identified")
        problem(server.ask("POST", "/sessions/import", content=b"{}"), 401, "not-identified")
        problem(server.ask("GET", "/sessions", "tt_wrong"), 401, "not-identified")
        problem(server.ask("GET", "/sessions", table.tokens["gm"]), 403, "not-allowed")
    finally:
        server.close()


def test_with_an_admin_key_nobody_else_opens_sessions(server: Server) -> None:
    body = {"ruleset": "duel", "title": "t"}
    problem(server.ask("POST", "/sessions", json=body), 401, "not-identified")
    problem(server.ask("GET", "/sessions"), 401, "not-identified")
    assert server.ask("POST", "/sessions", admin(server), json=body).status_code == 201


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])  # noqa: S104 - refused
def test_a_server_others_can_reach_needs_an_admin_key(host: str) -> None:
    with pytest.raises(AdminKeyMissing, match="TABLETAPE_ADMIN_KEY"):
        ServerSettings(host=host)
    assert not ServerSettings(host=host, admin_key="k").open_to_this_machine


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.9.1"])
def test_a_server_on_loopback_does_not(host: str) -> None:
    assert ServerSettings(host=host).open_to_this_machine


def test_the_admin_key_is_not_printed() -> None:
    assert "mat" not in repr(ServerSettings(admin_key=ADMIN_KEY))


def test_a_session_outlives_its_server(tmp_path: Path) -> None:
    server = Server(tmp_path / "log.db")
    try:
        table = seated(server)
        before = table.get("/state", "mina")
        server.restart()
        assert table.get("/state", "mina") == before
    finally:
        server.close()
