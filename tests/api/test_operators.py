"""For whoever runs the server: health, readiness, measurements, hosts, origins, the process itself."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from server_process import free_port
from serving import ADMIN_KEY, Server, Table, problem

from api.app import create_app
from api.cli.process import run
from api.server import server_config
from api.settings import ServerSettings
from eventlog.errors import DatabaseInUse, StoreUnusable


def test_making_an_application_opens_nothing(tmp_path: Path) -> None:
    create_app(ServerSettings(db=str(tmp_path / "log.db")))
    assert list(tmp_path.iterdir()) == []


def test_health_and_readiness(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    assert server.ask("GET", "/health").json() == {"status": "ok"}
    assert server.ask("GET", "/ready").json() == {"status": "ready"}

    def full() -> None:
        raise StoreUnusable("The disk is full: make room")

    monkeypatch.setattr(type(server.store), "ready", lambda _self: full())
    assert "make room" in problem(server.ask("GET", "/ready"), 503, "store-unusable")["detail"]
    assert server.ask("GET", "/health").status_code == 200


def test_requests_are_counted_by_route_and_not_by_session(table: Table) -> None:
    table.get("/state")
    table.ask("GET", "/state", "none")
    table.server.ask("GET", "/nowhere")
    measured = table.server.ask("GET", "/metrics")
    assert measured.headers["content-type"].startswith("text/plain")
    assert 'route="/sessions/{session}/state",status="401"' in measured.text
    assert 'tabletape_requests_total{method="GET",route="unmatched",status="404"} 1.0' in measured.text
    assert table.id not in measured.text


def test_two_servers_count_apart(server: Server) -> None:
    other = Server()
    try:
        server.ask("GET", "/health")
        assert 'route="/health"' not in other.ask("GET", "/metrics").text
    finally:
        other.close()


def test_a_request_is_numbered_and_may_bring_its_number(server: Server) -> None:
    given = server.ask("GET", "/health", headers={"X-Request-Id": "bot-17"})
    assert given.headers["x-request-id"] == "bot-17"
    odd = ("", "a b", "x" * 65, 'a"b')
    made = [
        server.ask("GET", "/health", headers={"X-Request-Id": each}).headers["x-request-id"] for each in odd
    ]
    assert len(set(made)) == len(odd)
    assert set(made).isdisjoint(odd)


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:80", "[::1]:8000", "LOCALHOST", "table.local"]
)
def test_a_name_of_the_server_is_answered(host: str) -> None:
    server = Server(allowed_hosts=("table.local",))
    try:
        assert server.ask("GET", "/health", headers={"Host": host}).status_code == 200
    finally:
        server.close()


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "192.168.1.5", "", "::1", "localhost:80:80", "a@localhost"],
)
def test_another_name_is_refused(server: Server, host: str) -> None:
    problem(server.ask("GET", "/health", headers={"Host": host}), 421, "unknown-host")


def test_a_server_in_the_network_answers_to_its_address() -> None:
    settings = ServerSettings(host="0.0.0.0", admin_key="k")  # noqa: S104 - what is tested
    assert settings.knows_host("192.168.1.5:8000")
    assert settings.knows_host("[fe80::1]:8000")
    assert not settings.knows_host("evil.example")


def test_only_listed_origins_are_answered_in_a_browser() -> None:
    server = Server(allowed_origins=("https://overlay.example",))
    try:
        asked = {"Origin": "https://overlay.example"}
        allowed = server.ask("GET", "/health", headers=asked)
        assert allowed.headers["access-control-allow-origin"] == "https://overlay.example"
        before = server.ask(
            "OPTIONS", "/sessions", headers={**asked, "Access-Control-Request-Method": "POST"}
        )
        assert before.status_code == 204
        assert "authorization" in before.headers["access-control-allow-headers"]
        for origin in ("https://overlay.example.evil", "http://overlay.example", "null", "*"):
            refused = server.ask("OPTIONS", "/sessions", headers={"Origin": origin})
            assert not [name for name in refused.headers if name.startswith("access-control")]
            assert (
                "access-control-allow-origin"
                not in server.ask("GET", "/health", headers={"Origin": origin}).headers
            )
        assert "access-control-allow-credentials" not in allowed.headers
    finally:
        server.close()


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    server = Server(tmp_path / "log.db")
    try:
        settings = ServerSettings(db=str(tmp_path / "log.db"), log="off")
        with socket.socket() as listening, pytest.raises(DatabaseInUse):
            run(settings, listening, lambda _: None, demo=False)
    finally:
        server.close()


def test_a_real_server_stores_what_is_under_way_before_it_stops(tmp_path: Path) -> None:
    settings = ServerSettings(db=str(tmp_path / "log.db"), port=free_port(), admin_key=ADMIN_KEY, log="off")

    async def evening() -> tuple[str, list[httpx.Response]]:
        server = uvicorn.Server(server_config(settings))
        running = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event to wait for
            await asyncio.sleep(0.01)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{settings.port}") as client:
            opened = await opened_session(client)
            headers = {"Authorization": f"Bearer {opened['gm_token']}"}
            path = f"/sessions/{opened['id']}/notes"
            notes = [client.post(path, json={"text": f"note {n}"}, headers=headers) for n in range(10)]
            answers = await asyncio.gather(*notes)
            server.should_exit = True
            await running
        return opened["id"], answers

    session, answers = asyncio.run(evening())
    assert {answer.status_code for answer in answers} == {201}
    again = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    try:
        assert len(again.store.envelopes(session)) == 1 + 2 * len(answers)
    finally:
        again.close()


async def opened_session(client: httpx.AsyncClient) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {ADMIN_KEY}"}
    answer = await client.post("/sessions", json={"ruleset": "duel", "title": "t"}, headers=headers)
    assert answer.status_code == 201, answer.text
    opened: dict[str, Any] = answer.json()
    return opened
