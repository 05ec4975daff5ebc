"""The feed of a session: from any point, everything that is for the reader, once and in order."""

import asyncio
from typing import Any

import pytest
from listening import LINES, Ear, frames_of, listen, wait
from serving import ADMIN_KEY, HIDDEN_ID, HIDDEN_NAME, HIDDEN_NOTE, HIDDEN_ROLL, Server, Table, seated

from eventlog.testing import opened

CANARIES = (HIDDEN_ID, HIDDEN_NAME, HIDDEN_NOTE, HIDDEN_ROLL)
READERS = ("gm", "mina", "noel", "watcher", "bot", "admin")


@pytest.fixture
def quick() -> Any:
    """A server whose feeds are never silent for long."""
    server = Server(admin_key=ADMIN_KEY, heartbeat=0.05)
    yield server
    server.close()


def shown(table: Table, as_: str) -> list[Any]:
    """The events GET …/events shows somebody whole."""
    events = table.get("/events", as_, params={"limit": 500})["events"]
    return [event for event in events if "type" in event]


def cursors(table: Table) -> list[str]:
    return [f"{each.seq}.{each.hash.hex()[:8]}" for each in table.server.store.envelopes(table.id)]


@pytest.mark.parametrize("headers,kind", [({}, "text/event-stream"), (LINES, "application/x-ndjson")])
def test_the_first_frame_says_where_the_session_stands(
    table: Table, headers: dict[str, str], kind: str
) -> None:
    ear = listen(table, headers=headers)
    head, here = ear.hear("head")[0], cursors(table)[-1]
    assert ear.frames == [head]
    assert ear.answer["content-type"] == kind
    assert ear.answer["cache-control"] == "private, no-store"
    assert ear.answer["x-accel-buffering"] == "no"
    state = table.get("/state")
    assert head.id == here
    assert head.data == {
        "session": table.id, "after": here, "head": here, "version": table.version, "action": 3,
        "head_hash": table.get()["head_hash"], "closed": False, "state_hash": state["state_hash"],
    }  # fmt: skip


def test_server_sent_events_say_when_to_come_back(table: Table) -> None:
    assert listen(table).hear("head")[0].retry == "2000"


@pytest.mark.parametrize(
    "accept,lines",
    [
        ("application/x-ndjson", True),
        ("text/event-stream, application/x-ndjson;q=0.5", False),
        ("text/event-stream;q=0.5, application/x-ndjson", True),
        ("*/*", False),
        ("application/json", False),
    ],
)
def test_a_reader_gets_the_form_it_asks_for(table: Table, accept: str, *, lines: bool) -> None:
    ear = listen(table, headers={"Accept": accept})
    assert ("ndjson" in ear.answer["content-type"]) is lines


def test_without_a_cursor_a_feed_tells_what_happens_from_now_on(table: Table) -> None:
    ear = listen(table)
    done = table.done({"type": "roll", "count": 2, "purpose": "the weather"})
    told = ear.hear("event", len(done["events"]))
    assert [frame.data for frame in told] == shown(table, "gm")[-len(told) :]
    assert [frame.id for frame in told] == cursors(table)[-len(told) :]


@pytest.mark.parametrize("headers", [{}, LINES], ids=["sse", "lines"])
@pytest.mark.parametrize("as_", READERS)
def test_a_feed_tells_each_reader_what_the_log_shows_them(
    secret_table: Table, as_: str, headers: dict[str, str]
) -> None:
    wanted = shown(secret_table, as_)
    ear = listen(secret_table, as_, headers=headers, after="0")
    assert [frame.data for frame in ear.hear("event", len(wanted))] == wanted
    secret_table.done({"type": "note", "text": HIDDEN_NOTE}, visible_to="gm")
    secret_table.done({"type": "note", "text": "for everybody"})
    wanted = shown(secret_table, as_)
    assert [frame.data for frame in ear.hear("event", len(wanted))] == wanted
    if as_ not in {"gm", "admin"}:
        assert not [canary for canary in CANARIES if canary in ear.text]


def test_a_feed_goes_on_from_every_point(table: Table) -> None:
    everything, all_cursors = shown(table, "gm"), cursors(table)
    for number, cursor in enumerate(all_cursors, 1):
        for after in (cursor, str(number)):
            ear = listen(table, after=after)
            assert ear.hear("head")[0].id == cursor, "the opening frame repeats where the reader stands"
            assert [frame.data for frame in ear.hear("event", len(everything) - number)] == everything[
                number:
            ]
            ear.leave()


def test_a_cut_before_anything_new_is_harmless(table: Table) -> None:
    """A resumed stream that drops before any new event resumes at the same point (typescript-sdk#2809)."""
    cursor = cursors(table)[3]
    for _ in range(3):
        ear = listen(table, headers={"Last-Event-ID": cursor}, types="core.note-added")
        cursor = ear.hear("head")[0].id
        ear.leave()
    table.done({"type": "note", "text": "at last"})
    told = listen(table, headers={"Last-Event-ID": cursor}, types="core.note-added").hear("event")
    assert [frame.data["data"]["text"] for frame in told] == ["at last"]


def test_the_last_event_id_goes_before_the_address(table: Table) -> None:
    """A browser keeps the address it began with when it comes back."""
    ear = listen(table, headers={"Last-Event-ID": cursors(table)[-2]}, after="0")
    assert len(ear.hear("event")) == 1


@pytest.mark.parametrize("after", ["", "99", "5.00000000", "x", "-1", "05", "1.5", "0.00000000", "5.a", "٣"])
def test_a_cursor_that_does_not_fit_is_refused_with_the_head(table: Table, after: str) -> None:
    ear = listen(table, after=after)
    problem = ear.problem
    assert (ear.status, problem["code"], problem["head"]) == (410, "cursor-unknown", cursors(table)[-1])


def test_a_cursor_of_another_session_tells_nothing(table: Table) -> None:
    """A resume id from elsewhere never delivers other people's events (frontmcp#529)."""
    other = seated(table.server)
    theirs = cursors(other)[4]
    for given in ({"params": {"after": theirs}}, {"headers": {"Last-Event-ID": theirs}}):
        ear = Ear(table.server, f"/sessions/{table.id}/feed", table.tokens["mina"], **given)  # type: ignore[arg-type]
        assert (ear.status, ear.problem["head"]) == (410, cursors(table)[-1])
    assert Ear(table.server, f"/sessions/{other.id}/feed", table.tokens["mina"]).status == 401


def test_a_cursor_is_a_place_and_gives_no_rights(secret_table: Table) -> None:
    """A player who comes with a cursor of the GM's, on a hidden event, gets what a player gets."""
    hidden = next(
        frame.id
        for frame in listen(secret_table, after="0").hear("event", len(cursors(secret_table)))
        if HIDDEN_NOTE in str(frame.data)
    )
    ear = listen(secret_table, "mina", after=hidden)
    secret_table.done({"type": "note", "text": "hello"})
    assert [event["type"] for event in [frame.data for frame in ear.hear("event", 2)]] == [
        "core.action-taken",
        "core.note-added",
    ]
    assert HIDDEN_ROLL not in ear.text


def test_a_heartbeat_moves_the_cursor_past_what_is_hidden(quick: Server) -> None:
    table = seated(quick)
    ear = listen(table, "mina")
    first = ear.hear("heartbeat")[-1]
    assert first.id == first.data["cursor"] == cursors(table)[-1]
    table.done({"type": "note", "text": HIDDEN_NOTE}, visible_to="gm")
    ear.until(lambda frames: frames[-1].id == cursors(table)[-1])
    assert ear.events == []
    assert HIDDEN_NOTE not in ear.text


def test_a_heartbeat_moves_the_cursor_of_a_reader_who_filters_while_it_catches_up(quick: Server) -> None:
    table = seated(quick)
    for number in range(3):
        table.done({"type": "note", "text": f"note {number}"})
    ear = listen(table, headers=LINES, after="0", types="core.text-redacted")
    ear.until(lambda frames: frames[-1].id == cursors(table)[-1])
    assert [frame.kind for frame in ear.frames][:2] == ["head", "heartbeat"]


def test_a_feed_is_never_silent_for_longer_than_its_heartbeat(quick: Server) -> None:
    """Measured by a clock beside it, which a slow machine slows down alike."""
    ear = listen(seated(quick))

    async def ticks(until: int) -> int:
        ticked = 0
        while sum(frame.kind == "heartbeat" for frame in ear.frames) < until:
            await asyncio.sleep(quick.settings.heartbeat)
            ticked += 1
        return ticked

    first, then = (quick.do(lambda until=until: ticks(until)) for until in (1, 9))
    assert first <= 3
    assert 8 - 2 <= then <= 2 * 8


def test_filters_narrow_what_a_reader_may_see_anyway(secret_table: Table) -> None:
    table, everything = secret_table, shown(secret_table, "watcher")
    taken = [event for event in everything if event["type"] == "core.action-taken"]
    for params, wanted in (
        ({"types": "core.action-taken"}, taken),
        ({"types": "core.action-taken,duel.duel-begun"}, [*taken, *_of(everything, "duel.duel-begun")]),
        ({"character": "ada"}, [event for event in everything if '"ada"' in str(event).replace("'", '"')]),
        ({"action": "3"}, [event for event in everything if event["action"] == 3]),
        ({"action": "3", "types": "core.action-taken"}, [each for each in taken if each["action"] == 3]),
        ({"character": HIDDEN_ID}, []),
        ({"types": "core.note-added"}, []),
    ):
        ear = listen(table, "watcher", after="0", **params)
        ear.hear("event", len(wanted))
        wait(table.server, 0.05)
        assert sorted(event["seq"] for event in ear.events) == sorted(event["seq"] for event in wanted), (
            params
        )


def _of(events: list[Any], kind: str) -> list[Any]:
    return [event for event in events if event["type"] == kind]


def test_what_another_process_stores_is_told_too(table: Table, monkeypatch: Any) -> None:
    """Nobody announces it here: the feed looks now and then."""
    ear = listen(table)
    monkeypatch.setattr(table.server.app.state.desk.recorder.announcer, "announce", lambda _session: None)
    table.done({"type": "note", "text": "from elsewhere"})
    assert ear.hear("event", 2)[-1].data["data"]["text"] == "from elsewhere"


def test_words_that_were_taken_back_are_not_told_again(table: Table) -> None:
    noted = table.done({"type": "note", "text": "a slip of the tongue"})
    before = listen(table, after="0")
    assert "slip of the tongue" in before.until(lambda frames: len(frames) == noted["version"] + 1)[-1].data["data"]["text"]  # fmt: skip
    table.ask("POST", "/redactions", json={"seq": noted["version"]})
    after = listen(table, after="0")
    after.hear("event", table.version)
    assert "slip of the tongue" not in after.text


def test_the_seed_is_told_with_the_close_and_not_before(table: Table) -> None:
    """The per-viewer view never carries the seed (phase#5368)."""
    seed = table.server.store.seed(table.id).hex()
    ear = listen(table, "mina", after="0")
    table.done({"type": "roll", "count": 3, "purpose": "x"})
    ear.hear("event", table.version)
    assert seed not in ear.text
    table.done({"type": "close"})
    assert seed in str(ear.end())


def test_order_is_that_of_the_log_whatever_the_clock_says(table: Table, monkeypatch: Any) -> None:
    """Cursors count events; times play no part (ShieldBattery#139, t3code#3983)."""
    import eventlog.recorder

    ear = listen(table)
    for hour in ("23", "04", "01"):
        monkeypatch.setattr(eventlog.recorder, "now", lambda at=hour: f"2026-12-01T{at}:00:00.000000Z")
        table.done({"type": "note", "text": hour})
    told = ear.hear("event", 6)
    assert [frame.data["data"]["text"] for frame in told[1::2]] == ["23", "04", "01"]
    assert [int(frame.id.partition(".")[0]) for frame in told] == sorted(event["seq"] for event in ear.events)


def test_a_feed_of_an_unknown_session_is_refused(table: Table) -> None:
    assert Ear(table.server, "/sessions/nowhere/feed", ADMIN_KEY).problem["code"] == "unknown-session"
    assert Ear(table.server, "/sessions/nowhere/feed", table.tokens["gm"]).status == 401
    assert Ear(table.server, f"/sessions/{table.id}/feed").status == 401


def test_a_log_whose_game_is_not_installed_is_told_and_its_table_is_not(server: Server) -> None:
    log = opened("foreign", 3)
    server.store.append([log])
    path = "/sessions/foreign/feed"
    ear = Ear(server, path, ADMIN_KEY, params={"after": "0"})
    assert [frame.data["hash"] for frame in ear.hear("event", 3)] == [
        event.hash.hex() for event in log.events
    ]
    assert ear.frames[0].data["state_hash"] is None
    table = Ear(server, path, ADMIN_KEY, params={"format": "state"})
    assert (table.status, table.problem["code"]) == (409, "ruleset-not-installed")


def test_frames_are_read_as_they_are_written() -> None:
    assert frames_of('id: 1.ab\ndata: {"a":1}\n\n') == frames_of('{"frame":"event","cursor":"1.ab","a":1}\n')
