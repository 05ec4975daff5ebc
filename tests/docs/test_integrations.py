"""The page on integrations: its Python, its shell and its page in a browser do what it says."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, get_args

import pytest
from browser import browsing
from server_process import environment, free_port, serving

from api.feeds.frames import Kind
from tabletape.client import Client, Opened

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "integrations.md").read_text()
ADMIN_KEY = "the key under the mat"
SECONDS = 60
BLOCK = re.compile(r"```(python|sh|html)\n(.*?)```(?:\n+```text\n(.*?)```)?", re.DOTALL)
BLOCKS = BLOCK.findall(PAGE)


def of(language: str) -> list[tuple[str, str]]:
    """The blocks in a language, each with what it prints."""
    return [(lines, printed) for each, lines, printed in BLOCKS if each == language]


class Elsewhere(SimpleHTTPRequestHandler):
    """A web server of somebody else, which says nothing."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def origin() -> str:
    return f"http://127.0.0.1:{free_port()}"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, origin: str) -> Iterator[str]:
    folder, env = tmp_path_factory.mktemp("server"), environment(TABLETAPE_ADMIN_KEY=ADMIN_KEY)
    with serving("--db", folder / "a.db", "--allow-origin", origin, env=env) as (said, _):
        yield said["url"]


@pytest.fixture
def opened(url: str) -> Opened:
    """The session of the page, as its Python leaves it before the maneuver."""
    with Client(url, ADMIN_KEY) as admin:
        opened = admin.open_session("anima-prime", "Something in the hedge", settings={"table_dice": "all"})
        gm = admin.with_token(opened.gm_token)
        numbers = {"action": 6, "defense": 2}
        gm.act(opened.id, "add_character", id="zadie", side="pcs", kind="pc", max_wounds=3, **numbers)
        gm.act(
            opened.id, "add_character", id="critters", side="adversity", kind="swarm", max_wounds=2, **numbers
        )
    return opened


def run(command: list[str], script: str, folder: Path, **env: str) -> str:
    done = subprocess.run(
        [*command, script], cwd=folder, env={**environment(), **env},
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_python_runs_as_it_is_written_and_prints_what_is_shown(url: str, tmp_path: Path) -> None:
    blocks = of("python")
    script = "".join(f"{lines}\nprint('@@@', flush=True)\n" for lines, _ in blocks)
    printed = run([sys.executable, "-c"], script, tmp_path, TABLETAPE_URL=url, TABLETAPE_ADMIN_KEY=ADMIN_KEY)
    assert printed.split("@@@\n")[:-1] == [shown for _, shown in blocks]
    assert sum(bool(shown) for _, shown in blocks) >= 4


def test_the_shell_runs_as_it_is_written_and_prints_what_is_shown(
    url: str, opened: Opened, tmp_path: Path
) -> None:
    blocks = of("sh")
    script = "".join(f"{lines}\necho @@@\n" for lines, _ in blocks)
    env = {"TABLETAPE_URL": url, "SESSION": opened.id, "TOKEN": opened.gm_token, "PATH": os.environ["PATH"]}
    printed = run(["bash", "-eu", "-c"], script, tmp_path, **env)
    assert printed.split("@@@\n")[:-1] == [shown for _, shown in blocks]
    with Client(url, opened.gm_token) as gm:
        assert "The hedge moves" in gm.timeline(opened.id).actions[-1].line


def test_the_page_shows_the_dice_as_they_fall_until_the_close(
    url: str, origin: str, opened: Opened, tmp_path: Path
) -> None:
    (page,) = (lines for lines, _ in of("html"))
    (tmp_path / "dice.html").write_text(page)
    port = int(origin.rsplit(":", 1)[1])
    handler = partial(Elsewhere, directory=str(tmp_path))
    with (
        Client(url, opened.gm_token) as gm,
        ThreadingHTTPServer(("127.0.0.1", port), handler) as web,
        browsing(tmp_path / "profile") as browser,
    ):
        threading.Thread(target=web.serve_forever, daemon=True).start()
        gm.act(opened.id, "roll", count=2, purpose="the weather <b>tonight</b>", dice=[2, 5])
        token = gm.invite(opened.id, "overlay", "stream").token
        browser.open(f"{origin}/dice.html?server={url}&session={opened.id}&token={token}")
        browser.until("document.querySelectorAll('#rolls li').length === 1")
        gm.act(opened.id, "roll", count=1, purpose="luck", dice=[6])
        browser.until("document.querySelectorAll('#rolls li').length === 2")
        gm.close(opened.id)
        browser.until("document.getElementById('line').textContent === 'the session is closed'")
        rolls = browser.run("[...document.querySelectorAll('#rolls li')].map((each) => each.textContent)")
        web.shutdown()
    assert rolls == ["the weather <b>tonight</b>: 2 5", "luck: 6"]


def test_the_page_hears_frames_that_there_are() -> None:
    """Also where no browser is installed."""
    (page,) = (lines for lines, _ in of("html"))
    heard = set(re.findall(r'addEventListener\("(\w+)"', page))
    assert heard == {"head", "closed"}
    assert heard <= set(get_args(Kind))
    assert "innerHTML" not in page
