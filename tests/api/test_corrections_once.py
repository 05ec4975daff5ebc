"""Corrections over a bad connection and beside others: once, on what was seen, and never half."""

from typing import Any

import pytest
from serving import Table, problem

COMMAND = {"type": "conceal_dagger", "duellist": "ada"}
PARTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/undo", {}),
    ("/actions/3/undo", {}),
    ("/actions/3/amend", {"command": {"type": "begin", "order": ["ben", "ada"]}}),
    ("/actions", {"command": COMMAND, "before": 3}),
    ("/actions/2/undo", {"mode": "cascade"}),
)


def headers(key: str | None = None, version: int | None = None) -> dict[str, str]:
    return {
        **({"Idempotency-Key": key} if key else {}),
        **({"If-Match": f'"{version}"'} if version is not None else {}),
    }


@pytest.mark.parametrize("part, body", PARTS)
def test_a_correction_sent_again_with_its_key_is_recorded_once(
    table: Table, part: str, body: dict[str, Any]
) -> None:
    first = table.ask("POST", part, json=body, headers=headers("undo-1"))
    assert first.status_code == 201, first.text
    log = table.log()
    again = table.ask("POST", part, json=body, headers=headers("undo-1"))
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    assert again.json()["events"] == first.json()["events"]
    assert table.log() == log
    other = table.ask(
        "POST",
        part,
        json={**body, "reason": "other"} if "before" not in body else {**body, "text": "x"},
        headers=headers("undo-1"),
    )
    problem(other, 422, "idempotency-key-reused")


@pytest.mark.parametrize("part, body", PARTS)
def test_a_correction_on_what_is_no_longer_so_is_refused(
    table: Table, part: str, body: dict[str, Any]
) -> None:
    seen = table.version
    table.done({"type": "note", "text": "meanwhile"})
    log = table.log()
    refused = table.ask("POST", part, json=body, headers=headers(version=seen))
    document = problem(refused, 412, "version-mismatch")
    assert document["version"] == table.version
    assert table.log() == log
    looked = table.ask("POST", part, json={**body, "dry_run": True}, headers=headers(version=seen))
    problem(looked, 412, "version-mismatch")
    assert table.ask("POST", part, json=body, headers=headers(version=table.version)).status_code == 201


@pytest.mark.parametrize("part, body", PARTS)
def test_a_look_ahead_records_nothing_and_binds_no_key(table: Table, part: str, body: dict[str, Any]) -> None:
    log = table.log()
    looked = table.ask("POST", part, json={**body, "dry_run": True}, headers=headers("undo-1"))
    assert looked.status_code == 200, looked.text
    assert looked.json()["dry_run"] is True
    assert table.log() == log
    assert table.ask("POST", part, json=body, headers=headers("undo-1")).status_code == 201


def test_what_is_foreseen_over_http_is_what_then_stands(table: Table) -> None:
    table.done({"type": "adjust", "duellist": "ben", "hp": -3, "reason": "a wound"})
    looked = table.ask("POST", "/actions/3/undo", json={"mode": "cascade", "dry_run": True}).json()
    assert [(each["action"], each["outcome"]) for each in looked["targets"]] == [(3, "undone")]
    assert looked["consequences"] == []
    before = table.get("/state")["state"]
    done = table.ask("POST", "/actions/3/undo", json={"mode": "cascade"}).json()
    changed = table.get(f"/diff?from={done['action'] - 1}&to={done['action']}")
    assert changed["patch"] == looked["difference"]["patch"]
    assert changed["lines"] == looked["difference"]["lines"]
    assert table.get("/state")["state"] != before
