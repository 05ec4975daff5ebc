"""The page of the feeds: its snippets run as they are written, and its tables name what there is."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

import httpx
import pytest
from browser import browsing
from mortal_server import MortalServer

from api.feeds.feeds import Ending
from api.feeds.frames import FRAMES
from api.feeds.spelling import RETRY
from api.settings import LONGEST_SILENCE, ServerSettings
from projections.feeds import Sought

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "feeds.md").read_text()
ADMIN = "the key under the mat"
SHELL = re.findall(r"<!-- run -->\n```sh\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)


def snippet(language: str) -> str:
    (found,) = re.findall(rf"<!-- run: {language} -->\n```{language}\n(.*?)```", PAGE, re.DOTALL)
    code: str = found
    return code


class Table(NamedTuple):
    """A session on a server that can be killed."""

    server: MortalServer
    session: str
    token: str

    def post(self, part: str, **body: Any) -> Any:
        url = f"{self.server.url}/sessions/{self.session}{part}"
        answer = httpx.post(url, json=body, headers={"Authorization": f"Bearer {self.token}"})
        assert answer.is_success, answer.text
        return answer.json()

    def roll(self, *faces: int) -> None:
        self.post("/actions", command={"type": "roll", "count": len(faces), "purpose": "x"}, dice=faces)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    server = MortalServer(tmp_path / "log.db", "--allow-origin", "null", TABLETAPE_ADMIN_KEY=ADMIN)
    server.start_now()
    admin = {"Authorization": f"Bearer {ADMIN}"}
    opened = httpx.post(
        f"{server.url}/sessions", json={"ruleset": "duel", "title": "x"}, headers=admin
    ).json()
    found = Table(server, opened["id"], opened["gm_token"])
    found.roll(2, 5)
    yield found
    server.kill()


def test_the_lines_answer_as_they_are_shown(table: Table) -> None:
    table.post("/close")
    assert len(SHELL) == 5
    variables = {
        "URL": table.server.url, "ID": table.session, "TOKEN": table.token, "TABLETAPE_ADMIN_KEY": ADMIN,
    }  # fmt: skip
    for lines, shown in SHELL:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", lines],
            env={**os.environ, **variables}, capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        pattern = ".*".join(re.escape(part) for part in re.split(r"…", shown.strip()))
        assert re.match(pattern, done.stdout.strip(), re.DOTALL), (shown, done.stdout)


def test_the_python_snippet_misses_nothing_while_the_server_is_killed(table: Table, tmp_path: Path) -> None:
    script = tmp_path / "follower.py"
    script.write_text(
        f"{snippet('python')}\nimport sys\nfor event in follow(*sys.argv[1:]):\n    print(event['seq'], flush=True)\n"
    )
    url = f"{table.server.url}/sessions/{table.session}/feed"
    follower = subprocess.Popen([sys.executable, script, url, table.token], stdout=subprocess.PIPE, text=True)
    assert follower.stdout
    assert [follower.stdout.readline() for _ in range(3)] == ["1\n", "2\n", "3\n"]
    for _ in range(2):
        table.server.kill()
        table.server.start_now()
        table.roll(6)
    version = table.post("/close")["version"]
    rest, _ = follower.communicate(timeout=30)
    assert follower.returncode == 0
    assert [int(seq) for seq in rest.split()] == list(range(4, version + 1))


def test_the_javascript_snippet_hears_the_rolls(table: Table, tmp_path: Path) -> None:
    token = table.post("/invites", role="overlay", name="stream")["token"]
    known = f"const url = {table.server.url!r}, id = {table.session!r}, token = {token!r}, heard = [];"
    script = f"{known} const show = (faces) => heard.push(faces); {snippet('javascript')}"
    (tmp_path / "page.html").write_text(f"<!doctype html><script>{script}</script>")
    with browsing(tmp_path / "profile") as browser:
        browser.open(f"file://{tmp_path}/page.html")  # its origin is `null`
        browser.until("typeof heard === 'object' && heard.length === 1")
        table.roll(6, 1)
        assert browser.until("heard.length === 2 && heard") == [[2, 5], [6, 1]]
        table.post("/close")
        browser.until("source.readyState === EventSource.CLOSED")


def names(rows: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", rows))


def test_every_kind_of_frame_and_every_filter_is_on_the_page() -> None:
    table = PAGE.partition("| kind | what it carries |")[2].partition("\n\n")[0]
    first = "".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))
    assert names(first) == set(FRAMES)
    filters = PAGE.partition("| parameter | what is told |")[2].partition("\n\n")[0]
    assert names("".join(re.findall(r"^\| (`\w+`) \|", filters, re.MULTILINE))) == set(
        Sought.__struct_fields__
    )


def test_every_reason_and_number_is_on_the_page() -> None:
    said = set(get_args(Ending)) - {"left", "slow", "closed"}
    assert all(f"`{reason}`" in PAGE for reason in said)
    assert f"every {LONGEST_SILENCE:.0f} seconds" in PAGE
    assert f"patience ({ServerSettings().patience:.0f} seconds)" in PAGE
    assert f"{ServerSettings().feeds_per_token:,} feeds" in PAGE
    assert f"retry: {RETRY}" in PAGE
