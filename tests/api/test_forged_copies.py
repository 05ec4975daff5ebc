"""A forged copy is refused with nothing stored, or it is a session like any other: every route reads it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import httpx
import pytest
from forging import Line, chained_anew, forged, lines_of
from serving import ADMIN_KEY, ROUTES, SESSION, Server, Table, conflict, seated

READINGS = (
    *(route.path.removeprefix(SESSION) for route in ROUTES if route.method == "GET" and route.path.startswith(SESSION)),
    "/actions?limit=200", "/export?format=csv", "/export?format=markdown", "/export?format=text", "/audit?format=csv",
    "/events?limit=500", "/feed?after=0", "/feed?format=state", "/state?corrected=true&at=4", "/diff?from=1&to=4",
    "/replay?speed=100&from=9", "/replay?corrected=true",
)  # fmt: skip
FORGERIES = 60
"""Forgeries tried of each log."""


def a_duel(server: Server) -> Table:
    """Questions and answers, a ruling, rolls, corrections of every kind, a request, and words that were removed."""
    table = seated(server)
    table.done({"type": "attack", "attacker": "ada", "target": "ben"}, dice=[3, 3, 3])
    table.done({"type": "defend", "question": "q1", "defense": "none"}, "noel")
    table.done({"type": "throw_damage", "question": "q2"}, dice=[2])
    ruling = {"overrule": ["not-your-turn"], "text": "a riposte"}
    table.done({"type": "attack", "attacker": "ben", "target": "ada"}, dice=[6, 6, 6], **ruling)
    table.done({"type": "note", "text": "a real name", "about": 4}, "mina")
    table.done({"type": "roll", "count": 2, "purpose": "luck"}, "mina", visible_to="self")
    for part, body, role in (
        ("/redactions", {"seq": table.version - 2}, "gm"),
        ("/actions/2/amend", {"command": {**BEN, "skill": 12}, "mode": "rebase"}, "gm"),
        ("/undo", {"mode": "rebase"}, "gm"),
        ("/actions/12/redo", {"mode": "rebase"}, "gm"),
        ("/actions", {"command": LUCK, "before": 7, "mode": "rebase"}, "gm"),
        ("/undo-requests", {"target": 4, "reason": "the wrong one"}, "mina"),
        ("/settings", {"redraw_after_undo": "same"}, "gm"),
    ):
        answer = table.ask("PATCH" if part == "/settings" else "POST", part, role, json=body)
        assert answer.status_code in {200, 201}, answer.text
    return table


BEN = {"type": "add_duellist", "id": "ben", "side": "blue"}
LUCK = {"type": "roll", "count": 1, "purpose": "luck"}


def a_closed_fork(server: Server) -> Table:
    """A conflict of Anima Prime that went on as another session, with its dice thrown again, and was closed."""
    table = conflict(server)
    table.done({"type": "maneuver", "actor": "zadie", "action_dice": 2})
    forked = table.ask("POST", "/forks", json={"title": "What if"}).json()
    fork = Table(server, forked["id"], {"gm": forked["gm_token"]})
    fork.ask("PATCH", "/settings", json={"table_dice": "off"})
    assert fork.ask("POST", "/undo", json={"mode": "rebase"}).status_code == 201
    fork.done({"type": "maneuver", "actor": "zadie", "action_dice": 2})
    fork.done({"type": "note", "text": "again"})
    assert fork.ask("POST", "/close", json={"text": "good night"}).status_code == 201
    return fork


def under_forgotten_rules(lines: list[Line]) -> list[Line]:
    """The log as if it was recorded under rules that nobody decides any more."""
    opening = lines[1]
    opened = {**opening, "data": {**opening["data"], "rules": 99}}
    return [{**lines[0], "rules": 99}, opened, *lines[2:]]


def taken_in(server: Server, lines: list[Line], session: str) -> httpx.Response:
    """What comes of the copy under another id; a fork keeps its own, under which its dice fell, and is forked again."""
    is_fork, headers = "log" in lines[0], {"Content-Type": "application/x-ndjson"}
    copy = chained_anew(lines, "" if is_fork else session)
    path = f"/sessions/import{'?as=fork' if is_fork else ''}"
    return server.ask("POST", path, ADMIN_KEY, content=copy, headers=headers)


def listed(server: Server) -> list[str]:
    return [each["id"] for each in server.ask("GET", "/sessions?limit=200", ADMIN_KEY).json()["sessions"]]


def reads(table: Table, seed: int | None = None) -> None:
    """Every route that reads the session answers, and whatever is told to its end comes to an end."""
    for part in READINGS:
        answer = table.ask("GET", part.format(number=2, hook="gone"))
        assert answer.status_code < 500, (seed, part, answer.text)
        if part.startswith("/replay"):
            assert b'"reason":"done"' in answer.content, (seed, part, answer.text[-300:])
        if part.startswith("/feed"):
            assert b'"reason":"broken"' not in answer.content, (seed, part)
    for number in range(table.get()["action"] + 1):
        assert table.ask("GET", f"/actions/{number}").status_code in {200, 404}, (seed, number)
    assert isinstance(table.get("/verification")["ok"], bool)


def tried(server: Server, lines: list[Line], seed: int) -> bool:
    """Whether a forgery is taken in; refused or not, it breaks nothing."""
    before = listed(server)
    answer = taken_in(server, forged(Random(seed), lines), f"forged-{seed}")
    if answer.status_code != 201:
        assert answer.status_code == 422, (seed, answer.text)
        assert answer.json()["code"] == "import-refused", (seed, answer.text)
        assert answer.json()["detail"], seed
        assert listed(server) == before
        return False
    reads(Table(server, answer.json()["id"], {"gm": answer.json()["gm_token"]}), seed)
    return True


@pytest.mark.parametrize("forgotten", [False, True], ids=["", "forgotten-rules"])
@pytest.mark.parametrize("recorded", [a_duel, a_closed_fork])
def test_a_forged_copy_is_refused_or_is_read_by_every_route(
    server: Server,
    recorded: Callable[[Server], Table],
    monkeypatch: pytest.MonkeyPatch,
    *,
    forgotten: bool,
) -> None:
    """The chain is made anew after each change, so that only what the log says can tell."""
    if forgotten:  # rules 99 were released once
        monkeypatch.setattr("rulesets.contract.Ruleset.is_newer", lambda _, number: number > 99)
    lines = lines_of(recorded(server).ask("GET", "/export").content)
    lines = under_forgotten_rules(lines) if forgotten else lines
    whole = taken_in(server, lines, "whole")
    assert whole.status_code == 201, whole.text
    reads(Table(server, whole.json()["id"], {"gm": whole.json()["gm_token"]}))
    told = [tried(server, lines, seed) for seed in range(FORGERIES)]
    assert not all(told)
