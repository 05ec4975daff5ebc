"""What tables of other tools lost: undone actions, whose they were, dice, purposes. Here it stays in the log."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from serving import ADMIN_KEY, Server, Table, admin, open_table, problem, seated

from api.cli import run
from eventlog.chain import digest, genesis, link
from eventlog.sqlite.store import SqliteStore


def undo(table: Table, number: int, as_: str = "gm", **body: Any) -> Any:
    answer = table.ask("POST", f"/actions/{number}/undo", as_, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def stored(table: Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.get("/events", params={"limit": "500"})["events"]
    return found


def wounds(table: Table, at: int, who: str = "ben") -> int:
    hp: int = table.get("/state", params={"at": str(at)})["state"]["duellists"][who]["hp"]
    return hp


# --- corrections --------------------------------------------------------------------------------------------


def test_an_undone_action_and_its_undo_are_both_in_the_log(table: Table) -> None:
    """The state went back and the log showed nothing: the undone move looked valid (boardgame.io#820)."""
    hit = table.done({"type": "adjust", "duellist": "ben", "hp": -2, "reason": "x"})["action"]
    undone = undo(table, hit)["action"]
    types = {
        event["action"]: event["type"] for event in stored(table) if event["type"] != "core.action-taken"
    }
    assert (types[hit], types[undone]) == ("duel.adjusted", "core.action-undone")
    line = table.get(f"/actions/{hit}")
    assert (line["status"], line["changed_by"]) == ("undone", [undone])
    assert wounds(table, hit - 1) == wounds(table, hit) + 2 == wounds(table, undone)


def test_nobody_undoes_past_the_actions_of_others_unasked(table: Table) -> None:
    """Any player could undo past the moves of others, and nothing of them was left (18xx#8214)."""
    mine = table.done({"type": "end_turn"}, "mina")["action"]
    theirs = table.done({"type": "end_turn"}, "noel")["action"]
    before = table.log()
    refused = table.ask("POST", f"/actions/{mine}/undo", "mina", json={"through": True})
    problem(refused, 403, refused.json()["code"])
    assert table.log() == before
    asked = table.ask("POST", "/undo-requests", "mina", json={"target": mine})
    assert asked.status_code == 201, asked.text
    assert table.get("/undo-requests", "noel")["request"]["target"] == mine
    assert {table.get(f"/actions/{number}")["status"] for number in (mine, theirs)} == {"standing"}
    number = asked.json()["action"]
    approved = table.ask("POST", f"/undo-requests/{number}/approve", json={"mode": "cascade"})
    assert approved.status_code == 201, approved.text
    (event,) = [each for each in stored(table) if each["type"] == "core.action-undone"]
    emptied = {
        change["slot"] for change in (*event["data"]["targets"], *event["data"].get("consequences", ()))
    }
    assert emptied == {mine, theirs}
    assert [table.get(f"/actions/{each}", "watcher")["status"] for each in (mine, theirs)] == [
        "undone",
        "undone",
    ]


@pytest.mark.parametrize("role", ["mina", "gm", "admin"])
def test_nobody_deletes_a_roll_and_words_alone_can_be_removed(table: Table, role: str) -> None:
    """Players deleted their own rolls from the log (foundryvtt#9928)."""
    rolled = table.done({"type": "roll", "count": 1, "purpose": "luck"}, "mina", text="my real name is …")
    before = table.log()
    for part in (f"/actions/{rolled['action']}", f"/events/{rolled['version']}", "/events"):
        assert table.ask("DELETE", part, role).status_code in (404, 405)
    assert table.log() == before
    words, dice = (
        next(each["seq"] for each in rolled["events"] if each["type"] == kind)
        for kind in ("core.note-added", "core.dice-rolled")
    )
    assert table.ask("POST", "/redactions", json={"seq": dice}).status_code in (409, 422)
    assert table.ask("POST", "/redactions", json={"seq": words, "reason": "privacy"}).status_code == 201
    kept = next(event for event in stored(table) if event["seq"] == words)
    assert (kept["type"], kept["data"], kept["by"]["name"]) == ("core.note-added", None, "mina")
    for part in ("/events", "/actions", "/export", "/audit"):
        assert "my real name" not in table.ask("GET", part).text
    assert table.get("/verification")["ok"] is True


# --- what a record is for -----------------------------------------------------------------------------------


def test_a_saved_log_has_the_purpose_and_every_die_of_a_roll(table: Table) -> None:
    """The saved chat lost what a roll was for, and the die that did not count (dnd5e#2216)."""
    table.done({"type": "roll", "count": 2, "sides": 20, "purpose": "stealth"}, "mina")
    (event,) = [each for each in stored(table) if each["type"] == "core.dice-rolled"]
    faces = [die["face"] for die in event["data"]["roll"]["dice"]]
    assert len(faces) == 2
    copy = [json.loads(line) for line in table.ask("GET", "/export").text.splitlines()]
    assert event["data"] in [line.get("data") for line in copy]
    told = table.get("/actions", "watcher")["actions"][-1]
    assert (told["rolls"][0]["purpose"], [die["face"] for die in told["rolls"][0]["dice"]]) == (
        "stealth",
        faces,
    )
    assert "stealth" in told["line"]
    assert all(str(face) in told["line"] for face in faces)
    found = table.get("/audit", "watcher")["dice"]
    assert [(die["purpose"], die["face"], die["sides"], die["who"]) for die in found] == [
        ("stealth", face, 20, "mina") for face in faces
    ]


def test_a_past_round_can_be_rebuilt_from_a_copy_elsewhere(table: Table, elsewhere: Server) -> None:
    """Late joiners, a turn set by hand, totals: the exported log could not rebuild a round (initiative-tracker#293)."""
    ends = []
    for _ in range(2):
        table.done({"type": "end_turn"}, "mina")
        ends.append(table.done({"type": "end_turn"}, "noel")["action"])
        table.done({"type": "add_duellist", "id": f"late-{len(ends)}", "side": "red", "skill": 9})
        table.done({"type": "adjust", "duellist": "ben", "hp": -4, "reason": "x"})
    last = table.get("")["action"]
    copy = table.ask("GET", "/export").content
    taken = elsewhere.ask(
        "POST",
        "/sessions/import",
        admin(elsewhere),
        content=copy,
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert taken.status_code == 201, taken.text
    there = Table(elsewhere, table.id, {"gm": taken.json()["gm_token"]})
    for at in range(last + 1):
        one, other = (each.get("/state", params={"at": str(at)}) for each in (table, there))
        assert one["state_hash"] == other["state_hash"]


@pytest.fixture
def elsewhere() -> Iterator[Server]:
    server = Server(admin_key=ADMIN_KEY)
    yield server
    server.close()


# --- dice ---------------------------------------------------------------------------------------------------


def faces(table: Table) -> list[int]:
    return [die["face"] for die in table.get("/audit", params={"limit": "1000"})["dice"]]


def test_a_server_started_again_throws_no_die_twice(tmp_path: Path) -> None:
    """A game loaded again threw the numbers of its beginning once more (terraforming-mars#2132)."""
    server = Server(tmp_path / "log.db")
    try:
        table = seated(server)
        for _ in range(10):
            table.done({"type": "roll", "count": 5, "purpose": "luck"})
        server.restart()
        for _ in range(10):
            table.done({"type": "roll", "count": 5, "purpose": "luck"})
        dice = table.get("/audit", params={"limit": "1000"})["dice"]
        assert [die["roll"] for die in dice] == [roll for roll in range(1, 21) for _ in range(5)]
        assert [die["face"] for die in dice[:50]] != [die["face"] for die in dice[50:]]
        table.ask("POST", "/close", json={})
        found = table.get("/verification")
        assert (found["ok"], found["checked"]["dice"]) == (True, 100)
    finally:
        server.close()


def test_no_two_sessions_share_their_dice(server: Server) -> None:
    """One seed for all: every match had the same dice (boardgame.io#233)."""
    tables = [open_table(server) for _ in range(20)]
    for table in tables:
        done = table.done({"type": "roll", "count": 10, "purpose": "luck"})
        assert server.store.seed(table.id).hex() not in json.dumps(done)
    assert len({tuple(faces(table)) for table in tables}) == 20
    assert len({server.store.seed(table.id) for table in tables}) == 20


# --- replay -------------------------------------------------------------------------------------------------


def test_a_log_forged_whole_is_found_at_the_event_and_the_field(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A replay that lost sync had a pair of hashes to offer; here it is the event, the action and the field (widelands#3819)."""
    server = Server(tmp_path / "log.db")
    table = seated(server)
    for _ in range(3):
        table.done({"type": "adjust", "duellist": "ben", "hp": -1, "reason": "x"})
    seq = stored(table)[-3]["seq"]
    server.close()
    assert run(["verify", table.id, "--db", str(tmp_path / "log.db")]) == 0
    rewrite(tmp_path / "log.db", table.id, seq)
    capsys.readouterr()
    assert run(["verify", table.id, "--db", str(tmp_path / "log.db"), "--json"]) == 1
    fault = json.loads(capsys.readouterr().out)["first_fault"]
    assert (fault["seq"], fault["field"]) == (seq, "data.hp")


def test_a_tampered_correction_is_named_by_every_read(tmp_path: Path) -> None:
    """Once the triggers are gone anything can be written; whoever reads it is told what is wrong with the log."""
    server = Server(tmp_path / "log.db")
    try:
        table = seated(server)
        hit = table.done({"type": "adjust", "duellist": "ben", "hp": -1, "reason": "x"})["action"]
        undo(table, hit)
        seq = next(event["seq"] for event in stored(table) if event["type"] == "core.action-undone")
        rewrite(tmp_path / "log.db", table.id, seq, b'"targets":[{', b'"targets":[{"after":9,')
        server.restart()
        for part in ("/state", "/state?at=1&corrected=true", "/actions", "/statistics", "/choices"):
            answer = table.ask("GET", part)
            assert answer.status_code in {200, 500}
            if answer.status_code == 500:
                assert answer.json()["code"] == "history-does-not-fold", part
        assert table.ask("GET", "/state").json()["code"] == "history-does-not-fold"
        fault = table.get("/verification")["first_fault"]
        assert (fault["seq"], fault["field"]) == (seq, "data.targets")
    finally:
        server.close()


def rewrite(path: Path, session: str, seq: int, old: bytes = b'"hp":-1', new: bytes = b'"hp":-2') -> None:
    """Change what an event says in a file with one session (a loss of 1 is one of 2), and a whole new chain over it."""
    store = SqliteStore.open(path, read_only=True)
    events, previous = store.envelopes(session), genesis(session)
    store.close()
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    for event in events:
        assert event.data is not None
        data = event.data.replace(old, new) if event.seq == seq else event.data
        forged = replace(event, data=data)
        previous = link(previous, event.seq, digest(forged))
        db.execute("UPDATE events SET data = ?, hash = ? WHERE seq = ?", (data.decode(), previous, event.seq))
    db.execute("UPDATE sessions SET hash = ? WHERE id = ?", (previous, session))
    db.execute("DELETE FROM checkpoints")
    db.execute("DELETE FROM corrected")
    db.commit()
    db.close()
