"""The examples work as they stand, against a real server, with nothing but the client."""

import ast
import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from server_process import environment, serving
from virtual_tabletop import Click, Tabletop, bridge

from tabletape.client import AsyncClient, Client, Opened

EXAMPLES = Path(__file__).parents[2] / "examples"
ADMIN_KEY = "the key under the mat"
SECONDS = 60
NUMBERS = {"action": 6, "defense": 2, "max_wounds": 3}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, env = tmp_path_factory.mktemp("server"), environment(TABLETAPE_ADMIN_KEY=ADMIN_KEY)
    with serving("--db", folder / "examples.db", env=env) as (said, _):
        yield said["url"]


@pytest.fixture
def opened(url: str) -> Opened:
    """A conflict of Zadie against a bull, in which she is to act."""
    with Client(url, ADMIN_KEY) as admin:
        opened = admin.open_session("anima-prime", "The bull", settings={"table_dice": "all"})
        gm = admin.with_token(opened.gm_token)
        gm.act(opened.id, "add_character", id="zadie", side="pcs", kind="pc", **NUMBERS)
        gm.act(opened.id, "add_character", id="bull", side="adversity", kind="individual", **NUMBERS)
        gm.act(opened.id, "start_conflict", first="pcs")
    return opened


@pytest.fixture
def gm(url: str, opened: Opened) -> Iterator[Client]:
    with Client(url, opened.gm_token) as client:
        yield client


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_short_and_uses_the_client_alone(path: Path) -> None:
    source = path.read_text()
    imported = {
        name.partition(".")[0] if not name.startswith("tabletape") else name
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - set(sys.stdlib_module_names) == {"tabletape.client"}
    assert len(source.splitlines()) < 100


def lines(gm: Client, session: str) -> list[str]:
    """What the timeline says, an answer as a line of its own."""
    numbers = range(gm.session(session).action + 1)
    return [gm.action(session, number).line for number in numbers]


def announced(output: Path, wanted: int) -> list[str]:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = output.read_text().splitlines()
        if len(found) >= wanted:
            return found
        time.sleep(0.02)
    raise AssertionError(output.read_text())


def written_down(notebook: Path, version: int) -> None:
    """Wait until the bot has dealt with everything up to a version."""
    end = time.monotonic() + SECONDS
    while not notebook.read_text().startswith(f"{version}."):
        assert time.monotonic() < end, notebook.read_text()
        time.sleep(0.02)


def test_the_announcer_says_every_line_once_also_after_it_was_killed(
    url: str, opened: Opened, gm: Client, tmp_path: Path
) -> None:
    output, notebook = tmp_path / "channel", tmp_path / "notebook"
    token = gm.invite(opened.id, "tool", "announcer").token
    command = [sys.executable, EXAMPLES / "announcer.py", url, opened.id, notebook]
    env = {**environment(), "TABLETAPE_TOKEN": token}
    with output.open("w") as channel:
        bot = subprocess.Popen(command, env=env, stdout=channel)
        try:
            gm.act(opened.id, "maneuver", actor="zadie", action_dice=2, dice=[4, 6, 5])
            announced(output, 5)
            written_down(notebook, gm.session(opened.id).version)
        finally:
            bot.kill()
            bot.wait(SECONDS)
        gm.act(opened.id, "end_round")
        gm.note(opened.id, "while nobody announced")
        gm.close(opened.id)
        done = subprocess.run(command, env=env, stdout=channel, timeout=SECONDS, check=False)
    assert done.returncode == 0
    assert announced(output, 8) == lines(gm, opened.id)


def test_the_announcer_says_why_it_stops(url: str, opened: Opened, tmp_path: Path) -> None:
    env = {**environment(), "TABLETAPE_TOKEN": "tt_wrong"}
    command = [sys.executable, EXAMPLES / "announcer.py", url, opened.id, tmp_path / "notebook"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 1
    assert "not-identified" in done.stderr


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not holds():  # noqa: ASYNC110 - the map has nothing to wait for, as on a screen
            await asyncio.sleep(0.01)


def test_the_bridge_shows_pools_and_wounds_and_sends_clicks_back(url: str, opened: Opened) -> None:
    async def evening() -> None:
        tabletop = Tabletop()
        async with AsyncClient(url, opened.gm_token) as gm:
            player = await gm.invite(opened.id, "player", "Nora", characters=["zadie"])
            bridging = asyncio.create_task(bridge(url, player.token, opened.id, tabletop))
            await until(lambda: set(tabletop.tokens) == {"zadie", "bull"})
            zadie = tabletop.tokens["zadie"]
            assert zadie.bars == {"action": 6, "strike": 0, "charge": 0, "wounds": 0}

            click = Click({"type": "maneuver", "actor": "zadie", "action_dice": 2}, dice=(4, 6, 5))
            tabletop.clicks.put_nowait(click)
            tabletop.clicks.put_nowait(click)  # a finger that slipped
            await tabletop.clicks.join()
            assert tabletop.notices == []
            await until(lambda: tabletop.tokens["zadie"].bars["strike"] == 2)
            assert tabletop.tokens["zadie"].bars == {"action": 4, "strike": 2, "charge": 1, "wounds": 0}
            assert (await gm.session(opened.id)).action == 4

            tabletop.clicks.put_nowait(Click({"type": "end_round"}))
            await tabletop.clicks.join()
            assert len(tabletop.notices) == 1

            changes = {"wounds": 2, "strike": 3}
            await gm.act(opened.id, "adjust", character="bull", changes=changes, reason="It fell over")
            await until(lambda: tabletop.tokens["bull"].bars["wounds"] == 2)
            assert tabletop.tokens["bull"].bars["strike"] == 3
            await gm.close(opened.id)
            await asyncio.wait_for(bridging, SECONDS)

    asyncio.run(evening())
