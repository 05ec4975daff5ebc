"""A real browser without a window, spoken to through a pair of pipes (the Chrome DevTools Protocol)."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

SECONDS = 120
NEEDED = "TABLETAPE_BROWSER_NEEDED"
"""Set where a missing browser is a failure and no reason to skip."""


def chromium() -> str:
    """The browser's program. Skips the test where there is none, unless it is needed."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None and os.environ.get(NEEDED):
        pytest.fail(f"No Chromium is installed, and {NEEDED} asks for one")
    if found is None:
        pytest.skip("No Chromium is installed; apt-get install chromium")
    return found


class Browser:
    """A browser with one page."""

    def __init__(self, process: subprocess.Popen[bytes], to: int, from_: int) -> None:
        self.process = process
        self._to, self._from = to, from_
        self._numbers = count(1)
        self._rest = b""
        self._page = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._page = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method: str, **params: Any) -> Any:
        """Ask the browser for something and take its answer."""
        number = next(self._numbers)
        asked = {"id": number, "method": method, "params": params}
        if self._page:
            asked["sessionId"] = self._page
        os.write(self._to, json.dumps(asked).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            answer = self._next(end)
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]
        raise AssertionError(f"the browser did not answer {method}")

    def _next(self, end: float) -> Any:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], max(0, end - time.monotonic()))
            assert ready, "the browser is silent"
            self._rest += os.read(self._from, 1 << 20)
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def open(self, url: str) -> None:
        """Go to a page."""
        self.call("Page.enable")
        self.call("Page.navigate", url=url)

    def run(self, script: str) -> Any:
        """What a script comes to in the page."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, script: str, seconds: float = SECONDS) -> Any:
        """What a script comes to, once that is true."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never so: {script}; the page says: {self.text()!r}"
            time.sleep(0.05)
        return value

    def text(self) -> str:
        """The words on the page."""
        words: str = self.run("document.body ? document.body.innerText : ''")
        return words

    def picture(self, path: Path) -> None:
        """Keep a picture of the page."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browsing(folder: Path, *, width: int = 1280, height: int = 720) -> Iterator[Browser]:
    """A browser for a while, with a profile of its own in this folder."""
    to_browser, from_browser = os.pipe(), os.pipe()
    options = [
        "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
        "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={folder}", f"--window-size={width},{height}",
    ]  # fmt: skip
    # The browser speaks through the descriptors 3 and 4, whatever their numbers are here.
    command = f'exec "$0" "$@" 3<&{to_browser[0]} 4>&{from_browser[1]}'
    process = subprocess.Popen(
        ["bash", "-c", command, chromium(), *options],
        pass_fds=(to_browser[0], from_browser[1]),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(to_browser[0])
    os.close(from_browser[1])
    try:
        yield Browser(process, to_browser[1], from_browser[0])
    finally:
        process.terminate()
        process.wait(SECONDS)
        os.close(to_browser[1])
        os.close(from_browser[0])
