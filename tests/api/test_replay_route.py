"""Replay over HTTP: every action with its table, at a pace, for the eyes of one reader."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import jsonschema_rs
import pytest
from serving import HIDDEN_NOTE, ROLES, Table, problem
from test_secrets import ALL_CANARIES, MAY_KNOW

from api.routes import replay
from eventlog.errors import EventUnreadable

Frames = list[tuple[str, str, Any]]


def parsed(text: str) -> Frames:
    """Kind, id and data of each frame."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], fields["id"], json.loads(fields["data"])))
    return found


def replayed(table: Table, as_: str = "gm", **params: Any) -> Frames:
    answer = table.ask("GET", "/replay", as_, params=params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return parsed(answer.text)


def test_each_action_comes_with_its_line_and_the_table_after_it(table: Table) -> None:
    *told, end = replayed(table)
    assert [number for _, number, _ in told] == ["0", "1", "2", "3"]
    assert end == ("end", "end", {"frames": 4, "reason": "done"})
    for kind, number, frame in told:
        assert (kind, frame["action"]) == ("action", int(number))
        entry = table.get(f"/actions/{number}")
        assert (frame["line"], frame["at"], frame["entry"]) == (entry["line"], entry["at"], entry)
        state = table.get("/state", params={"at": number})
        assert {name: frame[name] for name in ("state", "state_hash", "version")} == {
            name: state[name] for name in ("state", "state_hash", "version")
        }


def test_from_and_to_name_the_first_and_the_last_action(table: Table) -> None:
    whole = replayed(table)
    assert replayed(table, **{"from": 2})[:-1] == whole[2:-1]
    assert replayed(table, to=1)[:-1] == whole[:2]
    assert replayed(table, **{"from": 3, "to": 2}) == [("end", "end", {"frames": 0, "reason": "done"})]


def strength(told: Frames) -> list[tuple[int, int]]:
    """Ada's, after the last two actions."""
    return [(frame["action"], frame["state"]["duellists"]["ada"]["hp"]) for _, _, frame in told[-3:-1]]


def test_a_correction_is_told_as_it_was_taken_or_the_history_as_it_stands(table: Table) -> None:
    table.done({"type": "adjust", "duellist": "ada", "hp": -7, "reason": "a bad breakfast"})
    undone = table.ask("POST", "/actions/4/undo", json={})
    assert undone.status_code == 201
    assert strength(replayed(table)) == [(4, 3), (5, 10)]
    assert strength(replayed(table, corrected=True)) == [(2, 10), (3, 10)]


def test_a_reader_who_comes_back_goes_on_after_the_last_frame(table: Table) -> None:
    for corrected in ("false", "true"):
        whole = replayed(table, corrected=corrected)
        answer = table.ask("GET", "/replay", params={"corrected": corrected}, headers={"Last-Event-ID": "1"})
        assert parsed(answer.text)[:-1] == whole[2:-1]
    over = table.ask("GET", "/replay", headers={"Last-Event-ID": "end"})
    assert (over.status_code, over.content) == (204, b"")


@pytest.mark.parametrize("role", ROLES[:-1])
def test_nothing_hidden_is_replayed(secret_table: Table, role: str) -> None:
    secret_table.done({"type": "conceal_dagger", "duellist": "ada"}, "mina")
    correction = {"mode": "rebase", "reason": HIDDEN_NOTE}
    assert secret_table.ask("POST", "/actions/4/undo", json=correction).status_code == 201
    for params in ({}, {"corrected": True}, {"from": 4}, {"from": 5, "corrected": True}):
        told = json.dumps(replayed(secret_table, role, **params))
        if role not in MAY_KNOW:
            assert not [canary for canary in ALL_CANARIES if canary.casefold() in told.casefold()]
    numbers = [number for _, number, _ in replayed(secret_table, role)]
    assert ("4" in numbers) is (role in MAY_KNOW)


@pytest.mark.parametrize(
    "params, status, code",
    [
        ({"from": 99}, 404, "unknown-action"),
        ({"to": 4}, 404, "unknown-action"),
        ({"from": -1}, 422, "malformed-parameter"),
        ({"to": "x"}, 422, "malformed-parameter"),
        ({"speed": -1}, 422, "malformed-parameter"),
        ({"speed": 101}, 422, "malformed-parameter"),
        ({"speed": "nan"}, 422, "malformed-parameter"),
        ({"speed": "inf"}, 422, "malformed-parameter"),
    ],
)
def test_what_cannot_be_replayed_is_a_problem(table: Table, params: Any, status: int, code: str) -> None:
    problem(table.ask("GET", "/replay", params=params), status, code)


def test_every_frame_is_as_the_description_says(secret_table: Table) -> None:
    document = secret_table.server.ask("GET", "/schema/openapi.json").json()
    described = document["paths"]["/sessions/{session}/replay"]["get"]["responses"]["200"]["content"]
    frames = described["text/event-stream"]["x-frames"]
    for kind, _, data in replayed(secret_table):
        jsonschema_rs.validator_for({**frames[kind], "components": document["components"]}).validate(data)


# --- pace -----------------------------------------------------------------------------------------------------

EIGHT, MINUTE = "2026-12-01T20:00:00.000000Z", "2026-12-01T20:01:00.000000Z"


@pytest.mark.parametrize(
    "before, at, speed, seconds",
    [
        ("", EIGHT, 1, 0),  # the first comes at once
        (EIGHT, MINUTE, 0, 0),
        (EIGHT, "2026-12-01T20:00:04.500000Z", 1, 4.5),
        (EIGHT, "2026-12-01T20:00:04.500000Z", 2, 2.25),
        (EIGHT, MINUTE, 1, 10),  # nobody waits while the table thinks
        (EIGHT, MINUTE, 0.5, 20),
        (EIGHT, MINUTE, 0.001, 60),
        (MINUTE, EIGHT, 1, 0),  # what was forgotten was typed in later
    ],
)
def test_pauses_are_those_of_the_table_up_to_a_limit(
    before: str, at: str, speed: float, seconds: float
) -> None:
    assert replay.pause(before, at, speed) == pytest.approx(seconds)


def test_frames_come_at_the_pace_they_were_played(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    time.sleep(0.3)
    table.done({"type": "note", "text": "en garde"})
    began = time.monotonic()
    replayed(table, **{"from": 3, "speed": 1})
    assert 0.25 < time.monotonic() - began < 5


def listening(
    table: Table, path: str, on_frame: Callable[[int, Callable[[], None]], Awaitable[None]], role: str = "gm"
) -> tuple[Frames, float]:
    """Follow a replay, frame by frame; `on_frame` may leave. The frames, and how long it took to end."""

    async def follow() -> tuple[Frames, float]:
        left, told, begun = asyncio.Event(), [""], [0.0]
        token = table.tokens[role]

        async def receive() -> Any:
            if not begun[0]:
                begun[0] = time.monotonic()
                return {"type": "http.request", "body": b"", "more_body": False}
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body" and message["body"]:
                told[0] += message["body"].decode()
                await on_frame(len(parsed(told[0])), left.set)
            if message["type"] == "http.response.body" and not message["more_body"]:
                left.set()

        name, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": f"/sessions/{table.id}{name}", "raw_path": b"", "query_string": query.encode(), "root_path": "",
            "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())],
            "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        }  # fmt: skip
        await asyncio.wait_for(table.server.app(scope, receive, send), 20)
        return parsed(told[0]), time.monotonic() - begun[0]

    return table.server.do(follow)


def test_a_reader_who_leaves_ends_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "pause", lambda *_: 3600 if _[0] else 0)

    async def leave(_: int, left: Callable[[], None]) -> None:
        left()

    told, seconds = listening(table, "/replay?speed=1", leave)
    assert ([number for _, number, _ in told], seconds < 5) == (["0"], True)


def test_a_waiting_replay_shows_that_it_is_there(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "pause", lambda *_: 0.35 if _[0] else 0)
    monkeypatch.setattr(replay, "HEARTBEAT", 0.1)
    text = table.ask("GET", "/replay", params={"speed": 1, "from": 2}).text
    assert text.count(": the table waits\n\n") == 3
    assert [number for _, number, _ in parsed(text)] == ["2", "3", "end"]


def test_a_token_that_is_revoked_ends_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "pause", lambda *_: 0.01)
    desk = table.server.app.state.desk

    async def revoke(count: int, _: Callable[[], None]) -> None:
        if count == 2:
            desk.tokens.revoke([each for each in desk.tokens.standing(table.id) if each.name == "watcher"])

    told, _ = listening(table, "/replay?speed=1", revoke, "watcher")
    assert told[-1] == ("end", "end", {"frames": 2, "reason": "revoked"})


@pytest.mark.parametrize(
    "fault", [EventUnreadable("Event 300 cannot be read", seq=300), KeyError("ada"), OSError()]
)
def test_a_log_that_cannot_be_told_any_further_says_so(
    table: Table, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """Whatever breaks, the reader is not left waiting for an end."""
    actions = table.server.store.actions

    def broken(session: str, first: int, last: int) -> Any:
        if first > replay.AT_ONCE:
            raise fault
        return actions(session, first, last)

    for _ in range(100):
        table.done({"type": "end_turn"})
    monkeypatch.setattr(table.server.store, "actions", broken)
    assert replayed(table)[-1] == ("end", "end", {"frames": 64, "reason": "broken"})
