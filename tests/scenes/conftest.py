"""Tables to play scenes at: one in this process, one behind a server."""

import asyncio

import httpx
import pytest

from api.app import create_app
from api.scenes.local import LocalTable
from api.scenes.remote import RemoteTable
from api.scenes.report import difference_lines, headline, timeline_lines
from api.scenes.running import run_steps
from api.settings import ServerSettings
from eventlog.recorder import Recorder
from eventlog.sqlite.store import SqliteStore
from tabletape.client import AsyncClient


async def _here(play):
    store = SqliteStore.open(":memory:")
    recorder = Recorder(store)
    try:
        return await play(LocalTable(store, recorder))
    finally:
        await recorder.aclose()
        store.close()


async def _behind_a_server(play):
    app = create_app(ServerSettings(db=":memory:", log="off"))
    async with app.lifespan(), AsyncClient("http://127.0.0.1", transport=httpx.ASGITransport(app)) as client:
        return await play(RemoteTable(client))


@pytest.fixture(params=[_here, _behind_a_server], ids=["here", "server"])
def at_table(request):
    """Runs a coroutine function that is given a table, and answers what it answers."""
    return lambda play: asyncio.run(request.param(play))


@pytest.fixture
def reported(at_table):
    """Plays a scene; what there is to say of it when it fails, and nothing when it comes out as it says."""

    def run(scene):
        async def play(table):
            await table.open(scene)
            failure = await run_steps(scene, table)
            return _report(scene, failure, await table.timeline()) if failure else ""

        return at_table(play)

    return run


def _report(scene, failure, timeline):
    """The sentence, the differences, the timeline so far."""
    parts = [headline(scene, failure), "\n".join(difference_lines(failure.differences))]
    parts.append("\n".join(("The timeline so far", *timeline_lines(timeline))) if timeline else "")
    return "\n\n".join(part for part in parts if part)
