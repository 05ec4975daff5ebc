"""Notes, settings, redaction, the close."""

import hashlib

import pytest
from serving import ROLES, Table, problem


def test_a_note_is_seen_by_whom_it_is_for(table: Table) -> None:
    table.ask("POST", "/notes", "mina", json={"text": "for the GM alone", "visible_to": "gm"})
    table.ask("POST", "/notes", "mina", json={"text": "for both of us", "visible_to": "self+gm"})
    table.ask("POST", "/notes", "mina", json={"text": "for everybody", "about": 2})
    texts = ("for the GM alone", "for both of us", "for everybody")
    seen = {role: [text in table.ask("GET", "/events", role).text for text in texts] for role in ROLES[:-1]}
    assert seen == {
        "gm": [True, True, True],
        "mina": [False, True, True],
        "noel": [False, False, True],
        "watcher": [False, False, True],
        "bot": [False, False, True],
        "admin": [True, True, True],
    }


@pytest.mark.parametrize(
    "body,status,code",
    [
        ({"text": ""}, 422, "malformed-command"),
        ({"text": "x" * 2001}, 422, "malformed-body"),
        ({"text": "a\x07b"}, 422, "malformed-body"),
        ({"text": "x", "about": 99}, 404, "unknown-action"),
        ({"text": "x", "visible_to": "gmx"}, 422, "malformed-body"),
        ({"text": "x", "audience": "gm"}, 422, "malformed-body"),
        ({}, 422, "malformed-body"),
    ],
)
def test_a_note_that_makes_no_sense_is_refused(table: Table, body: object, status: int, code: str) -> None:
    before = table.log()
    problem(table.ask("POST", "/notes", json=body), status, code)
    assert table.log() == before


def test_a_visibility_nobody_knows_is_never_widened(table: Table) -> None:
    before = table.log()
    roll = {"type": "roll", "count": 1, "purpose": "x"}
    problem(table.act(roll, visible_to="gmx"), 422, "malformed-body")
    problem(table.act({"type": "end_turn"}, visible_to="gm"), 422, "visibility-not-possible")
    assert table.log() == before


def test_settings_change_one_action_each_and_only_where_they_differ(table: Table) -> None:
    before = table.get()["action"]
    changed = table.ask("PATCH", "/settings", json={"table_dice": "all", "undo": "gm", "rulings": "ask"})
    assert changed.status_code == 200
    assert changed.json()["settings"]["table_dice"] == "all"
    assert table.get()["action"] == before + 2
    again = table.ask("PATCH", "/settings", json={"table_dice": "all"})
    assert again.json()["settings"] == changed.json()["settings"]
    assert table.get()["action"] == before + 2
    problem(table.ask("PATCH", "/settings", json={"table_dice": "some"}), 422, "malformed-body")
    problem(
        table.ask("PATCH", "/settings", json={"undo": "off"}, headers={"If-Match": '"1"'}),
        412,
        "version-mismatch",
    )


@pytest.mark.parametrize("settings", [{}, {"undo": "request"}, {"undo": "gm"}])
def test_settings_are_kept_to_the_version_they_were_decided_on_also_where_none_changes(
    table: Table, settings: dict[str, str]
) -> None:
    before, seen = table.log(), f'"{table.version}"'
    stale = table.ask("PATCH", "/settings", json=settings, headers={"If-Match": '"1"'})
    mismatch = problem(stale, 412, "version-mismatch")
    assert (mismatch["version"], mismatch["expected"]) == (table.version, 1)
    assert table.log() == before
    assert table.ask("PATCH", "/settings", json=settings, headers={"If-Match": seen}).status_code == 200


def test_redaction_takes_the_words_and_leaves_the_event(table: Table) -> None:
    told = table.ask("POST", "/notes", json={"text": "her name is Somebody Real"}).json()
    seq = told["events"][-1]["seq"]
    assert table.ask("POST", "/redactions", json={"seq": seq, "reason": "a name"}).status_code == 201
    for role in ROLES[:-1]:
        assert "Somebody Real" not in table.ask("GET", "/events", role).text
        assert "Somebody Real" not in table.ask("GET", "/actions", role).text
        assert "Somebody Real" not in table.ask("GET", "/export", role).text
    problem(table.ask("POST", "/redactions", json={"seq": seq}), 422, "nothing-to-redact")
    problem(table.ask("POST", "/redactions", json={"seq": 10**6}), 422, "nothing-to-redact")


def test_the_close_reveals_the_seed_and_ends_the_writing(table: Table) -> None:
    promised = table.get()["dice_commitment"]
    closed = table.ask("POST", "/close", json={"text": "good night"})
    assert closed.status_code == 201
    seed = closed.json()["events"][-1]["data"]["seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == promised
    before = table.log()
    problem(table.act({"type": "end_turn"}), 409, "session-closed")
    problem(table.ask("POST", "/notes", "mina", json={"text": "wait"}), 409, "session-closed")
    problem(table.ask("PATCH", "/settings", json={"undo": "off"}), 409, "session-closed")
    assert table.log() == before
    assert table.get()["closed"] is True
    assert table.get("/choices")["choices"] == []


def test_a_body_of_defaults_need_not_be_sent(table: Table) -> None:
    assert table.ask("POST", "/close").status_code == 201
