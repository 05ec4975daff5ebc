"""Corrections of what is hidden tell nothing to those who may not know of it; but for that it works as elsewhere."""

from typing import Any

import pytest
from serving import (
    HIDDEN_GOAL,
    HIDDEN_GOAL_ID,
    HIDDEN_ID,
    HIDDEN_NAME,
    HIDDEN_NOTE,
    HIDDEN_ROLL,
    Server,
    Table,
    conflict,
    problem,
    with_hidden_goal,
)

CANARIES = (HIDDEN_ID, HIDDEN_NAME, HIDDEN_NOTE, HIDDEN_ROLL, HIDDEN_GOAL, HIDDEN_GOAL_ID, "canary")
OTHERS = ("mina", "noel", "watcher", "bot")
READ = (
    "/state", "/actions", "/choices", "/events?limit=500", "/statistics", "/verification", "/export",
    "/undo-requests", "/state?at=4", "/state?at=4&corrected=true", "/diff?from=3", "/diff?from=3&corrected=true",
)  # fmt: skip
SECRET, ROLL = 4, 6
"""The actions by which the canary came, and by which the GM rolled for it."""


def said_to(table: Table, role: str) -> str:
    """Everything somebody is told by any route that reads, and by each line of the timeline."""
    parts = [*READ, *(f"/actions/{number}" for number in range(table.server.store.head(table.id).action + 1))]
    return "\n".join(table.ask("GET", part, role).text for part in parts).casefold()


def knows_nothing(table: Table) -> None:
    for role in OTHERS:
        said = said_to(table, role)
        assert not [canary for canary in CANARIES if canary.casefold() in said], role
        verified = table.get("/verification", role)
        assert verified["ok"], verified


def correct(table: Table, part: str, as_: str = "gm", **body: Any) -> Any:
    return table.ask("POST", part, as_, json=body)


HIDDEN: tuple[tuple[str, dict[str, Any]], ...] = (
    (f"/actions/{SECRET}/undo", {"reason": "the canary was a mistake"}),
    (f"/actions/{ROLL}/undo", {"reason": "no canary today"}),
    (
        f"/actions/{SECRET}/amend",
        {
            "command": {
                "type": "add_duellist", "id": HIDDEN_ID, "name": HIDDEN_NAME, "side": "blue", "skill": 8,
                "secret": True,
            },
            "reason": "a weaker canary",
        },
    ),
    (f"/actions/{ROLL}/amend", {"command": {"type": "roll", "count": 2, "purpose": HIDDEN_ROLL}}),
)  # fmt: skip


@pytest.mark.parametrize("part, body", HIDDEN, ids=lambda each: each if isinstance(each, str) else "")
def test_a_hidden_action_is_corrected_and_nobody_else_is_told(
    secret_table: Table, part: str, body: dict[str, Any]
) -> None:
    answer = correct(secret_table, part, **body)
    assert answer.status_code == 201, answer.text
    number = answer.json()["action"]
    knows_nothing(secret_table)
    for role in OTHERS:
        problem(secret_table.ask("GET", f"/actions/{number}", role), 404, "unknown-action")
        page = secret_table.get("/events", role, params={"limit": 500})["events"]
        assert all("type" not in event for event in page[-len(answer.json()["events"]) :])
    assert correct(secret_table, f"/actions/{number}/undo", reason="the canary again").status_code == 201
    knows_nothing(secret_table)


@pytest.mark.parametrize("mode", ["rebase", "cascade"])
def test_what_follows_in_the_open_is_told_and_its_hidden_cause_is_not(secret_table: Table, mode: str) -> None:
    """The canary stepped out; undoing its entrance takes that along for everybody to see, and no more is seen."""
    secret_table.done({"type": "conceal_dagger", "duellist": HIDDEN_ID})
    secret_table.done({"type": "adjust", "duellist": "ada", "hp": -1, "reason": "a fall"})
    answer = correct(secret_table, f"/actions/{SECRET}/undo", mode=mode, reason="no canary")
    assert answer.status_code == 201, answer.text
    knows_nothing(secret_table)
    assert secret_table.get("/state")["state"]["duellists"]["ada"]["hp"] == 9


def test_a_visible_consequence_of_a_hidden_correction_is_told_without_its_cause(table: Table) -> None:
    """A dagger up a sleeve: hidden while concealed, seen when drawn."""
    table.done({"type": "conceal_dagger", "duellist": "ada"}, "mina")
    table.done({"type": "draw_dagger", "duellist": "ada"}, "mina")
    undone = correct(table, "/actions/4/undo", mode="rebase", reason="a slip of the sleeve").json()
    for role in ("noel", "watcher"):
        said = said_to(table, role)
        assert "slip of the sleeve" not in said
        assert '"target":4' not in said
        line = table.get(f"/actions/{undone['action']}", role)
        assert (line["type"], line["line"]) == (
            None,
            "The GM undoes what could not stand; with it goes action 5",
        )
        told = table.get("/events", role, params={"limit": 500})["events"]
        assert line["by"] in [event["by"] for event in told if event.get("action") == undone["action"]]
        assert table.get("/actions/5", role)["status"] == "undone"
    assert "slip of the sleeve" in said_to(table, "mina")


@pytest.mark.parametrize("kind", ["undo", "redo", "amend"])
def test_for_a_player_a_hidden_action_is_no_action(secret_table: Table, kind: str) -> None:
    """Its number is refused like one that was never given."""
    body: dict[str, Any] = {"command": {"type": "end_turn"}} if kind == "amend" else {}
    for dry_run in (False, True):
        details = set()
        for number in (SECRET, ROLL, 99):
            answer = correct(secret_table, f"/actions/{number}/{kind}", "mina", **body, dry_run=dry_run)
            refused = problem(answer, 404, "unknown-action")
            assert (refused["action"], "last" in refused) == (number, False)
            details.add(refused["detail"].replace(f"action {number}", "action N"))
        assert details == {"There is no action N here"}


def test_a_player_asks_for_no_undo_of_what_they_cannot_see(secret_table: Table) -> None:
    for number in (SECRET, ROLL, 99):
        problem(correct(secret_table, "/undo-requests", "mina", target=number), 404, "unknown-action")


@pytest.mark.parametrize("part", ["/undo", "/actions/4/undo"])
def test_what_a_player_cannot_see_did_not_come_after_what_they_did(table: Table, part: str) -> None:
    """The last action is the last they see; the GM's roll behind the screen stays where it is."""
    table.done({"type": "end_turn"}, "mina")
    hidden = table.done({"type": "roll", "count": 1, "purpose": HIDDEN_ROLL}, visible_to="gm")["action"]
    assert correct(table, part, "mina", dry_run=True).json()["consequences"] == []
    assert correct(table, part, "mina").status_code == 201
    assert table.get("/actions/4")["status"] == "undone"
    assert table.get(f"/actions/{hidden}")["status"] == "standing"
    assert table.get("/verification")["ok"]


@pytest.mark.parametrize("part", ["/undo", "/actions/4/undo", "/actions/5/undo"])
def test_the_gm_takes_back_nothing_they_cannot_see(table: Table, part: str) -> None:
    """A roll somebody made for themselves: the last action is the one before it, and its number is no number."""
    table.done({"type": "end_turn"}, "mina")
    own = table.done({"type": "roll", "count": 1, "purpose": "my luck"}, "mina", visible_to="self")["action"]
    assert own == 5
    for dry_run in (True, False):
        answer = correct(table, part, dry_run=dry_run)
        if "5" in part:
            unseen = problem(answer, 404, "unknown-action")["detail"]
            never = problem(correct(table, "/actions/99/undo", dry_run=dry_run), 404, "unknown-action")
            assert unseen == never["detail"].replace("99", "5")
        else:
            assert answer.status_code == (200 if dry_run else 201), answer.text
    assert table.get("/actions/5", "mina")["status"] == "standing"
    assert table.get("/actions/4")["status"] == ("standing" if "5" in part else "undone")
    assert table.get("/verification")["ok"]


@pytest.mark.parametrize("kind", ["undo", "redo", "amend", "before"])
def test_for_the_gm_too_what_they_cannot_see_is_no_action(table: Table, kind: str) -> None:
    own = table.done({"type": "roll", "count": 1, "purpose": "my luck"}, "mina", visible_to="self")["action"]
    details = set()
    for number in (own, 99):
        for dry_run in (True, False):
            body: dict[str, Any] = {"dry_run": dry_run}
            if kind in ("amend", "before"):
                body["command"] = {"type": "end_turn"}
            part = "/actions" if kind == "before" else f"/actions/{number}/{kind}"
            answer = correct(table, part, **body, **({"before": number} if kind == "before" else {}))
            details.add(problem(answer, 404, "unknown-action")["detail"].replace(str(number), "N", 1))
    assert len(details) == 1


def test_a_request_about_a_private_action_is_private_with_its_verdict(table: Table) -> None:
    rolled = table.done(
        {"type": "roll", "count": 1, "purpose": "a secret of Mina's"}, "mina", visible_to="self+gm"
    )
    asked = correct(table, "/undo-requests", "mina", target=rolled["action"], reason="in private")
    assert asked.status_code == 201, asked.text
    assert table.get("/undo-requests", "mina")["request"]["target"] == rolled["action"]
    assert table.get("/undo-requests", "noel")["request"] is None
    other = table.done({"type": "end_turn"}, "mina")
    open_ = problem(
        correct(table, "/undo-requests", "noel", target=other["action"]), 409, "undo-request-open"
    )
    assert not {"request", "target"} & set(open_)
    denied = correct(table, f"/undo-requests/{asked.json()['action']}/deny", reason="no")
    assert denied.status_code == 201
    seen = {
        role: "undo-request" in table.ask("GET", "/events?limit=500", role).text for role in (*OTHERS, "gm")
    }
    assert seen == {"mina": True, "noel": False, "watcher": False, "bot": False, "gm": True}


def test_what_would_become_of_a_hidden_action_is_foretold_to_those_who_see_it(table: Table) -> None:
    """A roll of the GM's would have other words: in the look ahead, in the refusal, and in the line that remains."""
    table.done({"type": "adjust", "duellist": "ada", "hp": -1, "reason": "a fall"})
    rolled = table.done({"type": "roll", "count": 1, "purpose": HIDDEN_ROLL}, visible_to="gm", dice=[5])
    other = {"command": {"type": "roll", "count": 1, "purpose": f"{HIDDEN_ROLL} again"}, "dice": [6]}
    looked = correct(table, f"/actions/{rolled['action']}/amend", **other, dry_run=True).json()
    assert looked["targets"][0]["line"].endswith(f"rolls 1d6 for {HIDDEN_ROLL}: 5")
    assert looked["targets"][0]["becomes"].endswith(f"rolls 1d6 for {HIDDEN_ROLL} again: 6")
    amended = correct(table, f"/actions/{rolled['action']}/amend", **other).json()
    told = table.get(f"/actions/{amended['action']}")
    assert told["reworded"] == [
        {
            "number": rolled["action"],
            "was": looked["targets"][0]["line"],
            "now": looked["targets"][0]["becomes"],
        }
    ]
    knows_nothing(table)


def test_whoever_corrects_what_they_could_not_see_reads_of_their_own_correction(table: Table) -> None:
    """The GM takes a roll back that its player alone saw: they read what they did, and not what it was."""
    rolled = table.done({"type": "roll", "count": 1, "purpose": "my luck"}, "mina", visible_to="self")
    asked = correct(table, "/undo-requests", "mina", target=rolled["action"]).json()
    approved = correct(table, f"/undo-requests/{asked['action']}/approve", reason="as you wish").json()
    assert table.ask("GET", f"/actions/{approved['action']}", "noel").status_code == 404
    seen = {who: table.get(f"/actions/{approved['action']}", who) for who in ("gm", "mina")}
    for who in ("gm", "mina"):
        assert seen[who]["by"]["role"] == "gm"
        assert seen[who]["type"] == "settle_undo_request"
        assert f"approves the request made as action {asked['action']}" in seen[who]["line"]
        assert [note["text"] for note in seen[who]["notes"]] == ["as you wish"]
    assert "core.action-taken" in [event.get("type") for event in approved["events"]]
    assert f"undoes action {rolled['action']}" in seen["mina"]["line"]
    assert seen["gm"]["line"] == f"The GM approves the request made as action {asked['action']}"
    assert "my luck" not in table.ask("GET", "/actions").text


def test_answers_sent_for_a_hidden_action_are_hidden(table: Table) -> None:
    """What goes along with a correction is read by those alone who may read what it is for."""
    table.done({"type": "adjust", "duellist": "ada", "hp": -1, "reason": "a fall"})
    rolled = table.done({"type": "roll", "count": 1, "purpose": HIDDEN_ROLL}, visible_to="gm", dice=[5])
    assert correct(table, "/actions/4/undo", through=True).status_code == 201
    answer = correct(table, "/actions/4/redo", **{"with": [{"action": rolled["action"], "answers": []}]})
    assert answer.status_code == 201, answer.text
    knows_nothing(table)


def test_what_a_hidden_character_did_is_undone_and_only_its_effect_is_seen_to_go(server: Server) -> None:
    """The wound was seen, the hand was not; not even whose dice fall again is told."""
    table = conflict(server)
    with_hidden_goal(table)
    table.done({"type": "enter", "character": HIDDEN_ID})
    table.done({"type": "adjust", "character": HIDDEN_ID, "changes": {"strike": 6}, "reason": "it waited"})
    table.done({"type": "end_turn"})
    struck = {"type": "strike", "actor": HIDDEN_ID, "targets": ["zadie"], "strike_dice": 6}
    action = table.done(struck)["action"]
    knows_nothing(table)
    undone = correct(table, f"/actions/{action}/undo", reason="the canary did not sing")
    assert undone.status_code == 201, undone.text
    knows_nothing(table)
    table.done(struck)
    knows_nothing(table)
    assert correct(table, f"/actions/{action - 1}/undo", mode="rebase").status_code == 201
    knows_nothing(table)


def test_looking_ahead_tells_no_faces_of_dice_somebody_rolled_for_themselves(table: Table) -> None:
    """The GM could guess what a player rolled for and let the amendment be told."""
    roll = {"type": "roll", "count": 2, "purpose": "nerve"}
    number = table.done(roll, "mina", visible_to="self")["action"]
    body = {"command": {**roll, "count": 3}, "dry_run": True}
    problem(correct(table, f"/actions/{number}/amend", **body), 404, "unknown-action")
    own = table.get(f"/actions/{number}", "mina")
    assert len(own["rolls"][0]["dice"]) == 2
