"""A request that is sent twice is done once."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import ADMIN_KEY, Server, Table, problem, seated, with_a_settled_roll

KEY = {"Idempotency-Key": "a-3f1c"}
ROLL = {"type": "roll", "count": 3, "purpose": "luck"}


def test_the_same_key_and_body_give_the_same_answer_and_record_once(table: Table) -> None:
    first = table.act(ROLL, headers=KEY)
    log = table.log()
    again = table.act(ROLL, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert again.headers["etag"] == first.headers["etag"]
    assert table.log() == log


def test_the_answer_is_as_of_then_though_the_session_moved_on(table: Table) -> None:
    first = table.act(ROLL, headers=KEY)
    table.done({"type": "end_turn"})
    assert table.act(ROLL, headers=KEY).json() == first.json()


def test_the_key_is_looked_up_before_the_version(table: Table) -> None:
    headers = {**KEY, "If-Match": f'"{table.version}"'}
    first = table.act(ROLL, headers=headers)
    assert table.act(ROLL, headers=headers).json() == first.json()


@pytest.mark.parametrize("restarts", [False, True], ids=["at-once", "after-a-restart"])
def test_a_repeated_request_that_was_ignored_does_nothing_later(tmp_path: Path, *, restarts: bool) -> None:
    """Not even when there is something to settle by then: it was another roll it was meant for."""
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    try:
        table = with_a_settled_roll(server)
        table.ask("PATCH", "/settings", json={"table_dice": "all"})
        first = table.act({"type": "settle"}, headers=KEY)
        assert (first.status_code, first.json()["ignored"]) == (200, True)
        friend = {"id": "rasheem", "side": "pcs", "kind": "pc", "action": 6, "defense": 2, "max_wounds": 3}
        table.done({"type": "add_character", **friend, "traits": [{"name": "Bold", "marked": True}]})
        table.done({"type": "enter", "character": "rasheem"})
        table.done({"type": "maneuver", "actor": "rasheem", "action_dice": 2}, dice=[3, 6, 1])
        if restarts:
            server.restart()
        log = table.log()
        again = table.act({"type": "settle"}, headers=KEY)
        assert (again.status_code, again.content) == (200, first.content)
        assert again.headers["idempotent-replayed"] == "true"
        assert again.headers["etag"] == first.headers["etag"]
        assert table.log() == log
        problem(table.act({"type": "settle"}, headers=KEY, text="now"), 422, "idempotency-key-reused")
        table.done({"type": "settle"})
    finally:
        server.close()


def test_a_look_ahead_binds_no_key(table: Table) -> None:
    looked = table.ask("POST", "/undo", json={"mode": "rebase", "dry_run": True}, headers=KEY)
    assert looked.status_code == 200
    undone = table.ask("POST", "/undo", json={"mode": "rebase"}, headers=KEY)
    assert (undone.status_code, undone.headers.get("idempotent-replayed")) == (201, None)


def test_the_same_key_answers_after_a_restart(tmp_path: Path) -> None:
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    try:
        table = seated(server)
        first = table.act(ROLL, headers=KEY)
        server.restart()
        assert table.act(ROLL, headers=KEY).json() == first.json()
    finally:
        server.close()


def test_three_at_once_are_one(table: Table) -> None:
    async def all_at_once() -> list[httpx.Response]:
        headers = {**KEY, "Authorization": f"Bearer {table.tokens['gm']}"}
        post = table.server.client.post
        path = f"/sessions/{table.id}/actions"
        return await asyncio.gather(*(post(path, json={"command": ROLL}, headers=headers) for _ in range(3)))

    answers = table.server.do(all_at_once)
    assert len({answer.text for answer in answers}) == 1
    assert {answer.status_code for answer in answers} == {201}


def test_another_spelling_of_the_body_is_the_same_body(table: Table) -> None:
    first = table.act(ROLL, headers=KEY)
    spelled = b'{ "command": {"purpose":"l\\u0075ck", "count":3, "type":"roll"} }'
    headers = {**KEY, "Content-Type": "application/json"}
    assert table.ask("POST", "/actions", content=spelled, headers=headers).json() == first.json()


def test_another_body_with_the_same_key_is_refused(table: Table) -> None:
    table.act(ROLL, headers=KEY)
    before = table.log()
    problem(table.act({**ROLL, "count": 4}, headers=KEY), 422, "idempotency-key-reused")
    problem(table.act(ROLL, dice=[1, 2, 3], headers=KEY), 422, "idempotency-key-reused")
    problem(table.ask("POST", "/notes", json={"text": "x"}, headers=KEY), 422, "idempotency-key-reused")
    problem(
        table.ask("POST", "/invites", json={"role": "tool", "name": "x"}, headers=KEY),
        422,
        "idempotency-key-reused",
    )
    assert table.log() == before


def test_keys_of_others_do_not_meet(table: Table) -> None:
    one = table.act({"type": "note", "text": "mine"}, "mina", headers=KEY)
    other = table.act({"type": "note", "text": "mine"}, "noel", headers=KEY)
    assert one.json()["action"] != other.json()["action"]


def test_a_key_outlives_the_rotation_of_its_token(table: Table) -> None:
    first = table.act({"type": "note", "text": "mine"}, "mina", headers=KEY)
    invite = table.get("/invites")["invites"][1]["id"]
    table.tokens["mina"] = table.ask("POST", f"/invites/{invite}/rotate").json()["token"]
    assert table.act({"type": "note", "text": "mine"}, "mina", headers=KEY).json() == first.json()


def test_a_refused_request_binds_no_key(table: Table) -> None:
    attack = {"type": "attack", "attacker": "ada", "target": "ben"}
    problem(table.act(attack, dice=[1], headers=KEY), 422, "dice-count-mismatch")
    assert table.act(attack, dice=[6, 6, 6], headers=KEY).status_code == 201


def test_opening_twice_is_one_session_and_the_second_token_counts(server: Server) -> None:
    body = {"ruleset": "duel", "title": "t"}
    first = server.ask("POST", "/sessions", ADMIN_KEY, json=body, headers=KEY)
    again = server.ask("POST", "/sessions", ADMIN_KEY, json=body, headers=KEY)
    assert again.headers["idempotent-replayed"] == "true"
    old, new = first.json(), again.json()
    assert {**old, "gm_token": ""} == {**new, "gm_token": ""}
    problem(server.ask("GET", f"/sessions/{old['id']}", old["gm_token"]), 401, "not-identified")
    assert server.ask("GET", f"/sessions/{old['id']}", new["gm_token"]).status_code == 200
    other = {**body, "title": "other"}
    problem(
        server.ask("POST", "/sessions", ADMIN_KEY, json=other, headers=KEY), 422, "idempotency-key-reused"
    )


def test_inviting_twice_is_one_seat_and_the_second_token_counts(tmp_path: Path) -> None:
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    try:
        table = seated(server)
        body = {"role": "player", "name": "cleo", "characters": ["cleo"]}
        first = table.ask("POST", "/invites", json=body, headers=KEY).json()
        server.restart()
        again = table.ask("POST", "/invites", json=body, headers=KEY)
        assert again.headers["idempotent-replayed"] == "true"
        assert {**again.json(), "token": ""} == {**first, "token": ""}
        table.tokens.update(old=first["token"], new=again.json()["token"])
        problem(table.ask("GET", "/state", "old"), 401, "not-identified")
        assert table.ask("GET", "/state", "new").status_code == 200
        problem(
            table.ask("POST", "/invites", json={**body, "characters": []}, headers=KEY),
            422,
            "idempotency-key-reused",
        )
    finally:
        server.close()


@pytest.mark.parametrize(
    "part,body", [("/actions", {"command": ROLL}), ("/invites", {"role": "tool", "name": "x"})]
)
@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 201, "x" * 10_000, "ü", "\x7f"], ids=len)
def test_a_key_that_is_none_is_refused(table: Table, part: str, body: Any, key: str) -> None:
    before = table.log()
    answer = table.ask("POST", part, json=body, headers={"Idempotency-Key": key.encode("latin-1")})
    problem(answer, 400, "malformed-header")
    assert table.log() == before
