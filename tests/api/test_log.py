"""The log over HTTP: lines, events, figures, proof."""

import sqlite3
from pathlib import Path

from serving import ADMIN_KEY, ROLES, Server, Table, problem, seated

from eventlog.dice import face


def test_events_come_a_page_at_a_time_and_a_page_never_changes(table: Table) -> None:
    first = table.get("/events", params={"limit": 4})
    rest = table.get("/events", params={"limit": 500, "after": first["next"]})
    assert [event["seq"] for event in first["events"] + rest["events"]] == list(range(1, table.version + 1))
    table.done({"type": "end_turn"})
    again = table.get("/events", params={"limit": 4})
    assert (again["events"], again["next"]) == (first["events"], first["next"])
    more = table.get("/events", params={"after": rest["next"]})
    assert [event["type"] for event in more["events"]] == ["core.action-taken", "duel.turn-ended"]


def test_a_cursor_of_another_log_is_gone(table: Table) -> None:
    for cursor in ("2.00000000", "999", "x", "2.", "-1", "1e3"):
        refused = problem(table.ask("GET", "/events", params={"after": cursor}), 410, "cursor-unknown")
        assert refused["head"].startswith(f"{table.version}.")


def test_events_of_some_types(table: Table) -> None:
    wanted = "duel.duellist-added,duel.duel-begun"
    found = table.get("/events", params={"type": wanted})["events"]
    assert [event["type"] for event in found] == ["duel.duellist-added"] * 2 + ["duel.duel-begun"]


def test_the_timeline_goes_both_ways(table: Table) -> None:
    every = table.get("/actions")["actions"]
    assert [entry["number"] for entry in every] == [0, 1, 2, 3]
    assert all(entry["line"] and entry["status"] == "standing" for entry in every)
    assert [
        entry["number"] for entry in table.get("/actions", params={"after": 1, "limit": 1})["actions"]
    ] == [2]
    assert [
        entry["number"] for entry in table.get("/actions", params={"before": 3, "limit": 2})["actions"]
    ] == [1, 2]
    assert table.get("/actions/2") == every[2]
    problem(table.ask("GET", "/actions/9"), 404, "unknown-action")


def test_the_timeline_is_searched(table: Table) -> None:
    table.ask("POST", "/notes", json={"text": "a crow settles on the wall"})
    for params, numbers in (
        ({"text": "CROW"}, [4]),
        ({"kind": "begin"}, [3]),
        ({"character": "ben"}, [2]),
        ({"undone": "true"}, []),
        ({"text": "no such words"}, []),
    ):
        found = [entry["number"] for entry in table.get("/actions", params=params)["actions"]]
        assert set(numbers) <= set(found) if numbers else found == []


def test_statistics_count_what_was_thrown(table: Table) -> None:
    table.done({"type": "attack", "attacker": "ada", "target": "ben"}, dice=[6, 6, 6])
    counted = table.get("/statistics", "watcher")
    assert counted["dice"] == 3
    assert counted["characters"]["ada"]["attacks"]["amount"] == 1


def test_everybody_at_the_table_may_see_the_proof(table: Table) -> None:
    table.done({"type": "roll", "count": 2, "purpose": "luck"})
    for role in ROLES[:-1]:
        proof = table.get("/verification", role)
        assert proof["ok"] is True
        assert proof["checked"]["events"] == table.version


def test_a_proof_counts_nothing_a_reader_may_not_see(table: Table) -> None:
    table.done({"type": "roll", "count": 2, "purpose": "luck"})
    before = {role: table.get("/verification", role)["checked"] for role in ROLES[:-1]}
    hidden = table.done({"type": "roll", "count": 3, "purpose": "an ambush"}, visible_to="gm")
    note = table.done({"type": "note", "text": "an ambush"}, visible_to="gm")
    seq = next(event["seq"] for event in note["events"] if event["type"] == "core.note-added")
    assert table.ask("POST", "/redactions", json={"seq": seq}).status_code == 201
    table.ask("POST", "/close", json={})
    for role in ROLES[:-1]:
        checked = table.get("/verification", role)["checked"]
        assert checked["events"] == table.version
        if role in {"gm", "admin"}:
            assert checked["actions"] == table.get()["action"] + 1
            assert (checked["dice"], checked["redacted"]) == (before[role]["dice"] + 5, [seq])
            assert checked["redecided"] > before[role]["redecided"]
        else:
            assert (checked["actions"], checked["redecided"]) == (None, None)
            assert (checked["dice"], checked["redacted"]) == (2, [])
    assert hidden["events"]


def test_only_hidden_dice_leave_no_word_of_dice(table: Table) -> None:
    quiet = table.get("/verification", "mina")["notes"]
    table.done({"type": "roll", "count": 3, "purpose": "an ambush"}, visible_to="gm")
    assert table.get("/verification", "mina")["notes"] == quiet == []
    assert "Dice thrown by the server" in table.get("/verification")["notes"][0]
    table.done({"type": "roll", "count": 1, "purpose": "luck"})
    assert table.get("/verification", "mina")["notes"] == table.get("/verification")["notes"]


def test_the_close_gives_readers_the_faces_of_hidden_server_dice_too(table: Table) -> None:
    table.done({"type": "roll", "count": 1, "purpose": "luck"})
    secret = table.done({"type": "roll", "count": 3, "purpose": "an ambush"}, visible_to="gm")
    table.done({"type": "roll", "count": 1, "purpose": "luck"})
    table.ask("POST", "/close", json={})
    events = [
        event for event in table.get("/events", "mina", params={"limit": 500})["events"] if "type" in event
    ]
    rolls = [event["data"]["roll"]["number"] for event in events if "roll" in event["data"]]
    (gap,) = set(range(1, max(rolls))) - set(rolls)
    seed = bytes.fromhex(events[-1]["data"]["seed"])
    thrown = next(event["data"]["roll"] for event in secret["events"] if "roll" in event["data"])
    faces = [face(seed, table.id, gap, index, thrown["dice"][0].get("sides", 6)) for index in (1, 2, 3)]
    assert faces == [die["face"] for die in thrown["dice"]]


def test_a_fault_in_the_hidden_is_told_by_its_number_alone(tmp_path: Path) -> None:
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    try:
        table = seated(server)
        done = table.done({"type": "roll", "count": 3, "purpose": "an ambush"}, visible_to="gm")
        seq = done["events"][-1]["seq"]
        with sqlite3.connect(tmp_path / "log.db") as db:
            db.execute("DROP TRIGGER forbid_update_on_events")
            db.execute("UPDATE events SET data = replace(data, 'ambush', 'picnic') WHERE seq = ?", (seq,))
        db.close()
        assert table.get("/verification")["first_fault"]["action"] == done["action"]
        fault = table.get("/verification", "mina")["first_fault"]
        assert (fault["seq"], fault["action"], fault["field"]) == (seq, None, "hidden")
        assert fault["message"] == f"Event {seq}, which you may not see, is not as it was recorded"
    finally:
        server.close()


def test_a_damaged_log_is_named_and_not_hidden(table: Table) -> None:
    store = table.server.store
    real = type(store).envelopes

    def damaged(self: object, *asked: object, **more: object) -> object:
        found = real(self, *asked, **more)
        return [each for each in found if each.seq != 4]

    type(store).envelopes = damaged
    try:
        proof = table.get("/verification")
    finally:
        type(store).envelopes = real
    assert proof["ok"] is False
    assert proof["first_fault"]["seq"] == 4
