"""Filters: one that nothing can ever pass is refused and not answered with silence; none betrays what is hidden."""

from typing import Any

import pytest
from listening import Ear, listen
from serving import ADMIN_KEY, HIDDEN_ID, NOBODY_THERE, Server, Table, problem

TYPO = "duel.dice-roled"
ANOTHER_GAME = "anima-prime.maneuver-earned"


@pytest.mark.parametrize("wrong", [TYPO, ANOTHER_GAME, "no.such-type", "dice-rolled", "core.Note-Added"])
def test_a_feed_of_a_type_this_game_does_not_have_is_refused(table: Table, wrong: str) -> None:
    ear = listen(table, types=f"core.note-added,{wrong}")
    assert (ear.status, ear.problem["code"]) == (422, "malformed-parameter")
    assert ear.problem["types"] == [wrong]
    assert wrong in ear.problem["detail"]


def test_the_refusal_names_the_types_there_are(table: Table) -> None:
    refused = listen(table, types=TYPO).problem
    assert "did you mean" in refused["detail"]
    assert {"core.dice-rolled", "duel.duel-begun"} <= set(refused["known"])
    assert ANOTHER_GAME not in refused["known"]
    assert refused["known"] == sorted(refused["known"])


def test_events_of_a_type_this_game_does_not_have_are_refused(table: Table) -> None:
    refused = problem(table.ask("GET", "/events", params={"type": TYPO}), 422, "malformed-parameter")
    assert refused["types"] == [TYPO]
    assert "duel.duel-begun" in refused["known"]


def test_the_feed_of_all_sessions_takes_the_types_of_every_game_installed(server: Server) -> None:
    ear = Ear(server, "/feed", ADMIN_KEY, params={"types": f"duel.duel-begun,{ANOTHER_GAME}"})
    assert ear.status == 200
    refused = Ear(server, "/feed", ADMIN_KEY, params={"types": TYPO}).problem
    assert refused["types"] == [TYPO]
    assert {"duel.duel-begun", ANOTHER_GAME} <= set(refused["known"])


def test_every_type_a_game_writes_may_be_asked_for(table: Table) -> None:
    """The list is that of the log itself: whatever was recorded is known."""
    table.done({"type": "attack", "attacker": "ada", "target": "ben"}, "mina")
    written = {event["type"] for event in table.get("/events", params={"limit": 500})["events"]}
    found = table.get("/events", params={"limit": 500, "type": ",".join(sorted(written))})
    assert {event["type"] for event in found["events"]} == written


def test_a_webhook_for_a_type_its_session_does_not_have_is_refused(table: Table) -> None:
    for types in ([TYPO], [ANOTHER_GAME]):
        asked = {"url": NOBODY_THERE, "types": types}
        refused = problem(table.ask("POST", "/webhooks", json=asked), 422, "malformed-body")
        assert refused["types"] == types
        assert "duel.duel-begun" in refused["known"]
    made = table.ask("POST", "/webhooks", json={"url": NOBODY_THERE}).json()
    changed = table.ask("PATCH", f"/webhooks/{made['id']}", json={"types": [ANOTHER_GAME]})
    assert problem(changed, 422, "malformed-body")["types"] == [ANOTHER_GAME]


def test_a_webhook_for_all_sessions_takes_the_types_of_every_game_installed(server: Server) -> None:
    asked = {"url": NOBODY_THERE, "types": ["duel.duel-begun", ANOTHER_GAME]}
    assert server.ask("POST", "/webhooks", ADMIN_KEY, json=asked).status_code == 201
    asked["types"] = [TYPO]
    problem(server.ask("POST", "/webhooks", ADMIN_KEY, json=asked), 422, "malformed-body")


def test_of_a_game_that_is_not_installed_every_type_is_taken(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log can be followed still, and nobody here can say which types it has."""
    monkeypatch.setattr("api.narrowing.installed", dict)
    assert table.ask("GET", "/events", params={"type": f"core.note-added,{TYPO}"}).status_code == 200
    refused = table.ask("GET", "/events", params={"type": ANOTHER_GAME})
    assert problem(refused, 422, "malformed-parameter")["types"] == [ANOTHER_GAME]


@pytest.mark.parametrize("as_", ["gm", "mina", "watcher"])
def test_a_filter_by_somebody_hidden_is_answered_like_one_by_nobody(secret_table: Table, as_: str) -> None:
    """Whoever is not at the table yet may come, so that any id is waited for: a refusal would tell who is there."""
    for part in ("/feed", "/actions"):
        answers = [
            secret_table.ask("GET", part, as_, params={"character": character})
            for character in (HIDDEN_ID, "nobody-at-all", "ada")
        ]
        assert [answer.status_code for answer in answers] == [200, 200, 200]


@pytest.mark.parametrize("wrong", ["Ada", "ada and ben", "ada\n", "a" * 41, "7", "é"])
def test_a_filter_by_what_is_no_id_is_refused(table: Table, wrong: str) -> None:
    for part in ("/feed", "/actions"):
        asked = table.ask("GET", part, params={"character": wrong})
        assert problem(asked, 422, "malformed-parameter")["parameter"] == "character"


def test_a_filter_by_an_action_to_come_waits_for_it(table: Table) -> None:
    ear = listen(table, "watcher", action=str(table.get()["action"] + 2))
    table.done({"type": "note", "text": "for the game master"}, visible_to="gm")
    told: Any = table.done({"type": "note", "text": "for everybody"})
    heard = ear.hear("event", 2)
    assert {frame.data["action"] for frame in heard if frame.kind == "event"} == {told["action"]}


def with_eyes(table: Table, **audience: Any) -> Any:
    """The answer to a webhook registered with these eyes."""
    return table.ask("POST", "/webhooks", json={"url": NOBODY_THERE, "audience": audience})


def test_a_webhook_with_the_eyes_of_a_player_who_has_no_seat_is_refused(table: Table) -> None:
    refused = problem(with_eyes(table, role="player", name="Nora"), 422, "unknown-player")
    assert refused["players"] == ["mina", "noel"]
    assert "invite them first" in refused["detail"]
    for somebody_else in ("watcher", "gm", "Mina"):
        problem(with_eyes(table, role="player", name=somebody_else), 422, "unknown-player")
    assert table.get("/webhooks")["webhooks"] == []
    table.invite("player", "Nora", "ada")
    assert with_eyes(table, role="player", name="Nora").status_code == 201


def test_who_lost_their_seat_is_nobody_to_see_with(table: Table) -> None:
    (seat,) = [each for each in table.get("/invites")["invites"] if each["name"] == "mina"]
    assert table.ask("DELETE", f"/invites/{seat['id']}").status_code == 200
    assert problem(with_eyes(table, role="player", name="mina"), 422, "unknown-player")["players"] == ["noel"]


def test_a_players_eyes_are_those_of_their_characters_and_of_nobody_elses(table: Table) -> None:
    table.tokens["zoe"] = table.invite("player", "zoe", "ada", "cyd")
    assert with_eyes(table, role="player", name="zoe").json()["audience"]["characters"] == ["ada", "cyd"]
    one = with_eyes(table, role="player", name="zoe", characters=["cyd"]).json()
    assert one["audience"]["characters"] == ["cyd"]
    refused = with_eyes(table, role="player", name="zoe", characters=["cyd", "ben"])
    assert problem(refused, 422, "unknown-player")["characters"] == ["ada", "cyd"]


@pytest.mark.parametrize(
    "audience",
    [
        {"role": "player"},
        {"role": "player", "characters": ["ada"]},
        {"role": "gm", "name": "mina"},
        {"name": "mina"},
        {"characters": ["ada"]},
    ],
    ids=str,
)
def test_eyes_that_are_nobodys_are_refused(table: Table, audience: Any) -> None:
    problem(with_eyes(table, **audience), 422, "malformed-body")
    assert table.get("/webhooks")["webhooks"] == []


def test_a_webhook_of_all_sessions_sees_with_a_players_eyes_wherever_they_sit(server: Server) -> None:
    audience = {"role": "player", "name": "Nora", "characters": ["zadie"]}
    asked = {"url": NOBODY_THERE, "audience": audience}
    made = server.ask("POST", "/webhooks", ADMIN_KEY, json=asked)
    assert (made.status_code, made.json()["audience"]) == (201, audience)
    problem(
        server.ask(
            "POST", "/webhooks", ADMIN_KEY, json={"url": NOBODY_THERE, "audience": {"role": "player"}}
        ),
        422,
        "malformed-body",
    )
