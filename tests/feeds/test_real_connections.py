"""Feeds over real connections: a reader who does not read, a server that is told to stop, a token taken away."""

import json
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from mortal_server import MortalServer
from server_process import SECONDS

from api.server import SECONDS_TO_FINISH

ADMIN = "the key under the mat"
BEFORE_IT_IS_FORCED = SECONDS_TO_FINISH - 1
"""Seconds in which a server has stopped that waited for nobody; one that waits is ended by force later than that."""


class Opened(NamedTuple):
    """A running server and a session of it."""

    server: MortalServer
    session: str
    gm: str

    @property
    def feed(self) -> str:
        return f"{self.server.url}/sessions/{self.session}/feed"

    def ask(self, method: str, part: str, **body: Any) -> Any:
        answer = httpx.request(
            method, f"{self.server.url}/sessions/{self.session}{part}", headers=bearer(self.gm), **body
        )
        assert answer.is_success, answer.text
        return answer.json()


def bearer(token: str, **more: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", **more}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    server = MortalServer(tmp_path / "log.db", "--patience", "0.5", TABLETAPE_ADMIN_KEY=ADMIN)
    server.start_now()
    try:
        answer = httpx.post(
            f"{server.url}/sessions",
            json={"ruleset": "duel", "title": "x"},
            headers=bearer(ADMIN),
            timeout=SECONDS,
        ).json()
        yield Opened(server, answer["id"], answer["gm_token"])
    finally:
        server.kill()


def write_much(opened: Opened) -> None:
    """Fill the log with more than an operating system buffers for one connection."""
    words = {"text": "\N{GAME DIE}" * 2000}
    with httpx.Client(base_url=opened.server.url, headers=bearer(opened.gm), timeout=SECONDS) as client:
        for _ in range(1200):
            assert client.post(f"/sessions/{opened.session}/notes", json=words).is_success


def deaf_reader(opened: Opened, after: str) -> socket.socket:
    """A connection that asked for a feed and has little room for the answer."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.connect(("127.0.0.1", opened.server.port))
    path = f"/sessions/{opened.session}/feed?after={after}"
    reader.sendall(
        f"GET {path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {opened.gm}\r\n\r\n".encode()
    )
    return reader


def rest_of(reader: socket.socket) -> bytes:
    """What is left on a connection until it ends, in good order or not."""
    reader.settimeout(SECONDS)
    taken = b""
    try:
        while part := reader.recv(65536):
            taken += part
    except ConnectionResetError:
        pass
    reader.close()
    return taken


def events_of(stream: bytes) -> list[tuple[str, Any]]:
    """The whole events of Server-Sent Events that may have been cut off, with their cursors."""
    found = []
    for frame in stream.split(b"\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in frame.decode().splitlines() if ": " in line)
        if "event" not in fields and "data" in fields:
            found.append((fields["id"], json.loads(fields["data"])))
    return found


def measured(opened: Opened, name: str) -> float:
    text = httpx.get(f"{opened.server.url}/metrics", timeout=SECONDS).text
    return float(next(line.split()[1] for line in text.splitlines() if line.startswith(f"{name} ")))


def until(so: Any) -> None:
    end = time.monotonic() + SECONDS
    while not so():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_reader_who_does_not_read_is_cut_off_and_resumes_without_loss(opened: Opened) -> None:
    write_much(opened)
    reader = deaf_reader(opened, "0")
    until(lambda: measured(opened, "tabletape_feeds_cut_off_total") == 1)
    assert measured(opened, "tabletape_feeds_open") == 0
    told = events_of(rest_of(reader))
    version = opened.ask("GET", "")["version"]
    assert 0 < len(told) < version
    with httpx.stream(
        "GET", opened.feed, headers=bearer(opened.gm, **{"Last-Event-ID": told[-1][0]})
    ) as answer:
        taken = b""
        for part in answer.iter_bytes():
            taken += part
            if len(told) + taken.count(b"\n\n") - 1 >= version:
                break
    seqs = [event["seq"] for _, event in told + events_of(taken)]
    assert seqs == list(range(1, version + 1))


def test_a_server_told_to_stop_says_goodbye_and_stops_in_time(opened: Opened) -> None:
    assert opened.server.process
    with httpx.Client(timeout=SECONDS) as client:
        feeds = [client.stream("GET", opened.feed, headers=bearer(opened.gm)) for _ in range(5)]
        lines = [feed.__enter__().iter_lines() for feed in feeds]
        for each in lines:
            assert next(each) == "event: head"
        deaf = deaf_reader(opened, "0")
        until(lambda: measured(opened, "tabletape_feeds_open") == 6)
        opened.server.process.send_signal(signal.SIGTERM)
        started = time.monotonic()
        for each in lines:
            rest = list(each)
            assert rest[-5:-3] == ["event: bye", "retry: 2000"]
            assert json.loads(rest[-2].removeprefix("data: ")) == {"reason": "stopping", "retry": 2000}
        assert opened.server.process.wait(SECONDS) == 0
        assert time.monotonic() - started < BEFORE_IT_IS_FORCED
        for feed in feeds:
            feed.__exit__(None, None, None)
    assert b"event: bye" in rest_of(deaf)


def test_a_server_stops_in_time_although_a_reader_does_not_read(opened: Opened) -> None:
    assert opened.server.process
    opened.server.kill()
    opened.server._options = ("--patience", "600")
    opened.server.start_now()
    write_much(opened)
    reader = deaf_reader(opened, "0")
    until(lambda: measured(opened, "tabletape_feeds_open") == 1)
    time.sleep(0.3)
    started = time.monotonic()
    opened.server.process.send_signal(signal.SIGTERM)
    assert opened.server.process.wait(SECONDS) == 0
    assert time.monotonic() - started < BEFORE_IT_IS_FORCED
    assert b"event: bye" not in rest_of(reader)


def test_a_revoked_token_closes_its_connection(opened: Opened) -> None:
    invited = opened.ask("POST", "/invites", json={"role": "overlay", "name": "screen"})
    with httpx.stream("GET", opened.feed, params={"token": invited["token"]}, timeout=SECONDS) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: head"
        opened.ask("DELETE", f"/invites/{invited['id']}")
        assert json.loads(list(lines)[-2].removeprefix("data: ")) == {"reason": "revoked", "retry": None}
    assert httpx.get(opened.feed, params={"token": invited["token"]}, timeout=SECONDS).status_code == 401


def test_a_reader_who_hangs_up_is_forgotten(opened: Opened) -> None:
    reader = deaf_reader(opened, "1")
    until(lambda: measured(opened, "tabletape_feeds_open") == 1)
    reader.close()
    until(lambda: measured(opened, "tabletape_feeds_open") == 0)
    assert measured(opened, "tabletape_feeds_cut_off_total") == 0


def test_who_asks_for_the_headers_alone_does_not_stay(opened: Opened) -> None:
    """A `HEAD` that followed the feed would never be answered to its end."""
    answer = httpx.head(opened.feed, headers=bearer(opened.gm), timeout=5)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")
    until(lambda: measured(opened, "tabletape_feeds_open") == 0)
