"""Feeds and the overlay in a real browser, which comes back by itself."""

import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from browser import Browser, browsing
from mortal_server import MortalServer

ADMIN = "the key under the mat"
PAGE = """<!doctype html><title>A bot</title><script>
const seqs = [], kinds = [];
const source = new EventSource(new URLSearchParams(location.search).get("feed"));
source.onmessage = (event) => seqs.push(JSON.parse(event.data).seq);
for (const kind of ["head", "bye", "closed"]) source.addEventListener(kind, () => kinds.push(kind));
</script>"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as found:
        yield found


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """Another origin, with a page that listens to a feed."""
    (tmp_path / "bot.html").write_text(PAGE)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as web:
        thread = Thread(target=web.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{web.server_port}"
        web.shutdown()
        thread.join()


class Evening:
    """A session on a server that can be killed, with an overlay at the table."""

    def __init__(self, server: MortalServer) -> None:
        self.server = server
        server.start_now()
        admin = {"Authorization": f"Bearer {ADMIN}"}
        opened = httpx.post(
            f"{server.url}/sessions",
            json={"ruleset": "anima-prime", "title": "x"},
            headers=admin,
            timeout=60,
        )
        self.session = opened.json()["id"]
        self._headers = {"Authorization": f"Bearer {opened.json()['gm_token']}"}
        self.token = self.post("/invites", role="overlay", name="screen")["token"]

    def post(self, part: str, **body: Any) -> Any:
        answer = httpx.post(f"{self.url}{part}", json=body, headers=self._headers, timeout=60)
        assert answer.is_success, answer.text
        return answer.json()

    def roll(self, purpose: str, faces: list[int]) -> int:
        command = {"type": "roll", "count": len(faces), "purpose": purpose}
        version: int = self.post("/actions", command=command, dice=faces)["version"]
        return version

    @property
    def url(self) -> str:
        return f"{self.server.url}/sessions/{self.session}"

    def address(self, part: str) -> str:
        return f"{self.url}/{part}?token={self.token}"


@pytest.fixture
def evening(tmp_path: Path, elsewhere: str) -> Iterator[Evening]:
    server = MortalServer(tmp_path / "log.db", "--allow-origin", elsewhere, TABLETAPE_ADMIN_KEY=ADMIN)
    yield Evening(server)
    server.kill()


def test_a_page_of_a_listed_origin_comes_back_by_itself_and_misses_nothing(
    browser: Browser, evening: Evening, elsewhere: str
) -> None:
    browser.open(f"{elsewhere}/bot.html?feed={httpx.URL(evening.address('feed'))}")
    browser.until("typeof kinds === 'object' && kinds.length === 1")
    for number in range(5):
        evening.roll(f"before {number}", [1, 2])
    browser.until("seqs.length === 10")
    evening.server.kill()
    evening.server.start_now()
    for number in range(5):
        last = evening.roll(f"after {number}", [3, 4])
    assert browser.until("seqs.length >= 20 && seqs") == list(range(last - 19, last + 1))
    assert browser.run("kinds") == ["head", "head"]
    evening.post("/close")
    browser.until("kinds.at(-1) === 'closed'")
    browser.until("source.readyState === EventSource.CLOSED")  # 204: there is no more
    assert browser.run("seqs") == list(range(last - 19, last + 3))


def test_a_page_of_another_origin_hears_nothing(browser: Browser, evening: Evening, elsewhere: str) -> None:
    stranger = elsewhere.replace("127.0.0.1", "localhost")
    browser.open(f"{stranger}/bot.html?feed={evening.address('feed')}&after=0")
    browser.until("typeof source === 'object' && source.readyState === EventSource.CLOSED")
    assert browser.run("seqs.length + kinds.length") == 0


def dice(browser: Browser) -> list[str]:
    found: list[str] = browser.run("[...document.querySelectorAll('.die b')].map((die) => die.textContent)")
    return found


def test_the_overlay_shows_the_last_roll_and_the_pools(browser: Browser, evening: Evening) -> None:
    numbers = {"action": 6, "defense": 2, "max_wounds": 3}
    for name, side, kind in (("zadie", "pcs", "pc"), ("bull", "adversity", "individual")):
        sheet = {"type": "add_character", "id": name, "side": side, "kind": kind, **numbers}
        evening.post("/actions", command=sheet)
    evening.post("/actions", command={"type": "start_conflict", "first": "pcs"})
    evening.roll("the weather", [2, 5])
    browser.open(evening.address("overlay"))
    browser.until("document.querySelectorAll('.die').length === 2")
    assert dice(browser) == ["2", "5"]
    browser.until("document.querySelectorAll('.person').length === 2")
    assert "The weather" in browser.text()
    maneuver = {"type": "maneuver", "actor": "zadie", "action_dice": 2}
    evening.post("/actions", command=maneuver, dice=[4, 6, 5])
    browser.until("document.querySelectorAll('.die').length === 3")
    assert dice(browser) == ["4", "6", "5"]
    browser.until("document.querySelector('.person').innerText.includes('4/6')")
    assert "Zadie" in browser.run("document.querySelector('.die span').innerText + document.body.innerText")
    background = "getComputedStyle(document.{}).backgroundColor"
    assert (
        browser.run(f"{background.format('body')} + {background.format('documentElement')}")
        == "rgba(0, 0, 0, 0)" * 2
    )


def test_a_roll_undone_at_the_table_is_struck_on_the_overlay(browser: Browser, evening: Evening) -> None:
    struck = "document.querySelector('#roll').classList.contains('undone')"
    evening.roll("the weather", [2, 5])
    browser.open(evening.address("overlay"))
    browser.until("document.querySelectorAll('.die').length === 2")
    assert browser.run("document.querySelector('.die').textContent").endswith("GM")
    evening.post("/undo")
    browser.until(struck)
    browser.open(evening.address("overlay") + "&show=roll")
    browser.until(f"document.querySelectorAll('.die').length === 2 && {struck}")
    evening.post("/actions/1/redo")
    browser.until(f"!{struck}")
    assert dice(browser) == ["2", "5"]


def test_an_undone_roll_is_struck_and_stands_again_when_it_is_redone(
    browser: Browser, evening: Evening
) -> None:
    evening.roll("the weather", [2, 5])
    browser.open(evening.address("overlay"))
    browser.until("document.querySelectorAll('.die').length === 2")
    slot = browser.run("shown.slot")
    for kind, after, struck in (("undone", None, True), ("redone", 1, False), ("amended", 2, True)):
        change = {"slot": slot, "before": 1, "after": after}
        event = {"type": f"core.action-{kind}", "data": {"targets": [], "consequences": [change]}}
        browser.run(f"hearEvent({event})".replace("None", "null"))
        assert browser.run("document.querySelector('#roll').classList.contains('undone')") is struck, kind
    again = {"type": "core.dice-rolled", "slot": slot, "revision": 2, "by": {"role": "gm", "name": "gm"}}
    roll = {"number": 1, "purpose": "x", "dice": [{"face": 6, "origin": "gm"}]}
    browser.run(f"hearEvent({again | {'data': {'roll': roll}}})")
    assert dice(browser) == ["6"]
    assert browser.run("document.querySelector('#roll').classList.contains('undone')") is False
    browser.run(f"hearEvent({again | {'slot': slot - 1, 'data': {'roll': roll | {'purpose': 'older'}}}})")
    assert "Older" not in browser.text()


def test_an_overlay_recovers_from_a_server_that_was_away(browser: Browser, evening: Evening) -> None:
    """It says that it reconnects, is back within five seconds, and shows every roll once (ChatIS#27)."""
    evening.roll("one", [1])
    browser.open(evening.address("overlay"))
    browser.until("document.querySelectorAll('.die').length === 1")
    browser.run("window.drawn = []; const heard = hearRoll; hearRoll = (event, roll) => { drawn.push(roll.purpose); heard(event, roll); }; 1")  # fmt: skip
    evening.server.kill()
    browser.until("!document.querySelector('#line').hidden")
    assert "reconnecting" in browser.text()
    time.sleep(6)
    evening.server.start_now()
    for purpose in ("two", "three"):
        evening.roll(purpose, [2])
    browser.until("drawn.length === 2", seconds=5)
    browser.until("document.querySelector('#line').hidden", seconds=5)
    evening.roll("four", [4])
    browser.until("drawn.length === 3")
    assert browser.run("drawn") == ["two", "three", "four"]


def test_an_overlay_whose_token_was_taken_away_says_so(browser: Browser, evening: Evening) -> None:
    browser.open(evening.address("overlay"))
    browser.until("typeof table === 'object' && table")
    invites = httpx.get(f"{evening.url}/invites", headers=evening._headers, timeout=60).json()["invites"]
    httpx.delete(f"{evening.url}/invites/{invites[-1]['id']}", headers=evening._headers, timeout=60)
    browser.until("document.body.innerText.includes('no longer works')")
