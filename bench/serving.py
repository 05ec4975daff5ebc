"""The server as clients meet it: durable commands a second, and what it holds in memory."""

from __future__ import annotations

import asyncio
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import msgspec

from api.tokens import issue_gm_token
from bench.clients import Client, request, requests_per_second
from bench.evening import PCS, SETUP, Evening
from bench.measured import Figure, percentile, resident_kilobytes
from eventlog.recorder import Recorder
from eventlog.sqlite.store import SqliteStore

CLIENTS = 64
SESSIONS = 50


@contextmanager
def server(kind: str, db: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server process and its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    command = [sys.executable, "-m", "bench.served", kind, str(db), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield port, process
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        sleep(0.05)
    raise RuntimeError("The server did not come up")


# --- durable commands ---------------------------------------------------------------------------------------


def durable_commands(db: Path, rounds: int = 5, seconds: float = 3) -> tuple[Figure, Figure]:
    """Commands a second through HTTP, each on disk when answered, against the same route left empty.

    Answered with the receipt alone, as tools prefer it, and with all that a player's page wants to know.
    """
    rates: dict[str, list[float]] = {"empty": [], "receipt": [], "whole": []}
    with server("real", db) as (port, _), server("empty", db.with_suffix(".empty")) as (empty_port, _):
        asked = {
            kind: (at, list(_streams(asyncio.run(_open_tables(at)), minimal=kind != "whole")))
            for kind, at in (("empty", empty_port), ("receipt", port), ("whole", port))
        }
        for _ in range(rounds):
            for kind, (at, streams) in asked.items():
                rates[kind].append(asyncio.run(requests_per_second(at, streams, seconds)))
    return _against_empty("receipt", rates, 40), _against_empty("whole", rates, 33)


def _against_empty(kind: str, rates: dict[str, list[float]], limit: float) -> Figure:
    ratios = [100 * ours / bare for ours, bare in zip(rates[kind], rates["empty"], strict=True)]
    return Figure(
        name=f"commands of {CLIENTS} clients in {SESSIONS} sessions, {kind} answered / the empty route",
        value=median(ratios),
        limit=limit,
        unit="%",
        at_least=True,
        detail=f"{median(rates[kind]):.0f} a second against {median(rates['empty']):.0f}",
    )


class Seats(msgspec.Struct, frozen=True):
    """A session with the tokens of its GM and of each player."""

    session: str
    gm: str
    players: dict[str, str]


async def _open_tables(port: int) -> list[Seats]:
    client = await Client.connect(port)
    tables = [await open_table(client, number) for number in range(SESSIONS)]
    client.close()
    return tables


async def open_table(client: Client, number: int) -> Seats:
    """A session with its characters, and everybody seated."""
    opened = await _sent(client, "/sessions", {"ruleset": "anima-prime", "title": f"Table {number}"}, "")
    here, gm = f"/sessions/{opened['id']}", opened["gm_token"]
    for command in SETUP:
        await _sent(client, f"{here}/actions", {"command": command}, gm)
    players = {
        who: (
            await _sent(client, f"{here}/invites", {"role": "player", "name": who, "characters": [who]}, gm)
        )["token"]
        for who in PCS
    }
    return Seats(opened["id"], gm, players)


async def _sent(client: Client, path: str, body: dict[str, Any], token: str) -> dict[str, Any]:
    status, answer = await client.send("POST", path, body, token)
    if status != 201:
        raise RuntimeError(f"The server answered {status}: {answer[:300]!r}")
    return msgspec.json.decode(answer, type=dict[str, Any])


def _streams(tables: list[Seats], *, minimal: bool) -> Iterator[Iterator[bytes]]:
    """Each client plays two characters of a session, who maneuver; then its GM ends the round."""
    for number in range(CLIENTS):
        seats = tables[number % SESSIONS]
        mine = PCS[:2] if number < SESSIONS else PCS[2:]
        sent: list[tuple[str, dict[str, Any]]] = [
            (seats.players[who], {"type": "maneuver", "actor": who, "action_dice": 1}) for who in mine
        ]
        sent.append((seats.gm, {"type": "end_round"}))
        yield cycle(
            [
                request(
                    "POST",
                    f"/sessions/{seats.session}/actions",
                    msgspec.json.encode({"command": command}),
                    token,
                    minimal=minimal,
                )
                for token, command in sent
            ]
        )


# --- any point of the story ---------------------------------------------------------------------------------


def any_point(db: Path, session: str, times: int = 2000, rounds: int = 3) -> Figure:
    """`state?at=n` at random points of a long session against the latest state, both through HTTP, p99."""
    store = SqliteStore.open(db)
    last, token = store.head(session).action, issue_gm_token(store, session)
    store.close()
    chance = random.Random(1)  # noqa: S311 - which points are looked at is no secret
    points = [f"?at={chance.randrange(last)}" for _ in range(times)]
    with server("real", db) as (port, _):
        looks = [
            asyncio.run(_looking(port, f"/sessions/{session}/state", token, points)) for _ in range(rounds)
        ]
    ratios = [percentile(anywhere, 0.99) / percentile(latest, 0.99) for latest, anywhere in looks]
    latest, anywhere = looks[-1]
    return Figure(
        name=f"state?at=n anywhere in {last} actions, p99 / the latest's p99",
        value=median(ratios),
        limit=2,
        unit="x",
        detail=f"p50 {percentile(anywhere, 0.5) * 1e6:.0f} us against {percentile(latest, 0.5) * 1e6:.0f} us",
    )


async def _looking(port: int, path: str, token: str, points: list[str]) -> tuple[list[float], list[float]]:
    """The times of looking at the latest table and at points of the story, in turn."""
    client = await Client.connect(port)
    latest, anywhere = list[float](), list[float]()
    for point in points:
        for where, times in (("", latest), (point, anywhere)):
            started = perf_counter()
            status, body = await client.send("GET", path + where, token=token)
            times.append(perf_counter() - started)
            if status != 200:
                raise RuntimeError(f"The server answered {status}: {body[:300]!r}")
    client.close()
    return latest[100:], anywhere[100:]


# --- memory -------------------------------------------------------------------------------------------------


def resident_memory(db: Path, sessions: int = 1000, actions: int = 200, live: int = 50) -> Figure:
    """What a server holds with many sessions on disk and some of them being played."""
    asyncio.run(_many_evenings(db, sessions, actions))
    with server("real", db) as (port, process):
        asyncio.run(_touch(port, live))
        resident = sum(map(resident_kilobytes, (process.pid, *_children(process.pid))))
    return Figure(
        name=f"resident with {sessions} sessions of {actions} actions, {live} live",
        value=resident / 1024,
        limit=300,
        unit="MB",
        detail=f"{db.stat().st_size / 1e6:.0f} MB on disk",
    )


def _children(process: int) -> list[int]:
    """The processes a server has started: the one that writes its file."""
    return list(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))


async def _many_evenings(db: Path, sessions: int, actions: int) -> None:
    store = SqliteStore.open(db)
    recorder = Recorder(store)

    async def play(number: int) -> None:
        evening = await Evening.begin(recorder, f"Evening {number}")
        async for _ in evening.play(actions):
            pass

    for first in range(0, sessions, 100):
        await asyncio.gather(*(play(number) for number in range(first, first + 100)))
    await recorder.aclose()
    store.close()


async def _touch(port: int, live: int) -> None:
    """Open tables and act at them, and read what others recorded."""
    client = await Client.connect(port)
    tables = await _open_tables(port)
    for seats in tables[:live]:
        for path in ("state", "actions", "events", "choices"):
            status, body = await client.send("GET", f"/sessions/{seats.session}/{path}", token=seats.gm)
            if status != 200:
                raise RuntimeError(f"The server answered {status}: {body[:300]!r}")
    client.close()
