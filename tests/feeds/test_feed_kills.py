"""Feeds of a real server that is killed, of clients that come and go, through a network that breaks."""

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
from feed_reader import FeedReader
from mortal_server import MortalServer, Network, until_answered

from eventlog.audience import visible
from eventlog.sqlite.store import SqliteStore
from rulesets.people import GM, OBSERVER, Viewer

ADMIN = "the key under the mat"
ACTIONS, WRITERS, KILLS, CUTS, LEAVES = 5000, 4, 4, 12, 12
CANARY = "canary"


async def play(server: MortalServer, session: str, token: str, numbers: range) -> None:
    async with httpx.AsyncClient() as client:
        for number in numbers:
            hidden = number % 3 == 0
            command = {"type": "roll", "count": 2, "purpose": f"{CANARY if hidden else 'open'} {number}"}
            response = await until_answered(
                server, client, "POST", f"/sessions/{session}/actions",
                json={"command": command, "visible_to": "gm" if hidden else "everyone"},
                headers={"Authorization": f"Bearer {token}", "Idempotency-Key": f"key-{number}"},
            )  # fmt: skip
            assert response.status_code == 201, response.text


async def disturb(server: MortalServer, network: Network, tasks: dict[FeedReader, Any]) -> None:
    """Kill the server, break the network, and make single clients hang up, at random."""
    chance = random.Random(7)
    disasters = ["kill"] * KILLS + ["cut"] * CUTS + ["leave"] * LEAVES
    chance.shuffle(disasters)
    for disaster in disasters:
        await asyncio.sleep(chance.uniform(0.02, 0.3))
        if disaster == "kill":
            server.kill()
            await server.start()
        elif disaster == "cut":
            network.cut()
        else:
            reader = chance.choice(list(tasks))
            tasks[reader].cancel()
            await asyncio.wait({tasks[reader]})
            tasks[reader] = asyncio.create_task(reader.follow())


async def evening(server: MortalServer) -> tuple[str, dict[str, list[FeedReader]]]:
    await server.start()
    network = Network(server.port)
    url = await network.start()
    async with httpx.AsyncClient(base_url=server.url) as client:
        admin = {"Authorization": f"Bearer {ADMIN}"}
        opened = (
            await client.post("/sessions", json={"ruleset": "duel", "title": "Cuts"}, headers=admin)
        ).json()
        session, gm = opened["id"], opened["gm_token"]
        seat = {"role": "player", "name": "mina", "characters": ["ada"]}
        bearer = {"Authorization": f"Bearer {gm}"}
        mina = (await client.post(f"/sessions/{session}/invites", json=seat, headers=bearer)).json()["token"]
    feed = f"{url}/sessions/{session}/feed"
    readers = {
        "gm": [FeedReader(feed, gm, lines=lines, after="0") for lines in (False, True, False)],
        "mina": [FeedReader(feed, mina, lines=lines, after="0") for lines in (False, True, True)],
        "rolls": [FeedReader(feed, mina, after="0", types="core.dice-rolled")],
        "tables": [FeedReader(feed, mina, after="0", format="state")],
    }
    tasks = {each: asyncio.create_task(each.follow()) for group in readers.values() for each in group}
    await asyncio.gather(
        disturb(server, network, tasks),
        *(play(server, session, gm, range(number, ACTIONS, WRITERS)) for number in range(WRITERS)),
    )
    async with httpx.AsyncClient() as client:
        closed = await until_answered(
            server, client, "POST", f"/sessions/{session}/close", json={},
            headers={"Authorization": f"Bearer {gm}", "Idempotency-Key": "close"},
        )  # fmt: skip
        assert closed.status_code == 201, closed.text
    async with asyncio.timeout(180):
        await asyncio.gather(*tasks.values())
    await network.stop()
    return session, readers


def test_subscribers_miss_nothing_and_see_nothing_twice_whatever_breaks(tmp_path: Path) -> None:
    """Tools lose the connection, come back, miss nothing and see nothing twice (lila#18664)."""
    server = MortalServer(tmp_path / "log.db", "--heartbeat", "0.2", TABLETAPE_ADMIN_KEY=ADMIN)
    try:
        session, readers = asyncio.run(evening(server))
    finally:
        server.kill()
    store = SqliteStore.open(tmp_path / "log.db")
    stored = store.envelopes(session)
    store.close()
    assert len(stored) >= 2 * ACTIONS
    viewers = {"gm": GM, "mina": Viewer(role="player", name="mina", characters=("ada",))}
    for name, viewer in viewers.items():
        wanted = [(event.seq, event.hash.hex()) for event in visible(viewer, stored)]
        for reader in readers[name]:
            assert [(event["seq"], event["hash"]) for event in reader.events] == wanted
            assert reader.cuts > KILLS
    (rolls,), (tables,) = readers["rolls"], readers["tables"]
    rolled = [event.seq for event in visible(OBSERVER, stored) if event.type == "core.dice-rolled"]
    assert [event["seq"] for event in rolls.events] == rolled
    seen = dict.fromkeys(event.action for event in visible(OBSERVER, stored) if event.action)
    assert [change["at"] for change in tables.events] == list(seen)
    for reader in (*readers["mina"], rolls, tables):
        assert CANARY not in str(reader.events)
