"""How a feed ends: the close, a revoked token, a removed session, a server that stops, a reader too slow."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from listening import LINES, Ear, Heard, listen, wait
from server_process import environment
from serving import ADMIN_KEY, Server, Table, seated

from api.faults import ServerStopping, TooManyFeeds


def lasts(ear: Ear) -> tuple[str, Any]:
    last = ear.end()[-1]
    return last.kind, last.data.get("reason")


@pytest.mark.parametrize("headers", [{}, LINES], ids=["sse", "lines"])
def test_a_feed_ends_after_the_close_and_says_so(table: Table, headers: dict[str, str]) -> None:
    ears = [listen(table, headers=headers), listen(table, headers=headers, types="core.text-redacted")]
    table.done({"type": "close", "text": "good night"})
    closed = Heard(
        "closed",
        f"{table.version}.{table.get()['head_hash'][:8]}",
        {"session": table.id, "version": table.version, "head_hash": table.get()["head_hash"]},
    )
    for ear in ears:
        assert ear.end()[-1] == closed
    assert ears[0].events[-1]["type"] == "core.session-closed"


def test_who_comes_back_to_a_closed_session_is_told_that_there_is_no_more(table: Table) -> None:
    """204 is what makes a browser stop coming back."""
    ear = listen(table)
    table.done({"type": "close"})
    back = listen(table, headers={"Last-Event-ID": ear.end()[-1].id})
    assert (back.status, back.text) == (204, "")


def test_a_closed_session_is_told_from_any_point_and_then_ends(table: Table) -> None:
    table.done({"type": "close"})
    assert [frame.kind for frame in listen(table).end()] == ["head", "closed"]
    everything = listen(table, after="0")
    everything.end()
    assert [event["seq"] for event in everything.events] == list(range(1, table.version + 1))
    assert everything.frames[-1].kind == "closed"
    assert listen(table, after="0").frames[0].data["closed"] is True
    states = [frame.kind for frame in listen(table, format="state").end()]
    assert states == ["head", "state", "closed"]


def test_revoking_a_token_closes_its_feeds_and_no_others(table: Table) -> None:
    ears = [listen(table, "mina"), listen(table, "mina", headers=LINES)]
    others = [listen(table, "gm"), listen(table, "noel")]
    invite = table.get("/invites")["invites"][1]["id"]
    table.ask("DELETE", f"/invites/{invite}")
    for ear in ears:
        assert lasts(ear) == ("bye", "revoked")
    assert listen(table, "mina").status == 401
    table.done({"type": "note", "text": "she left"})
    assert all(len(ear.hear("event", 2)) == 2 for ear in others)


def test_a_rotated_token_closes_the_feeds_of_the_one_before(table: Table) -> None:
    ear = listen(table, "mina")
    invite = table.get("/invites")["invites"][1]["id"]
    table.tokens["mina"] = table.ask("POST", f"/invites/{invite}/rotate").json()["token"]
    assert lasts(ear) == ("bye", "revoked")
    assert listen(table, "mina").status == 200


ANOTHER_PROCESS = """
import sqlite3, sys
from eventlog.sqlite.tokens import revoke
db = sqlite3.connect(sys.argv[1])
assert revoke(db, sys.argv[2], "2026-12-01T20:00:00.000000Z")
db.commit()
"""


def test_a_token_revoked_by_another_process_closes_its_feeds_within_a_heartbeat(tmp_path: Path) -> None:
    """Whether they are idle or hear something just then; what happens after that, they do not hear."""
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY, heartbeat=0.2)
    try:
        table = seated(server)
        overlay = {"token": table.invite("overlay", "stream")}
        ears = {
            "mina": [listen(table, "mina"), listen(table, "mina", headers=LINES, types="core.text-redacted")],
            "stream": [Ear(server, f"/sessions/{table.id}/feed", None, params=overlay)],
        }
        others = [listen(table), listen(table, "noel")]
        seats = {seat["name"]: seat["id"] for seat in table.get("/invites")["invites"]}
        for name in ears:
            command = [sys.executable, "-c", ANOTHER_PROCESS, tmp_path / "log.db", seats[name]]
            subprocess.run(command, check=True, env=environment())
        for ear in (*ears["mina"], *ears["stream"]):
            assert lasts(ear) == ("bye", "revoked")
        table.done({"type": "note", "text": "still here"})
        assert all("still here" in str(ear.hear("event", 2)[-1].data) for ear in others)
        assert "still here" not in ears["mina"][0].text
        assert listen(table, "mina").status == 401
    finally:
        server.close()


def test_removing_a_session_ends_its_feeds(table: Table) -> None:
    ears = [listen(table), listen(table, "admin", headers=LINES, format="state")]
    assert table.ask("DELETE", "", "admin").status_code == 200
    for ear in ears:
        assert lasts(ear) == ("bye", "removed")


def test_a_stopping_server_says_goodbye_and_when_to_come_back(table: Table) -> None:
    ears = [listen(table), listen(table, "admin", headers=LINES)]
    before = listen(table, after="0").hear("event", table.version)[-1].id
    table.server.app.state.desk.feeds.stop()
    for ear in ears:
        last = ear.end()[-1]
        assert (last.kind, last.data, last.id) == ("bye", {"reason": "stopping", "retry": 2000}, before)
    assert ears[0].frames[-1].retry == "2000"
    late = listen(table)
    assert (late.status, late.problem["code"]) == (503, ServerStopping.code)
    assert late.answer["retry-after"] == "2"


def test_a_restarted_server_goes_on_where_a_reader_was(tmp_path: Any) -> None:
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    try:
        table = seated(server)
        ear = listen(table)
        table.done({"type": "note", "text": "before"})
        last = ear.hear("event", 2)[-1].id
        server.restart()
        table.done({"type": "note", "text": "after"})
        told = listen(table, headers={"Last-Event-ID": last}).hear("event", 2)
        assert told[-1].data["data"]["text"] == "after"
    finally:
        server.close()


@pytest.fixture
def impatient() -> Any:
    server = Server(admin_key=ADMIN_KEY, patience=0.2)
    yield server
    server.close()


def test_a_reader_who_is_too_slow_is_cut_off_and_resumes_without_loss(impatient: Server) -> None:
    table = seated(impatient)
    slow, quick = listen(table), listen(table)
    slow.turn_deaf()
    for number in range(20):
        table.done({"type": "note", "text": f"note {number}"})
    quick.hear("event", 40)
    wait(impatient, 0.3)
    slow.turn_deaf(deaf=False)
    slow.end()
    assert slow.frames[-1].kind != "bye"
    assert len(slow.events) < 40, "nothing is sent past a reader who does not listen"
    back = listen(table, headers={"Last-Event-ID": slow.frames[-1].id})
    back.until(lambda frames: len(frames) - 1 + len(slow.events) >= 40)
    assert slow.events + back.events == quick.events
    assert "tabletape_feeds_cut_off_total 1.0" in impatient.ask("GET", "/metrics").text  # fmt: skip


def test_a_slow_reader_keeps_nobody_waiting(impatient: Server) -> None:
    table = seated(impatient)
    slow, quick = listen(table), listen(table)
    slow.turn_deaf()
    table.done({"type": "note", "text": "hello"})
    assert quick.hear("event", 2)
    assert not slow.over


def test_two_feeds_of_one_token_both_hear_everything(table: Table) -> None:
    """A second stream does not close the first (lichess-org/api#518)."""
    ears = [listen(table, "bot") for _ in range(2)]
    table.done({"type": "note", "text": "hello"})
    assert ears[0].hear("event", 2) == ears[1].hear("event", 2)


def test_above_the_limit_the_new_feed_is_refused_and_the_open_ones_stay() -> None:
    server = Server(admin_key=ADMIN_KEY, feeds_per_token=2)
    try:
        table = seated(server)
        ears = [listen(table, "bot") for _ in range(2)]
        refused = listen(table, "bot")
        assert (refused.status, refused.problem["code"], refused.problem["limit"]) == (
            429,
            TooManyFeeds.code,
            2,
        )
        assert listen(table, "watcher").status == 200, "the limit is of one token"
        table.done({"type": "note", "text": "hello"})
        assert ears[0].hear("event", 2) == ears[1].hear("event", 2)
        ears[0].leave()
        assert listen(table, "bot").status == 200
        assert listen(table, "noel", after="99").status == 410
        assert [listen(table, "noel").status for _ in range(3)] == [200, 200, 429], (
            "who is refused holds no place"
        )
    finally:
        server.close()


def test_a_log_that_cannot_be_told_ends_the_feed_with_a_word(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = listen(table)

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the canary of a message")

    monkeypatch.setattr(type(table.server.store), "envelopes", broken)
    table.server.app.state.desk.recorder.announcer.announce(table.id)
    assert lasts(ear) == ("bye", "broken")
    assert "canary" not in ear.text
    assert "RuntimeError" in ear.scope["tabletape_fault"]


def test_one_line_of_the_log_tells_of_a_feed_that_ended(capfd: pytest.CaptureFixture[str]) -> None:
    server = Server(admin_key=ADMIN_KEY, log="json")
    try:
        table = seated(server)
        frames = table.version + 1
        ear = listen(table, "mina", after="0")
        ear.hear("event", frames - 1)
        measured = server.ask("GET", "/metrics").text
        assert "tabletape_feeds_open 1.0" in measured
        ear.leave()
        measured = server.ask("GET", "/metrics").text
        assert "tabletape_feeds_open 0.0" in measured
        assert f"tabletape_feed_frames_total {frames}.0" in measured
        assert (
            'tabletape_requests_total{method="GET",route="/sessions/{session}/feed",status="200"} 1.0'
            in measured
        )
        assert (
            'tabletape_request_seconds_count{method="GET",route="/sessions/{session}/feed"} 0.0' in measured
        )
        token = table.invite("overlay", "screen")
        Ear(server, f"/sessions/{table.id}/feed", params={"token": token}).leave()
    finally:
        server.close()
    lines = [
        line for line in capfd.readouterr().err.splitlines() if '"route":"/sessions/{session}/feed"' in line
    ]
    assert len(lines) == 2
    assert f'"frames":{frames},"ended":"left"' in lines[0]
    assert '"role":"player"' in lines[0]
    assert '"role":"overlay"' in lines[1]
    assert "tt_" not in "".join(lines)
