"""The server as a process of its own: its links, its demo, its end, and commands that go through it."""

import json
import signal
import socket
import subprocess
import sys
from functools import partial

import httpx
import pytest
from scene_files import DUEL
from server_process import SECONDS, serving

KEY = "a-long-and-random-admin-key"


@pytest.fixture
def serve(environment):
    """Runs a server for a while: what it says, and the process."""
    return partial(serving, env=environment, stderr=subprocess.PIPE)


def test_the_links_of_the_demo_open_without_a_token(serve):
    with serve("--demo") as (said, _):
        demo = said["demo"]
        lines = httpx.get(demo["timeline"]).json()["actions"]
        assert lines[0]["line"] == "The GM opens the session “The fight for the caravan”"
        head = httpx.head(demo["timeline"])
        assert (head.status_code, head.content) == (200, b"")
        assert int(head.headers["content-length"]) > 1000
        midway, end = (httpx.get(link).json() for link in demo["states"])
        assert (midway["state"]["conflict"]["status"], end["state"]["conflict"]["status"]) == (
            "running",
            "ended",
        )
        assert "text/html" in httpx.get(said["schema"]).headers["content-type"]


def test_the_demo_is_looked_at_not_touched_and_nothing_else_is_open(serve):
    with serve("--demo") as (said, _):
        session = f"{said['url']}/sessions/demo"
        note = {"command": {"type": "note", "text": "Who was it?"}}
        assert httpx.post(f"{session}/actions", json=note).status_code == 401
        assert httpx.get(f"{session}/invites").status_code == 403
        assert httpx.get(f"{session}/state", headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert httpx.get(f"{said['url']}/sessions/demolition/state").status_code == 401
        opened = httpx.post(f"{said['url']}/sessions", json={"ruleset": "duel", "title": "Ours"}).json()
        assert httpx.get(f"{said['url']}/sessions/{opened['id']}/state").status_code == 401


def test_the_tokens_of_the_demo_work(serve):
    with serve("--demo") as (said, _):
        session, demo = f"{said['url']}/sessions/demo", said["demo"]
        roll = {"command": {"type": "roll", "count": 2, "purpose": "the weather"}}
        gm = {"Authorization": f"Bearer {demo['gm_token']}"}
        reader = {"Authorization": f"Bearer {demo['reader_token']}"}
        assert httpx.post(f"{session}/actions", json=roll, headers=gm).status_code == 201
        assert httpx.post(f"{session}/actions", json=roll, headers=reader).status_code == 403
        assert httpx.get(f"{session}/state", headers=reader).status_code == 200


def test_the_demo_is_played_once_and_its_tokens_change(serve):
    with serve("--demo") as (first, server):
        before = httpx.get(first["demo"]["timeline"]).json()
        server.terminate()
        assert server.wait(SECONDS) == 0
    with serve("--demo") as (second, _):
        assert httpx.get(second["demo"]["timeline"]).json() == before
        lost = {"Authorization": f"Bearer {first['demo']['gm_token']}"}
        assert httpx.get(f"{second['url']}/sessions/demo/state", headers=lost).status_code == 401


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stops_in_good_order(serve, tabletape, number):
    with serve() as (said, server):
        opened = httpx.post(f"{said['url']}/sessions", json={"ruleset": "duel", "title": "Kept"}).json()
        server.send_signal(number)
        assert server.wait(SECONDS) == 0
        assert server.stderr.read() == b""
    assert tabletape("sessions").out.split("\t")[0] == opened["id"]
    assert tabletape("token", opened["id"]).code == 0


def test_a_port_that_is_taken(tabletape):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        failed = tabletape("serve", "--port", port)
    assert failed.code == 5
    assert failed.err.startswith(f"tabletape: port {port} is taken, perhaps by a server that runs already")


def test_a_second_server_on_one_database(serve, tabletape):
    with serve():
        failed = tabletape("serve", "--port", "0")
    assert failed.code == 5
    assert "Another process writes" in failed.err


def test_without_the_demo_there_is_a_first_step(process):
    shown = process("serve", "--help")
    assert "--demo" in shown.stdout


def test_scenes_are_played_at_a_server_beside_reading(serve, tabletape):
    with serve("--admin-key", KEY) as (said, _):
        played = tabletape("play", DUEL, "--url", said["url"], "--admin-key", KEY, "--json")
        session = json.loads(played.out)["session"]
        assert played.code == 0
        assert "A shadow steps out of hiding" in tabletape("timeline", session).out
        stranger = tabletape("play", DUEL, "--url", said["url"])
        assert (stranger.code, "give the --admin-key" in stranger.err) == (4, True)


def test_a_lost_token_is_replaced_through_the_server(serve, tabletape):
    with serve("--admin-key", KEY) as (said, _):
        key = ("--url", said["url"], "--admin-key", KEY)
        played = json.loads(tabletape("play", DUEL, *key, "--json").out)
        issued = json.loads(tabletape("token", played["session"], *key, "--json").out)
        path = f"{said['url']}/sessions/{played['session']}"
        answers = [
            httpx.get(path, headers={"Authorization": f"Bearer {each['gm_token']}"}).status_code
            for each in (played, issued)
        ]
        assert answers == [401, 200]
        assert tabletape("token", "nope", *key).code == 3


def test_a_tool_gets_its_token_through_the_server(serve, tabletape):
    with serve("--admin-key", KEY) as (said, _):
        key = ("--url", said["url"], "--admin-key", KEY)
        session = json.loads(tabletape("play", DUEL, *key, "--json").out)["session"]
        first, again = (
            json.loads(tabletape("token", "--tool", "bridge", *key, "--json").out) for _ in range(2)
        )
        answers = [
            httpx.get(
                f"{said['url']}/sessions/{session}", headers={"Authorization": f"Bearer {each['token']}"}
            ).status_code
            for each in (first, again)
        ]
        assert answers == [401, 200]
        assert tabletape("token", "--tool", "gm", *key).code == 4


def test_a_session_is_forked_through_the_server(serve, tabletape):
    with serve("--admin-key", KEY) as (said, _):
        played = json.loads(tabletape("play", DUEL, "--url", said["url"], "--admin-key", KEY, "--json").out)
        where = (played["session"], "--url", said["url"], "--token")
        forked = json.loads(tabletape("fork", *where, played["gm_token"], "--at", 2, "--json").out)
        asked = httpx.get(
            f"{said['url']}/sessions/{forked['id']}",
            headers={"Authorization": f"Bearer {forked['gm_token']}"},
        ).json()
        assert asked["parent"] == {"session": played["session"], "at": 2, "kind": "fork"}
        assert tabletape("verify", forked["id"]).code == 0
        assert tabletape("fork", *where, "tt_nobodys").code == 4


def test_a_copy_is_taken_in_through_the_server(serve, tabletape, folder):
    played = json.loads(tabletape("play", DUEL, "--db", "other.db", "--json").out)
    tabletape("export", played["session"], "--db", "other.db", "-o", "copy.jsonl")
    with serve("--admin-key", KEY) as (said, _):
        key = ("--url", said["url"], "--admin-key", KEY)
        planned = tabletape("import", "copy.jsonl", "--dry-run", *key)
        assert "events would be taken in; nothing was stored" in planned.out
        assert "events taken in" in tabletape("import", "copy.jsonl", *key).out
        assert "is here already" in tabletape("import", "copy.jsonl", *key).out
        assert tabletape("timeline", played["session"]).code == 0


def test_what_is_no_tabletape_server_is_said_so(tabletape):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        answering = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import sys,socket;s=socket.socket(fileno=int(sys.argv[1]));c,_=s.accept();c.recv(9999);c.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi')",
                str(taken.fileno()),
            ],
            pass_fds=[taken.fileno()],
        )
        failed = tabletape("play", DUEL, "--url", url)
        answering.wait(SECONDS)
    assert failed.code == 6
    assert "is not a Tabletape server" in failed.err


def test_a_proxys_name_and_another_origin_are_let_in(serve):
    names = ("--allow-host", "table.example", "--allow-origin", "https://overlay.example")
    with serve(*names) as (said, _):
        health = f"{said['url']}/health"
        headers = {"Host": "table.example", "Origin": "https://overlay.example"}
        answer = httpx.get(health, headers=headers)
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, headers["Origin"])
        assert httpx.get(health, headers={"Host": "other.example"}).status_code == 421


@pytest.mark.parametrize(
    "named, given, lets_in",
    [
        ({"TABLETAPE_ADMIN_KEY": KEY}, (), KEY),
        ({"TABLETAPE_ADMIN_KEY": KEY}, ("--admin-key", "other"), "other"),
        ({}, (), None),
    ],
    ids=["environment", "option over environment", "none"],
)
def test_the_admin_key_comes_from_the_environment_unless_another_is_given(
    serve, environment, named, given, lets_in
):
    environment.update(named)
    with serve(*given) as (said, _):
        wanted = {"ruleset": "duel", "title": "Ours"}
        answers = {
            key: httpx.post(
                f"{said['url']}/sessions",
                json=wanted,
                headers={"Authorization": f"Bearer {key}"} if key else {},
            ).status_code
            for key in (KEY, "other", None)
        }
        assert answers == {key: 201 if key == lets_in else 401 for key in answers}


def test_names_come_from_the_environment_too(serve, environment):
    environment["TABLETAPE_ALLOW_HOST"] = "table.example other.example"
    with serve() as (said, _):
        for host in ("table.example", "other.example"):
            assert httpx.get(f"{said['url']}/health", headers={"Host": host}).status_code == 200
