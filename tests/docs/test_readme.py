"""Every command of the README works as it stands there."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from server_process import free_port

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BIN = Path(sys.executable).parent


def commands(mark: str) -> list[str]:
    """The lines of the shell block after a piece of text."""
    block = re.search(re.escape(mark) + r".*?```sh\n(.*?)```", README, re.DOTALL)
    assert block, mark
    return block[1].splitlines()


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", line.replace(".venv/bin/", f"{BIN}/")],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.fixture
def hedge(tmp_path: Path) -> Path:
    scene = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert scene
    (tmp_path / "hedge.toml").write_text(scene[1])
    return tmp_path


def test_the_evening_goes_as_it_is_told(hedge: Path) -> None:
    done = [shell(line, hedge) for line in commands("look at an earlier moment, check it:")]
    assert [each.returncode for each in done] == [0] * 5, [each.stderr for each in done]
    assert "Something in the hedge" in done[1].stdout
    assert "critters wounds 0 -> 1 of 2" in done[2].stdout.lower()
    assert "after action 4" in done[3].stdout
    assert "whole" in done[4].stdout


def test_the_run_command_installs_and_serves_the_demo(tmp_path: Path) -> None:
    """The installing half is run by .ci/run and on every fresh clone; here the server it ends with is started."""
    (line,) = commands("<!-- command: run -->")
    make, install, serve = line.split(" && ")
    assert (make, install) == ("python3 -m venv .venv", ".venv/bin/pip install -q .")
    port = free_port()
    process = subprocess.Popen(
        [*serve.replace(".venv/bin", str(BIN)).split(), "--port", str(port)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert _answers(f"http://127.0.0.1:{port}/sessions/demo/actions")
        assert httpx.get(f"http://127.0.0.1:{port}/sessions/demo/actions").json()["actions"]
        (read,) = commands("<!-- command: read -->")
        assert "Zadie maneuvers against Critters with 4 dice" in shell(read, tmp_path).stdout
    finally:
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=20)
    assert printed.count(f"http://127.0.0.1:{port}/") >= 4


def _answers(url: str) -> bool:
    for _ in range(200):
        with suppress(httpx.TransportError):
            if httpx.get(url).status_code == 200:
                return True
        time.sleep(0.1)
    return False


def test_the_test_command_is_the_one_ci_runs() -> None:
    (line,) = commands("<!-- command: test -->")
    make, install, test = line.split(" && ")
    assert (make, install) == ("python3 -m venv .venv", ".venv/bin/pip install -q -e '.[test]'")
    assert test.startswith(".venv/bin/pytest")
    assert "command_in_readme test" in (ROOT / ".ci" / "run").read_text()


def test_nothing_else_in_the_readme_is_a_command() -> None:
    assert README.count("```sh") == 4
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
