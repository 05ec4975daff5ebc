"""The other ways a feed tells what happens: as CloudEvents, and as the table with its changes."""

import json
from typing import Any

import jsonpatch
import msgspec
import pytest
from listening import LINES, Ear, listen, wait
from serving import ADMIN_KEY, HIDDEN_NAME, Server, Table, conflict, seated

from eventlog.canonical import encode
from projections.difference import patch_between

READERS = ("gm", "mina", "noel", "watcher", "admin")


def test_events_come_as_cloud_events(table: Table) -> None:
    plain = listen(table, after="0").hear("event", table.version)
    clouds = listen(table, after="0", format="cloudevents").hear("event", table.version)
    for frame, cloud in zip(plain, clouds, strict=True):
        event = frame.data
        assert cloud.id == frame.id
        assert cloud.data == {
            "specversion": "1.0", "id": str(event["seq"]), "source": f"/sessions/{table.id}",
            "type": event["type"], "subject": f"actions/{event['action']}", "time": event["at"],
            "datacontenttype": "application/json", "data": event,
        }  # fmt: skip


def test_a_cloud_event_on_a_line_stays_one(table: Table) -> None:
    """What is added are attributes CloudEvents allow: lower-case letters and text."""
    listened = listen(table, headers=LINES, after="0", format="cloudevents")
    listened.hear("event", table.version)
    line = json.loads(listened.text.splitlines()[1])
    assert line["specversion"] == "1.0"
    assert all(name.isalnum() and name.islower() for name in line)
    assert {type(value) for name, value in line.items() if name != "data"} == {str}


def test_a_hidden_event_is_no_cloud_event(secret_table: Table) -> None:
    ear = listen(secret_table, "watcher", after="0", format="cloudevents")
    ear.hear("event", 6)
    wait(secret_table.server, 0.1)
    assert HIDDEN_NAME not in ear.text


class Follower:
    """A client that keeps a table by its patches, and nothing else."""

    def __init__(self, ear: Ear) -> None:
        self.states: dict[int, tuple[Any, str]] = {}
        for frame in ear.frames:
            if frame.kind == "state":
                self.state = frame.data["state"]
            elif frame.kind == "patch":
                self.state = jsonpatch.apply_patch(self.state, frame.data["patch"])
            if frame.kind in {"state", "patch"}:
                self.states[frame.data["at"]] = (self.state, frame.data["state_hash"])
                self.version, self.at = frame.data["version"], frame.data["at"]


@pytest.mark.parametrize("as_", READERS)
def test_who_applies_every_patch_has_the_table_after_every_action(server: Server, as_: str) -> None:
    table = played(server)
    ear = listen(table, as_, after="0", format="state")
    last = table.get("/state", as_)
    ear.until(lambda frames: frames[-1].data.get("state_hash") == last["state_hash"])
    follower = Follower(ear)
    assert len(follower.states) >= 8
    for at, (state, state_hash) in follower.states.items():
        served = table.get("/state", as_, params={"at": str(at)})
        assert (state, state_hash) == (served["state"], served["state_hash"]), at
    assert follower.state == last["state"]


def played(server: Server) -> Table:
    table = conflict(server)
    hidden = {"id": "shade", "name": HIDDEN_NAME, "side": "adversity", "kind": "individual", "secret": True}
    numbers = {"action": 3, "defense": 3, "max_wounds": 2}
    table.done({"type": "add_character", **hidden, **numbers})
    table.done({"type": "maneuver", "actor": "zadie", "action_dice": 2}, "mina")
    table.done({"type": "note", "text": "hm"}, visible_to="gm")
    table.done({"type": "end_turn"})
    table.done({"type": "adjust", "character": "zadie", "changes": {"wounds": 1}, "reason": "x"})
    table.done({"type": "edit_character", "id": "zadie", "set": {"name": "Zadie Rae"}})
    return table


def test_a_table_is_followed_as_it_changes(table: Table) -> None:
    ear = listen(table, "mina", format="state")
    assert [frame.kind for frame in ear.until(lambda frames: len(frames) == 2)] == ["head", "state"]
    assert ear.frames[0].data["state_hash"] == ear.frames[1].data["state_hash"]
    table.done({"type": "attack", "attacker": "ada", "target": "ben"}, "mina")
    patch = ear.hear("patch")[0]
    assert patch.id.startswith(f"{table.version}.")
    assert Follower(ear).state == table.get("/state", "mina")["state"]


def test_a_table_is_followed_through_corrections(server: Server) -> None:
    """A correction is told like any action, and who follows has the table it leads to."""
    table = conflict(server)
    events, tables = listen(table, "mina", headers=LINES), listen(table, "mina", format="state")
    for actor, as_ in (("zadie", "mina"), ("rasheem", "noel")):
        table.done({"type": "maneuver", "actor": actor, "action_dice": 2}, as_)
        table.done({"type": "end_turn"})
        if actor == "zadie":
            table.done({"type": "end_turn"})
    states = []
    for route, body in (("/undo", {}), ("/undo", {}), ("/actions/5/undo", {"mode": "cascade"})):
        undone = table.ask("POST", route, json=body)
        assert undone.status_code == 201, undone.text
        states.append(table.get("/state", "mina"))
    last = states[-1]
    tables.until(lambda frames: frames[-1].data.get("version") == last["version"])
    follower = Follower(tables)
    for state in states:
        assert follower.states[state["at"]] == (state["state"], state["state_hash"])
    told = events.until(lambda frames: frames[-1].data.get("seq") == last["version"])
    undoing = [frame.data for frame in told if frame.data.get("type") == "core.action-undone"]
    assert [len(event["data"]["targets"]) >= 1 for event in undoing] == [True] * 3
    page = table.get("/events", "mina", params={"limit": 500})["events"]
    assert events.events == page[-len(events.events) :]


def test_who_follows_one_action_hears_of_every_correction_of_it(table: Table) -> None:
    """Undone, brought back and amended, with the new faces; and nothing of the actions beside it."""
    before = table.get("/state")["at"]
    for faces in ([1, 2], [3, 4]):
        table.done({"type": "roll", "count": 2, "purpose": "luck"}, dice=faces)
    ear = listen(table, after="0", action=str(before + 1))
    for part, body in (("undo", {}), ("redo", {}), ("amend", {"dice": [6, 6]})):
        assert table.ask("POST", f"/actions/{before + 1}/{part}", json=body).status_code == 201
        assert table.ask("POST", f"/actions/{before + 2}/undo", json={}).status_code == 201
        assert table.ask("POST", f"/actions/{before + 2}/redo", json={}).status_code == 201
    told = [frame.data for frame in ear.hear("event", 7)]
    wait(table.server, 0.05)
    assert len(ear.events) == 7
    assert [event["type"].partition(".")[2] for event in told] == [
        "action-taken", "dice-rolled", "action-undone", "action-redone",
        "action-amended", "action-revised", "dice-rolled",
    ]  # fmt: skip
    assert [[die["face"] for die in event["data"]["roll"]["dice"]] for event in (told[1], told[-1])] == [
        [1, 2], [6, 6],
    ]  # fmt: skip


def test_what_changes_nothing_for_the_reader_is_told_only_to_who_may_know_of_it(table: Table) -> None:
    ears = {as_: listen(table, as_, format="state") for as_ in ("gm", "watcher")}
    table.done({"type": "note", "text": "psst"}, visible_to="gm")
    table.done({"type": "note", "text": "hello"})
    told = {as_: [frame.data["at"] for frame in ear.hear("patch")] for as_, ear in ears.items()}
    ears["gm"].hear("patch", 2)
    assert [frame.data["at"] for frame in ears["gm"].hear("patch", 2)] == [4, 5]
    assert told["watcher"] == [5]
    assert ears["watcher"].hear("patch")[0].data["patch"] == []


def test_a_hidden_change_is_in_no_patch_of_those_it_is_hidden_from(server: Server) -> None:
    table = played(server)
    for as_ in ("mina", "noel", "watcher", "bot"):
        ear, last = listen(table, as_, after="0", format="state"), table.get("/state", as_)["state_hash"]
        ear.until(lambda frames, last=last: frames[-1].data.get("state_hash") == last)
        assert HIDDEN_NAME not in ear.text
        assert "shade" not in ear.text


def test_a_table_resumes_at_the_last_whole_action(table: Table) -> None:
    """A cursor in the middle of an action belongs to another format; the table stands before that action."""
    table.done({"type": "attack", "attacker": "ada", "target": "ben"}, "mina")
    ends = {event["seq"]: event["action"] for event in table.get("/events", params={"limit": 500})["events"]}
    for seq, action in ends.items():
        if seq == 1:
            continue
        whole = action if ends.get(seq + 1) != action else action - 1
        ear = listen(table, after=str(seq), format="state")
        state = ear.hear("state")[0]
        assert state.data == table.get("/state", params={"at": str(whole)})
        assert state.id == ear.frames[0].id == ear.frames[0].data["after"]
        if whole < 4:
            assert ear.hear("patch")[0].data["at"] == whole + 1
        ear.leave()


def test_a_reader_behind_is_told_the_table_page_by_page(server: Server) -> None:
    table = seated(server)
    for number in range(40):
        table.done({"type": "note", "text": f"{number}"})
    ear = listen(table, after="0", format="state")
    assert [frame.data["at"] for frame in ear.hear("patch", 43)] == list(range(1, 44))


@pytest.mark.parametrize("extra", [{"types": "duel.duel-begun"}, {"character": "ada"}, {"action": "1"}])
def test_a_table_is_whole_or_not_asked_for(table: Table, extra: dict[str, str]) -> None:
    ear = listen(table, format="state", **extra)
    assert (ear.status, ear.problem["code"]) == (422, "malformed-parameter")


def test_a_format_nobody_knows_is_refused(table: Table) -> None:
    assert listen(table, format="xml").problem["code"] == "malformed-parameter"
    ear = Ear(table.server, "/feed", ADMIN_KEY, params={"format": "state"})
    assert ear.problem["code"] == "malformed-parameter"


@pytest.mark.parametrize(
    "old,new",
    [
        ({"a": 1}, {"a": True}),
        ({"a": [1, 0]}, {"a": [True, False]}),
        ({"a": [1, 2, 3]}, {"a": [3, 1, 2, 1]}),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2, "": 3}}),
        ({"a": None}, {}),
        ({}, {"a": {"b": [{"c": 1}]}}),
        ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 2}, {"b": 1}]}),
    ],
)
def test_a_patch_leads_exactly_to_the_new_table(old: Any, new: Any) -> None:
    patch = msgspec.to_builtins(patch_between(old, new))
    assert encode(jsonpatch.apply_patch(old, patch)) == encode(new)
    assert patch_between(new, new) == ()
