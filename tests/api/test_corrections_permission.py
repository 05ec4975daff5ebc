"""Who may take back what: the GM anything, players their own last action without dice, the rest by asking."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import ADMIN_KEY, Server, Table, conflict, problem, seated

MAY = {"off": (), "gm": ("gm",), "own_last": ("gm", "mina"), "request": ("gm", "mina")}


def post(table: Table, part: str, as_: str = "gm", **body: Any) -> httpx.Response:
    return table.ask("POST", part, as_, json=body)


def done(table: Table, part: str, as_: str = "gm", **body: Any) -> Any:
    answer = post(table, part, as_, **body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def refused(table: Table, status: int, code: str, part: str, as_: str = "gm", **body: Any) -> dict[str, Any]:
    """The refusal; nothing was recorded and the table is as it was, to the byte."""
    log, state = table.log(), table.ask("GET", "/state").content
    document = problem(post(table, part, as_, **body), status, code)
    assert table.log() == log
    assert table.ask("GET", "/state").content == state
    return document


def setting(table: Table, value: str) -> None:
    if value != "request":
        assert table.ask("PATCH", "/settings", json={"undo": value}).status_code == 200


# --- the setting --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", MAY)
@pytest.mark.parametrize("role", ["gm", "mina"])
def test_the_setting_says_who_takes_back_their_own_last_action(table: Table, value: str, role: str) -> None:
    setting(table, value)
    action = table.done({"type": "end_turn"}, role if role != "gm" else "mina")["action"]
    if role in MAY[value]:
        done(table, f"/actions/{action}/undo", role)
    else:
        document = refused(table, 403, "undo-off", f"/actions/{action}/undo", role)
        assert document["undo"] == value
        refused(table, 403, "undo-off", f"/actions/{action}/redo", role)
        refused(table, 403, "undo-off", f"/actions/{action}/amend", role, command={"type": "end_turn"})
        refused(table, 403, "undo-off", "/undo", role)


@pytest.mark.parametrize("value", MAY)
def test_requests_are_made_where_the_setting_says_so(table: Table, value: str) -> None:
    setting(table, value)
    action = table.done({"type": "end_turn"}, "mina")["action"]
    if value == "request":
        done(table, "/undo-requests", "noel", target=action)
    else:
        refused(table, 403, "undo-off", "/undo-requests", "noel", target=action)


def test_those_who_only_read_take_nothing_back(table: Table) -> None:
    for role in ("watcher", "bot", "admin"):
        for part in ("/undo", "/actions/3/undo", "/actions/3/redo", "/actions/3/amend", "/undo-requests"):
            assert post(table, part, role, target=3).status_code in (400, 403, 422)


# --- a player's own last action -----------------------------------------------------------------------------


def test_decisions_are_taken_back_and_dice_are_not(table: Table) -> None:
    """Two decisions go, and the third step back stops at the dice (mcp-danger-room#21)."""
    rolled = table.done({"type": "roll", "count": 2, "purpose": "nerve"}, "mina")["action"]
    table.done({"type": "conceal_dagger", "duellist": "ada"}, "mina")
    table.done({"type": "draw_dagger", "duellist": "ada"}, "mina")
    done(table, "/undo", "mina")
    done(table, "/undo", "mina")
    document = refused(table, 403, "dice-shown", "/undo", "mina")
    assert document["action"] == rolled
    assert "an undo request" in document["detail"]


def test_a_roll_that_was_seen_is_not_thrown_away_by_its_player(table: Table) -> None:
    """Only the GM crosses dice, and says why (terraforming-mars#5569)."""
    rolled = table.done({"type": "roll", "count": 3, "purpose": "luck"}, "mina")["action"]
    refused(table, 403, "dice-shown", f"/actions/{rolled}/undo", "mina")
    undone = done(table, f"/actions/{rolled}/undo", reason="wrong pool")
    line = table.get(f"/actions/{undone['action']}")
    assert line["by"] == {"role": "gm", "name": "gm"}
    assert [note["text"] for note in line["notes"]] == ["wrong pool"]
    kept = table.get(f"/actions/{rolled}", "mina")
    assert (kept["status"], len(kept["rolls"])) == ("undone", 1)


def test_an_action_whose_dice_were_asked_for_later_is_behind_them_too(server: Server) -> None:
    """What was paid for dice is not taken back once they lie there (terraforming-mars#911, JCloisterZone#263)."""
    table = conflict(server)
    body = {"type": "maneuver", "actor": "zadie", "action_dice": 2}
    action = table.done(body, "mina")["action"]
    refused(table, 403, "dice-shown", f"/actions/{action}/undo", "mina", dry_run=True)
    refused(table, 403, "dice-shown", f"/actions/{action}/undo", "mina")
    done(table, f"/actions/{action}/undo", reason="misread rule")
    assert table.get("/state")["state"]["characters"]["zadie"]["action"] == 6
    table.done(body, "mina")


def test_nobody_takes_back_what_others_did_or_followed(table: Table) -> None:
    mine = table.done({"type": "end_turn"}, "mina")["action"]
    document = refused(table, 403, "not-your-action", f"/actions/{mine}/undo", "noel")
    assert document["action"] == mine
    table.done({"type": "conceal_dagger", "duellist": "ben"}, "noel")
    looked = post(table, f"/actions/{mine}/undo", "mina", dry_run=True)
    assert looked.status_code == 200  # a dagger up a sleeve is nobody else's affair
    drawn = table.done({"type": "draw_dagger", "duellist": "ben"}, "noel")["action"]
    document = refused(table, 403, "acted-since", f"/actions/{mine}/undo", "mina")
    assert document["since"] == drawn
    refused(table, 403, "not-your-action", "/undo", "mina")
    refused(table, 403, "not-allowed", f"/actions/{mine}/undo", "mina", mode="cascade")
    refused(table, 403, "not-allowed", f"/actions/{mine}/undo", "mina", through=True)
    refused(table, 403, "not-allowed", "/actions", "mina", command={"type": "end_turn"}, before=mine)


def test_notes_and_requests_of_others_are_no_acting(table: Table) -> None:
    mine = table.done({"type": "end_turn"}, "mina")["action"]
    table.done({"type": "note", "text": "hm"}, "noel")
    done(table, "/undo-requests", "noel", target=mine)
    done(table, f"/actions/{mine}/undo", "mina")
    assert table.get("/state")["state"]["current"] == "ada"


def test_offers_of_others_are_no_acting(server: Server) -> None:
    table = conflict(server)
    table.done({"type": "end_turn"})
    table.done({"type": "end_turn"})
    mine = table.done({"type": "offer", "giver": "zadie", "to": "rasheem", "gift": 1}, "mina")["action"]
    table.done({"type": "offer", "giver": "rasheem", "to": "zadie", "gift": 1}, "noel")
    done(table, f"/actions/{mine}/undo", "mina")


def test_a_player_takes_back_their_own_correction_until_somebody_acts(table: Table) -> None:
    mine = table.done({"type": "end_turn"}, "mina")["action"]
    undone = done(table, f"/actions/{mine}/undo", "mina")["action"]
    others = refused(table, 403, "not-your-action", f"/actions/{undone}/undo", "noel")
    assert others["detail"] == f"Correction {undone} is not yours: whoever made it or the GM can undo it"
    done(table, f"/actions/{mine}/redo", "mina")
    assert table.get("/state")["state"]["current"] == "ben"
    undone = done(table, f"/actions/{mine}/undo", "mina")["action"]
    table.done({"type": "end_turn"})
    document = refused(table, 403, "acted-since", f"/actions/{undone}/undo", "mina")
    assert document["since"] == undone + 1
    assert document["detail"].endswith(f"came after correction {undone}: only the GM can undo it now")


def test_no_refusal_offers_a_request_that_would_be_refused(table: Table) -> None:
    """An action of the story can be asked for, a correction cannot."""
    mine = table.done({"type": "end_turn"}, "mina")["action"]
    assert (
        "an undo request" in refused(table, 403, "not-your-action", f"/actions/{mine}/undo", "noel")["detail"]
    )
    undone = done(table, f"/actions/{mine}/undo")["action"]
    assert (
        "request" not in refused(table, 403, "not-your-action", f"/actions/{undone}/undo", "mina")["detail"]
    )
    asking = refused(table, 409, "nothing-to-undo", "/undo-requests", "mina", target=undone)["detail"]
    assert asking == (
        f"Action {undone} is not part of the story: a request is for the undo of an action of the story"
    )


@pytest.mark.parametrize("kind", ["undo", "redo"])
def test_a_correction_that_was_taken_back_says_what_to_undo_to_have_it_again(table: Table, kind: str) -> None:
    mine = table.done({"type": "end_turn"}, "mina")["action"]
    undone = done(table, f"/actions/{mine}/undo")["action"]
    back = done(table, f"/actions/{undone}/undo")["action"]
    document = refused(table, 409, "already-undone", f"/actions/{undone}/{kind}")
    assert (document["action"], document["by"]) == (undone, back)
    assert document["detail"].endswith(f"by action {back}: undo action {back} to have it again")
    done(table, f"/actions/{back}/undo")
    assert table.get(f"/actions/{mine}")["status"] == "undone"


def test_a_player_amends_only_to_what_they_may_do(table: Table) -> None:
    mine = table.done({"type": "conceal_dagger", "duellist": "ada"}, "mina")["action"]
    other = {"type": "conceal_dagger", "duellist": "ben"}
    refused(table, 403, "not-allowed", f"/actions/{mine}/amend", "mina", command=other)
    done(table, f"/actions/{mine}/amend", "mina", command={"type": "end_turn"})
    assert table.get("/state")["state"]["current"] == "ben"


ANNOUNCE: dict[str, Any] = {"type": "announce", "actor": "zadie", "kind": "maneuver"}
TOO_MANY: dict[str, Any] = {"type": "maneuver", "actor": "zadie", "action_dice": 5}
"""Legal, and two action dice more than a maneuver takes."""


def test_a_player_passes_over_no_rule_by_amending(server: Server) -> None:
    """What only the GM may allow is allowed by nobody else on the way round an amendment."""
    table = conflict(server)
    mine = table.done(ANNOUNCE, "mina")["action"]
    part, codes = f"/actions/{mine}/amend", ["too-many-action-dice"]
    for dry_run in (True, False):
        refused(table, 403, "not-allowed", part, "mina", command=TOO_MANY, overrule=codes, dry_run=dry_run)
    refused(table, 422, "too-many-action-dice", part, "mina", command=TOO_MANY)
    done(table, part, command=TOO_MANY, overrule=codes)


def test_what_the_gm_passed_over_in_an_action_is_not_passed_over_in_another(server: Server) -> None:
    """A player may still take it back, but not put another command in the shelter of the GM's ruling."""
    table = conflict(server)
    mine = table.done(ANNOUNCE, "mina")["action"]
    ruled = {**ANNOUNCE, "kind": "strike"}
    done(table, f"/actions/{mine}/amend", command=ruled, overrule=["too-many-action-dice"])
    document = refused(table, 403, "not-allowed", f"/actions/{mine}/amend", "mina", command=TOO_MANY)
    assert "too-many-action-dice" in document["detail"]
    done(table, f"/actions/{mine}/undo", "mina")


def test_the_gm_takes_back_anything(table: Table) -> None:
    rolled = table.done({"type": "roll", "count": 3, "purpose": "luck"}, "mina")["action"]
    table.done({"type": "end_turn"}, "mina")
    done(table, f"/actions/{rolled}/undo")
    done(table, "/actions/1/undo", mode="cascade")
    assert "ada" not in table.get("/state")["state"]["duellists"]


# --- requests -----------------------------------------------------------------------------------------------


def asked(table: Table, target: int, as_: str = "mina", reason: str = "") -> int:
    number: int = done(table, "/undo-requests", as_, target=target, reason=reason)["action"]
    return number


def test_a_request_is_shown_to_everybody_until_it_is_settled(table: Table) -> None:
    """Who asks, what for, and that it is settled, is told to all the same (online-go.com#3538)."""
    target = table.done({"type": "roll", "count": 1, "purpose": "luck"}, "mina")["action"]
    number = asked(table, target, reason="the wrong die")
    for role in ("gm", "mina", "noel", "watcher"):
        shown = table.get("/undo-requests", role)["request"]
        assert shown == {"number": number, "target": target, "by": "mina"}
        assert table.get(f"/actions/{number}", role)["line"].startswith(
            f"mina asks the GM to undo action {target}"
        )
    done(table, f"/undo-requests/{number}/deny", reason="it lay on the table")
    for role in ("gm", "mina", "noel", "watcher"):
        assert table.get("/undo-requests", role)["request"] is None
        last = table.get("/events?limit=500", role)["events"][-1]
        assert (last["type"], last["data"]["outcome"]) == ("core.undo-request-closed", "denied")
    document = refused(table, 409, "no-such-request", f"/undo-requests/{number}/approve")
    assert document["request"] == number


def test_approved_a_request_is_the_undo_it_asked_for(table: Table) -> None:
    before = table.get("/state")["state"]
    target = table.done({"type": "attack", "attacker": "ada", "target": "ben"}, "mina")["action"]
    number = asked(table, target)
    approved = done(table, f"/undo-requests/{number}/approve", reason="granted")
    assert table.get("/state")["state"] == before
    assert [event["type"] for event in approved["events"]] == [
        "core.action-taken", "core.note-added", "core.action-undone", "core.undo-request-closed",
    ]  # fmt: skip
    assert approved["events"][-1]["data"] == {"request": number, "outcome": "approved"}
    assert table.get("/verification")["ok"]


def test_only_the_gm_settles_and_whoever_asked_cancels(table: Table) -> None:
    target = table.done({"type": "end_turn"}, "mina")["action"]
    number = asked(table, target)
    for verdict in ("approve", "deny"):
        for role in ("mina", "noel"):
            refused(table, 403, "not-allowed", f"/undo-requests/{number}/{verdict}", role)
    refused(table, 403, "not-allowed", f"/undo-requests/{number}/cancel", "noel")
    done(table, f"/undo-requests/{number}/cancel", "mina")
    assert table.get("/undo-requests")["request"] is None
    done(table, f"/undo-requests/{asked(table, target)}/cancel")


@pytest.mark.parametrize(
    "part, as_, line",
    [
        ("/undo-requests/{number}/deny", "gm", "The GM denies the request made as action {number}"),
        ("/undo-requests/{number}/cancel", "mina", "mina cancels the request made as action {number}"),
        ("/undo-requests/{number}/cancel", "gm", "The GM cancels the request made as action {number}"),
        (
            "/actions/{target}/undo",
            "gm",
            "The GM undoes action {target}; settles the request made as action {number} otherwise",
        ),
    ],
)
def test_the_line_of_a_settled_request_says_who_settled_it(
    table: Table, part: str, as_: str, line: str
) -> None:
    target = table.done({"type": "roll", "count": 1, "purpose": "luck"}, "mina")["action"]
    names = {"target": target, "number": asked(table, target)}
    settled = done(table, part.format(**names), as_)["action"]
    for role in ("gm", "mina", "noel", "watcher"):
        assert table.get(f"/actions/{settled}", role)["line"] == line.format(**names)


def test_one_request_is_open_at_a_time(table: Table) -> None:
    target = table.done({"type": "end_turn"}, "mina")["action"]
    number = asked(table, target)
    document = refused(table, 409, "undo-request-open", "/undo-requests", "noel", target=target)
    assert (document["request"], document["target"]) == (number, target)
    done(table, f"/undo-requests/{number}/deny")
    asked(table, target, "noel")


def test_the_gm_asks_nobody(table: Table) -> None:
    refused(table, 403, "not-allowed", "/undo-requests", target=3)


def test_a_request_stays_bound_to_what_it_asked_for(table: Table) -> None:
    """When somebody acts meanwhile, approving still means the mistake and never the later action (lila#1855)."""
    table.done({"type": "adjust", "duellist": "ada", "hp": -3, "reason": "a wound"})
    target = table.done({"type": "conceal_dagger", "duellist": "ada"}, "mina")["action"]
    number = asked(table, target)
    later = table.done({"type": "draw_dagger", "duellist": "ada"}, "mina")["action"]
    document = refused(table, 409, "history-conflict", f"/undo-requests/{number}/approve")
    assert [(each["action"], each["outcome"]) for each in document["touched"]] == [(later, "falls")]
    looked = post(table, f"/undo-requests/{number}/approve", dry_run=True, mode="rebase").json()
    assert (
        [each["action"] for each in looked["targets"]],
        [each["action"] for each in looked["consequences"]],
    ) == (
        [target],
        [later],
    )
    approved = done(table, f"/undo-requests/{number}/approve", mode="rebase")
    statuses = [table.get(f"/actions/{each}")["status"] for each in (target - 1, target, later)]
    assert statuses == ["standing", "undone", "undone"]
    assert table.get("/undo-requests")["request"] is None
    assert table.get(f"/actions/{approved['action']}")["line"].endswith(
        f"The GM undoes action {target}; with it goes action {later}; approves the request made as action {number}"
    )


def test_a_request_outlives_what_others_and_its_player_do(tmp_path: Path) -> None:
    """Neither notes nor actions nor a restart make it vanish (lila#17433)."""
    server = Server(tmp_path / "evening.db", admin_key=ADMIN_KEY)
    table = seated(server)
    target = table.done({"type": "end_turn"}, "mina")["action"]
    number = asked(table, target)
    table.done({"type": "note", "text": "sorry"}, "mina")
    table.done({"type": "conceal_dagger", "duellist": "ada"}, "mina")
    table.done({"type": "end_turn"}, "noel")
    assert table.get("/undo-requests")["request"]["number"] == number
    server.restart()
    assert table.get("/undo-requests")["request"]["number"] == number
    server.close()


@pytest.mark.parametrize("part", ["/actions/{target}/undo", "/undo", "/actions/1/undo"])
def test_a_request_is_superseded_when_its_action_is_undone_otherwise(table: Table, part: str) -> None:
    """It is closed by an event that says so, never silently (lila#17433)."""
    target = table.done({"type": "end_turn"}, "mina")["action"]
    number = asked(table, target)
    undone = done(table, part.format(target=target), **({"mode": "cascade"} if "/1/" in part else {}))
    assert undone["events"][-1]["data"] == {"request": number, "outcome": "superseded"}
    assert table.get("/undo-requests")["request"] is None
    assert table.get("/verification")["ok"]


def test_a_request_ends_with_its_session_and_is_open_again_in_its_sequel(table: Table) -> None:
    target = table.done({"type": "end_turn"}, "mina")["action"]
    number = asked(table, target)
    assert table.ask("POST", "/close").status_code == 201
    for role in ("gm", "mina", "watcher"):
        assert table.get("/undo-requests", role)["request"] is None
    refused(table, 409, "session-closed", f"/undo-requests/{number}/deny")
    opened = table.ask("POST", "/forks", json={"as": "sequel"}).json()
    sequel = Table(table.server, opened["id"], {"gm": opened["gm_token"]})
    assert sequel.get("/undo-requests")["request"] == {"number": number, "target": target, "by": "mina"}
    assert done(sequel, f"/undo-requests/{number}/deny")["events"][-1]["data"]["outcome"] == "denied"
    assert sequel.get("/verification")["ok"]


def test_a_request_for_an_answer_is_superseded_with_what_asked(table: Table) -> None:
    table.done({"type": "attack", "attacker": "ada", "target": "ben"}, dice=[1, 1, 1])
    answer = table.done({"type": "defend", "question": "q1", "defense": "none"}, "noel")["action"]
    number = asked(table, answer, "noel")
    undone = done(table, f"/actions/{answer - 1}/undo")
    assert undone["events"][-1]["data"] == {"request": number, "outcome": "superseded"}


def test_what_can_be_asked_for_is_what_can_be_undone(table: Table) -> None:
    note = table.done({"type": "note", "text": "hm"}, "mina")["action"]
    refused(table, 409, "nothing-to-undo", "/undo-requests", "mina", target=note)
    refused(table, 409, "nothing-to-undo", "/undo-requests", "mina", target=0)
    refused(table, 404, "unknown-action", "/undo-requests", "mina", target=99)
    target = table.done({"type": "end_turn"}, "mina")["action"]
    done(table, f"/actions/{target}/undo")
    refused(table, 409, "already-undone", "/undo-requests", "mina", target=target)


def test_what_a_correction_touches_is_told_in_lines_by_every_route(table: Table) -> None:
    """As a command among the actions, at the action's own address, and as an approved request."""
    first = table.done({"type": "end_turn"}, "mina")["action"]
    last = table.done({"type": "end_turn"}, "noel")["action"]
    number = done(table, "/undo-requests", "mina", target=first)["action"]
    line = table.get(f"/actions/{last}")["line"]
    for part, body in (
        ("/actions", {"command": {"type": "undo", "target": first}}),
        (f"/actions/{first}/undo", {}),
        (f"/undo-requests/{number}/approve", {}),
    ):
        document = refused(table, 409, "history-conflict", part, **body)
        assert [(each["action"], each["line"]) for each in document["touched"]] == [(last, line)]
