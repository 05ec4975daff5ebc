"""A server killed at any moment: what it acknowledged is there, once, and nothing else half is."""

import asyncio
import random
from collections import Counter
from pathlib import Path

import httpx
from mortal_server import MortalServer, until_answered

from eventlog.sqlite.store import SqliteStore
from eventlog.verification import verify

COMMANDS = 1000
CLIENTS = 8
SESSIONS = 4
KILLS = 6


async def play(server: MortalServer, tables: list[dict], numbers, done: dict[str, dict]) -> None:
    async with httpx.AsyncClient() as client:
        for number in numbers:
            table, key = tables[number % SESSIONS], f"command-{number}"
            response = await until_answered(
                server, client, "POST", f"/sessions/{table['id']}/actions",
                json={"command": {"type": "roll", "count": 3, "sides": 6, "purpose": key}},
                headers={"Authorization": f"Bearer {table['gm_token']}", "Idempotency-Key": key},
            )  # fmt: skip
            assert response.status_code == 201, response.text
            done[key] = response.json()


async def kill_now_and_then(server: MortalServer, chance: random.Random) -> None:
    for _ in range(KILLS):
        await asyncio.sleep(chance.uniform(0.05, 0.6))
        server.kill()
        await server.start()


async def evening(server: MortalServer) -> tuple[list[dict], dict[str, dict]]:
    await server.start()
    done: dict[str, dict] = {}
    async with httpx.AsyncClient() as client:
        tables = [
            (
                await client.post(f"{server.url}/sessions", json={"ruleset": "duel", "title": f"Table {n}"})
            ).json()
            for n in range(SESSIONS)
        ]
    players = [play(server, tables, range(n, COMMANDS, CLIENTS), done) for n in range(CLIENTS)]
    await asyncio.gather(kill_now_and_then(server, random.Random(1)), *players)
    return tables, done


def test_every_acknowledged_action_survives_kill_minus_nine_exactly_once(tmp_path: Path) -> None:
    """The dice of a killed server were never shown unless they are kept (terraforming-mars#1846)."""
    server = MortalServer(tmp_path / "table.db")
    try:
        tables, done = asyncio.run(evening(server))
    finally:
        server.kill()
    assert len(done) == COMMANDS
    store = SqliteStore.open(server.db)
    stored = Counter()
    for table in tables:
        assert verify(store, table["id"]).ok
        events = store.envelopes(table["id"])
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        rolls = [event for event in events if event.type == "core.dice-rolled"]
        stored.update(
            purpose for event in rolls for purpose in done if f'"purpose":"{purpose}"'.encode() in event.data
        )
        by_action = {event.action: event for event in rolls}
        for key in list(done)[::25]:
            answer = done[key]
            if (kept := by_action.get(answer["action"])) and f'"{key}"'.encode() in kept.data:
                assert answer["events"][-1]["hash"] == kept.hash.hex()
    positions = [event.position for event in store.stream(0, 100_000)]
    assert positions == list(range(1, len(positions) + 1))
    store.close()
    assert stored == Counter(dict.fromkeys(done, 1))
