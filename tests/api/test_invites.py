"""Invites: given out, listed, rotated, revoked. A token is shown once."""

import hashlib
from pathlib import Path

import pytest
from serving import ADMIN_KEY, Server, Table, problem, seated


def test_an_invite_seats_somebody(table: Table) -> None:
    token = table.invite("player", "Ægir", "cleo")
    table.tokens["new"] = token
    assert table.get(as_="new")["you"] == {"role": "player", "name": "Ægir", "characters": ["cleo"]}
    listed = table.get("/invites")["invites"]
    assert [each["name"] for each in listed] == ["gm", "mina", "noel", "watcher", "bot", "Ægir"]
    assert token not in table.ask("GET", "/invites").text


@pytest.mark.parametrize(
    "body,status,code",
    [
        ({"role": "gm", "name": "second"}, 422, "malformed-body"),
        ({"role": "admin", "name": "root"}, 422, "malformed-body"),
        ({"role": "player", "name": ""}, 422, "malformed-body"),
        ({"role": "player", "name": "a\nb"}, 422, "malformed-body"),
        ({"role": "player", "name": "a\n"}, 422, "malformed-body"),
        ({"role": "player", "name": " \u200b"}, 422, "malformed-body"),
        ({"role": "player", "name": "\u202eanim"}, 422, "malformed-body"),
        ({"role": "player", "name": "x", "characters": ["ada", "cleo", "ada"]}, 422, "malformed-body"),
        ({"role": "player", "name": "GM"}, 422, "reserved-id"),
        ({"role": "player", "name": "all"}, 422, "reserved-id"),
        ({"role": "player", "name": "Mina"}, 409, "name-taken"),
        ({"role": "player", "name": "x", "characters": ["Not An Id"]}, 422, "malformed-body"),
    ],
)
def test_a_seat_that_makes_no_sense_is_refused(table: Table, body: object, status: int, code: str) -> None:
    before = table.ask("GET", "/invites").text
    problem(table.ask("POST", "/invites", json=body), status, code)
    assert table.ask("GET", "/invites").text == before


def test_a_revoked_token_stops_working_at_once(table: Table) -> None:
    assert table.ask("GET", "/state", "mina").status_code == 200
    invite = table.get("/invites")["invites"][1]["id"]
    assert table.ask("DELETE", f"/invites/{invite}").json() == {"id": invite, "revoked": True}
    problem(table.ask("GET", "/state", "mina"), 401, "not-identified")
    problem(table.ask("DELETE", f"/invites/{invite}"), 404, "unknown-invite")
    problem(table.ask("POST", f"/invites/{invite}/rotate"), 404, "unknown-invite")
    table.invite("player", "mina", "ada")  # the name is free again


def test_a_rotated_invite_keeps_its_seat_and_changes_its_token(table: Table) -> None:
    invite = table.get("/invites")["invites"][1]["id"]
    old = table.tokens["mina"]
    for _ in range(3):
        fresh = table.ask("POST", f"/invites/{invite}/rotate")
        assert fresh.status_code == 201
        assert fresh.json()["id"] == invite
        problem(table.ask("GET", "/state", "mina"), 401, "not-identified")
        table.tokens["mina"] = fresh.json()["token"]
        assert table.get(as_="mina")["you"]["characters"] == ["ada"]
    assert old != table.tokens["mina"]
    assert len(table.get("/invites")["invites"]) == 5


def test_a_lost_gm_token_is_issued_again_by_the_admin(table: Table) -> None:
    invite = table.get("/invites", "admin")["invites"][0]
    assert invite["role"] == "gm"
    fresh = table.ask("POST", f"/invites/{invite['id']}/rotate", "admin").json()["token"]
    problem(table.ask("GET", "/state", "gm"), 401, "not-identified")
    table.tokens["gm"] = fresh
    assert table.ask("GET", "/state", "gm").status_code == 200


def test_a_session_keeps_its_gm(table: Table) -> None:
    invite = table.get("/invites")["invites"][0]["id"]
    for role in ("gm", "admin"):
        problem(table.ask("DELETE", f"/invites/{invite}", role), 409, "gm-stays")
    assert table.ask("GET", "/state").status_code == 200


def test_an_invite_of_another_session_is_unknown(table: Table) -> None:
    other = seated(table.server)
    invite = other.get("/invites")["invites"][1]["id"]
    problem(table.ask("DELETE", f"/invites/{invite}"), 404, "unknown-invite")
    assert other.ask("GET", "/state", "mina").status_code == 200


def test_tokens_are_kept_as_hashes(tmp_path: Path) -> None:
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    try:
        table = seated(server)
        kept = server.store.tokens(table.id)
        assert kept[0].key_hash == hashlib.sha256(str(table.tokens["gm"]).encode()).digest()
    finally:
        server.close()
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for token in table.tokens.values():
        assert token is None or token.encode() not in files
