"""Every scene file of the fixtures comes out as it says."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from api.scenes.local import LocalTable
from api.scenes.reading import read_scene
from api.scenes.report import report
from api.scenes.running import run_steps
from eventlog.recorder import Recorder
from eventlog.sqlite import SqliteStore

FIXTURES = Path(__file__).parents[2] / "fixtures"


def scenes():
    for path in sorted(FIXTURES.rglob("*.toml")):
        name = path.relative_to(FIXTURES).as_posix()
        yield pytest.param(path, id=name)


@pytest.mark.parametrize("path", list(scenes()))
def test_scene_comes_out_as_it_says(path):
    assert asyncio.run(_played(path)) == ""


async def _played(path: Path) -> str:
    scene, store = read_scene(path), SqliteStore.open(":memory:")
    recorder = Recorder(store)
    table = LocalTable(store, recorder)
    try:
        await table.open(scene)
        failure = await run_steps(scene, table)
        return report(scene, failure, await table.timeline()) if failure else ""
    finally:
        await recorder.aclose()
        store.close()
