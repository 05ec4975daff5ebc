"""What is hidden from somebody appears in no answer to them: no name, no note, no roll, no seed, no token."""

import json
from typing import Any

import pytest
from serving import (
    ADMIN_KEY,
    HIDDEN_GOAL,
    HIDDEN_GOAL_ID,
    HIDDEN_ID,
    HIDDEN_NAME,
    HIDDEN_NOTE,
    HIDDEN_ROLL,
    ROLES,
    ROUTES,
    Called,
    Server,
    Table,
    call,
    conflict,
    seated,
    with_hidden_goal,
    with_secrets,
)

CANARIES = (HIDDEN_ID, HIDDEN_NAME, HIDDEN_NOTE, HIDDEN_ROLL)
ALL_CANARIES = (*CANARIES, HIDDEN_GOAL, HIDDEN_GOAL_ID)
MAY_KNOW = {"gm", "admin"}
LAST = ("/sessions/{session}", "/sessions/{session}/close")


@pytest.mark.parametrize("game", ["duel", "anima-prime"])
@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_no_route_tells_a_secret_to_those_who_may_not_know_it(
    server: Server, route: Called, game: str
) -> None:
    table = seated(server) if game == "duel" else conflict(server)
    (with_secrets if game == "duel" else with_hidden_goal)(table)
    seed = table.server.store.seed(table.id)
    for role in ROLES:
        answer = call(table, route, role)
        said = answer.text + str(answer.headers)
        if role not in MAY_KNOW:
            for canary in ALL_CANARIES:
                assert canary.casefold() not in said.casefold(), (role, canary)
        if not route.path.endswith("/close") or role != "gm":
            assert seed.hex() not in said
        assert table.tokens[role] is None or str(table.tokens[role]) not in said
        if (route.method, route.path) == ("DELETE", LAST[0]) and answer.status_code == 200:
            break


@pytest.mark.parametrize("role", [role for role in ROLES if role not in MAY_KNOW])
def test_those_who_may_know_it_are_told(secret_table: Table, role: str) -> None:
    told = secret_table.ask("GET", "/events").text
    assert all(canary in told for canary in CANARIES)
    assert HIDDEN_NAME in secret_table.ask("GET", "/state").text
    assert HIDDEN_NAME in secret_table.ask("GET", "/state", "admin").text
    assert not any(canary in secret_table.ask("GET", "/events", role).text for canary in CANARIES)


@pytest.mark.parametrize("role", ["mina", "noel"])
@pytest.mark.parametrize(
    "command",
    [
        {"type": "attack", "attacker": "ada", "target": "ID"},
        {"type": "reveal", "duellist": "ID"},
        {"type": "conceal_dagger", "duellist": "ID"},
        {"type": "adjust", "duellist": "ID", "reason": "x"},
    ],
    ids=lambda command: command["type"],
)
def test_a_hidden_id_is_refused_like_one_that_is_not_there(
    secret_table: Table, role: str, command: dict[str, Any]
) -> None:
    def refused(who: str) -> tuple[int, str, str]:
        asked = {name: who if value == "ID" else value for name, value in command.items()}
        sent = secret_table.act(asked, role)
        odds = secret_table.ask("POST", "/odds", role, json={"command": asked})
        return sent.status_code, sent.text.replace(who, "ID"), odds.text.replace(who, "ID")

    assert refused(HIDDEN_ID) == refused("nobody-here-at-all")


def test_a_hidden_dagger_is_known_to_its_owner_and_the_gm(table: Table) -> None:
    table.done({"type": "conceal_dagger", "duellist": "ada"}, "mina")
    known = {role: "dagger-concealed" in table.ask("GET", "/events", role).text for role in ROLES[:-1]}
    assert known == {"gm": True, "mina": True, "noel": False, "watcher": False, "bot": False, "admin": True}
    daggers = {role: table.get("/state", role)["state"]["duellists"]["ada"]["dagger"] for role in ROLES[:-1]}
    assert daggers["mina"] == daggers["gm"] == daggers["admin"] == "concealed"
    assert daggers["noel"] == daggers["watcher"] == daggers["bot"] == "none"


def test_hidden_events_keep_their_place_and_show_a_digest(secret_table: Table) -> None:
    for role in ("mina", "watcher"):
        page = secret_table.get("/events", role, params={"limit": 500})
        assert [event["seq"] for event in page["events"]] == list(range(1, page["version"] + 1))
        hidden = [event for event in page["events"] if "type" not in event]
        assert hidden
        assert all(set(event) == {"seq", "digest", "hash"} for event in hidden)


def test_a_filter_does_not_find_what_is_hidden(secret_table: Table) -> None:
    for part, params in (
        ("/actions", {"text": "canary"}),
        ("/actions", {"character": HIDDEN_ID}),
        ("/events", {"type": "core.note-added"}),
    ):
        found = secret_table.get(part, "watcher", params=params)
        assert found.get("actions", found.get("events")) == []
    assert secret_table.get("/actions", params={"text": "canary"})["actions"]


def test_a_private_answer_is_kept_by_no_shared_cache(table: Table) -> None:
    for route in ROUTES:
        if "{session}" in route.path and route.method == "GET":
            assert "private" in call(table, route, "gm").headers["cache-control"], route


def test_the_log_of_the_server_holds_no_secret(capfd: pytest.CaptureFixture[str]) -> None:
    server = Server(admin_key=ADMIN_KEY, log="json")
    try:
        table = seated(server)
        with_secrets(table)
        table.act({"type": "attack", "attacker": "ada", "target": "ben"}, dice=[1, 1, 1], text="low and mean")
        table.act({"type": "no-such-thing"})
        server.ask("GET", f"/sessions/{table.id}/state?secret=canary", "tt_canary")
        seed = server.store.seed(table.id).hex()
    finally:
        server.close()
    lines = capfd.readouterr().err
    for hidden in (*CANARIES, seed, "low and mean", "tt_", ADMIN_KEY, "[1,1,1]", "canary"):
        assert hidden not in lines
    written = [json.loads(line) for line in lines.splitlines()]
    assert {
        "method",
        "route",
        "status",
        "duration_ms",
        "session",
        "role",
        "action",
        "code",
        "request_id",
    } <= set(written[0])
    assert written[-1]["status"] == 401
    assert written[-1]["session"] is None, "who is nobody leaves no trace of which session they tried"
    assert written[-2]["code"] == "malformed-command"
    assert written[-3]["action"]
    assert written[-3]["role"] == "gm"


@pytest.mark.parametrize("role", [role for role in ROLES if role not in MAY_KNOW])
def test_a_hidden_goal_is_refused_like_one_that_is_not_there(server: Server, role: str) -> None:
    table = conflict(server)
    with_hidden_goal(table)

    def refused(goal: str, target: str) -> list[str]:
        achieve = {"type": "achieve", "actor": "zadie", "goal": goal, "strike_dice": {"zadie": 1}}
        strike = {"type": "strike", "actor": "zadie", "targets": [target], "strike_dice": 1}
        answers = [table.act(command, role) for command in (achieve, strike)]
        answers += [table.ask("POST", "/odds", role, json={"command": each}) for each in (achieve, strike)]
        return [answer.text.replace(goal, "GOAL").replace(target, "WHO") for answer in answers]

    assert refused(HIDDEN_GOAL_ID, HIDDEN_ID) == refused("no-such-goal", "nobody-here")
    assert HIDDEN_GOAL in table.ask("GET", "/state").text
