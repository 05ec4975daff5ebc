"""Overlays: a token that may stand in an address and opens nothing else, and the page it opens."""

import base64
import hashlib
import re
from typing import Any

import pytest
from listening import Ear, listen, wait
from serving import (
    ADMIN_KEY,
    HIDDEN_NAME,
    HIDDEN_NOTE,
    HIDDEN_ROLL,
    ROUTES,
    Server,
    Table,
    call,
    problem,
    seated,
)

from projections.rolls import MOST_READ, before_last_roll
from rulesets.people import GM, OBSERVER

ORIGIN = "https://overlay.example"


@pytest.fixture
def screen(secret_table: Table) -> Table:
    """A table with an overlay at it."""
    secret_table.tokens["screen"] = secret_table.invite("overlay", "screen")
    return secret_table


def page(table: Table, token: str | None, **params: str) -> Any:
    return table.server.ask("GET", f"/sessions/{table.id}/overlay", params={"token": token or "", **params})


def test_an_overlay_follows_with_its_token_in_the_address(screen: Table) -> None:
    path = f"/sessions/{screen.id}/feed"
    in_address = Ear(screen.server, path, params={"token": str(screen.tokens["screen"]), "after": "0"})
    in_header = listen(screen, "screen", after="0")
    as_tool = listen(screen, "bot", after="0")
    shown = screen.get("/events", "bot", params={"limit": 500})["events"]
    told = sum("type" in event for event in shown)
    assert told >= 5
    for ear in (in_address, in_header, as_tool):
        ear.hear("event", told)
    wait(screen.server, 0.1)
    assert in_address.frames == in_header.frames == as_tool.frames
    assert HIDDEN_NAME not in in_address.text
    assert HIDDEN_NOTE not in in_address.text


@pytest.mark.parametrize("as_", ["gm", "mina", "watcher", "bot", "admin"])
def test_no_other_token_is_taken_from_an_address(screen: Table, as_: str) -> None:
    """Addresses stand in histories and logs; only a token that can do nothing else may be there."""
    token = str(screen.tokens[as_])
    for part in ("feed", "overlay", "state"):
        asked = screen.server.ask("GET", f"/sessions/{screen.id}/{part}", params={"token": token})
        problem(asked, 401, "not-identified")
    problem(screen.server.ask("GET", "/feed", params={"token": token}), 401, "not-identified")


@pytest.mark.parametrize("token", ["gm", "watcher", "tt_wrong"])
def test_who_puts_another_token_into_the_address_is_told_which_one_to_ask_for(
    screen: Table, token: str
) -> None:
    """In the same words for every token, good or not, of a session that is there or not."""
    token = str(screen.tokens.get(token, token))
    asked = [f"/sessions/{session}/overlay" for session in (screen.id, "nowhere")]
    told = [
        problem(screen.server.ask("GET", path, params={"token": token}), 401, "not-identified")
        for path in asked
    ]
    assert "invite of the role `overlay`" in told[0]["detail"]
    assert told[0] == told[1]


def test_an_overlay_token_opens_the_feed_and_the_page_and_nothing_else(screen: Table) -> None:
    may = {("GET", f"/sessions/{{session}}/{part}") for part in ("feed", "overlay")}
    token = {"token": str(screen.tokens["screen"])}
    for route in [each for each in ROUTES if "{session}" in each.path]:
        allowed = (route.method, route.path) in may
        assert (call(screen, route, "screen").status_code == 200) is allowed, route
        if not allowed:
            path = re.sub(r"\{\w+\}", "2", route.path.replace("{session}", screen.id))
            sent = screen.server.ask(route.method, path, params=token, json=route.body)
            problem(sent, 401, "not-identified")
    problem(screen.server.ask("GET", "/feed", screen.tokens["screen"]), 403, "not-allowed")


def test_an_overlay_of_another_session_is_refused(screen: Table) -> None:
    other = seated(screen.server)
    problem(page(other, screen.tokens["screen"]), 401, "not-identified")


def test_a_revoked_overlay_goes_dark(screen: Table) -> None:
    path, token = f"/sessions/{screen.id}/feed", str(screen.tokens["screen"])
    ear = Ear(screen.server, path, params={"token": token})
    invite = screen.get("/invites")["invites"][-1]
    assert (invite["role"], invite["name"]) == ("overlay", "screen")
    screen.ask("DELETE", f"/invites/{invite['id']}")
    assert ear.end()[-1].data["reason"] == "revoked"
    problem(page(screen, token), 401, "not-identified")


def test_the_page_brings_everything_and_runs_nothing_else(screen: Table) -> None:
    shown = page(screen, screen.tokens["screen"])
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    assert shown.headers["referrer-policy"] == "no-referrer"
    policy = shown.headers["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for part in ("script", "style"):
        (text,) = re.findall(rf"<{part}>(.*?)</{part}>", shown.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{part}-src 'sha256-{digest}'" in policy
    assert not re.findall(r"https?://|<link|<img|@import|url\(|\bon\w+=|\bstyle=", shown.text)
    assert str(screen.tokens["screen"]) not in shown.text
    assert not [secret for secret in (HIDDEN_NAME, HIDDEN_NOTE, HIDDEN_ROLL) if secret in shown.text]


def begins_after(table: Table) -> int:
    (number,) = re.findall(r'data-after="(\d+)"', page(table, table.tokens["screen"]).text)
    return int(number)


def test_the_page_begins_with_the_last_roll_everybody_may_see(screen: Table) -> None:
    assert begins_after(screen) == screen.version, "the only roll so far is hidden"
    rolled = screen.done({"type": "roll", "count": 2, "purpose": "the weather"})
    screen.done({"type": "roll", "count": 2, "purpose": "secret"}, visible_to="gm")
    screen.done({"type": "note", "text": '"roll":{ is no roll'})
    assert begins_after(screen) == rolled["version"] - 1
    store = screen.server.store
    assert before_last_roll(store, screen.id, GM) > before_last_roll(store, screen.id, OBSERVER)


def test_a_roll_long_ago_is_looked_for_so_far_and_no_further(table: Table) -> None:
    rolled = table.done({"type": "roll", "count": 2, "purpose": "the weather"})["version"]
    for _ in range(300):
        table.done({"type": "note", "text": "x"})
    assert before_last_roll(table.server.store, table.id, OBSERVER) == rolled - 1
    assert MOST_READ > 600


def test_a_browser_follows_from_a_listed_origin_only() -> None:
    server = Server(admin_key=ADMIN_KEY, allowed_origins=(ORIGIN,))
    try:
        table = seated(server)
        token = {"token": table.invite("overlay", "screen")}
        path = f"/sessions/{table.id}/feed"
        listed = Ear(server, path, params=token, headers={"Origin": ORIGIN})
        assert listed.answer["access-control-allow-origin"] == ORIGIN
        assert "access-control-allow-credentials" not in listed.answer
        for origin in ("https://evil.example", "null", f"{ORIGIN}.evil.example"):
            ear = Ear(server, path, params=token, headers={"Origin": origin})
            assert not [name for name in ear.answer if name.startswith("access-control")]
        before = server.ask(
            "OPTIONS", path, headers={"Origin": ORIGIN, "Access-Control-Request-Headers": "last-event-id"}
        )
        assert "last-event-id" in before.headers["access-control-allow-headers"]
    finally:
        server.close()
