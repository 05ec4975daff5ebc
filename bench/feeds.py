"""Feeds: how soon the last of a crowd hears, what a listener costs, and how fast a long log is caught up with."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from api.tokens import issue_gm_token
from bench.clients import Client, request
from bench.listeners import Crowd
from bench.measured import Figure, resident_kilobytes, seconds
from bench.serving import open_table, server
from eventlog.audience import visible
from eventlog.frames import shown
from eventlog.sqlite.store import SqliteStore
from rulesets.people import GM

LISTENERS = 1000
EVENTS = 100_000


def a_crowd(db: Path, times: int = 30) -> tuple[Figure, Figure]:
    """A thousand listeners at one table: when the last one hears, and what each costs in memory."""
    with server("bare", db) as (port, process):
        real, bare, kilobytes = asyncio.run(_told_to_a_crowd(port, process, times))
    return (
        Figure(
            name=f"until the last of {LISTENERS} hears of an action / a bare SSE route",
            value=median(real) / median(bare),
            limit=3,
            unit="x",
            detail=f"{median(real) * 1e3:.1f} ms against {median(bare) * 1e3:.1f} ms",
        ),
        Figure(name="memory of a listener", value=kilobytes, limit=50, unit="KB"),
    )


async def _told_to_a_crowd(
    port: int, process: subprocess.Popen[bytes], times: int
) -> tuple[list[float], list[float], float]:
    client = await Client.connect(port)
    seats = await open_table(client, 0)
    before = resident_kilobytes(process.pid)
    crowd = Crowd(port, f"/sessions/{seats.session}/feed", seats.gm)
    await crowd.gather(LISTENERS)
    notes = f"/sessions/{seats.session}/notes"
    real = [
        await _until_the_last(crowd, client, mark, request("POST", notes, _json({"text": mark}), seats.gm))
        for mark in _marks(times)
    ]
    kilobytes = (resident_kilobytes(process.pid) - before) / LISTENERS
    _, page = await client.send("GET", f"/sessions/{seats.session}/events?limit=2", token=seats.gm)
    cursors = [f"{event['seq']}.{event['hash'][:8]}" for event in json.loads(page)["events"]]
    data = [json.dumps(event) for event in json.loads(page)["events"]]
    crowd.disperse()
    crowd = Crowd(port, "/bare", "")
    await crowd.gather(LISTENERS)
    bare = []
    for mark in _marks(times):
        frames = {"frames": [(cursors[0], data[0]), (cursors[1], mark + data[1])]}
        bare.append(await _until_the_last(crowd, client, mark, request("POST", "/bare", _json(frames))))
    crowd.disperse()
    client.close()
    return real[5:], bare[5:], kilobytes


_json = msgspec.json.encode


def _marks(times: int) -> list[str]:
    return [f"mark {number:05}" for number in range(times)]


async def _until_the_last(crowd: Crowd, client: Client, mark: str, raw: bytes) -> float:
    """The time from a request until everybody has heard what it leads to."""
    crowd.look_for(mark.encode())
    started = perf_counter()
    status, answer = await client.exchange(raw)
    if status != 201:
        raise RuntimeError(f"The server answered {status}: {answer[:300]!r}")
    return await crowd.everybody() - started


def catching_up(db: Path, session: str, runs: int = 5) -> Figure:
    """A hundred thousand events as lines over HTTP, against reading and encoding them with nothing between."""
    store = SqliteStore.open(db)
    token = issue_gm_token(store, session)
    bare = seconds(lambda: _encoded(store, session), runs)
    store.close()
    with server("real", db) as (port, _):
        served = seconds(lambda: asyncio.run(_caught_up(port, session, token)), runs)
    return Figure(
        name=f"catching up with {EVENTS} events over HTTP / reading and encoding them",
        value=100 * bare / served,
        limit=50,
        unit="%",
        at_least=True,
        detail=f"{EVENTS / served:.0f} events a second",
    )


def _encoded(store: SqliteStore, session: str) -> int:
    encode, seq, size = msgspec.json.Encoder().encode, 0, 0
    while seq < EVENTS:
        events = store.envelopes(session, seq, 256)
        size += len(b"\n".join(encode(shown(event)) for event in visible(GM, events)))
        seq = events[-1].seq
    return size


async def _caught_up(port: int, session: str, token: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    path = f"/sessions/{session}/feed?after=0"
    asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/x-ndjson\r\nAuthorization: Bearer {token}\r\n\r\n"
    writer.write(asked.encode())
    told = 0
    while told < EVENTS:
        part = await reader.read(1 << 18)
        if not part:
            raise RuntimeError(f"The feed ended after {told} events")
        told += part.count(b'"frame":"event"')
    writer.close()
