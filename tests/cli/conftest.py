"""The command line in this process, and a database with an evening in it."""

import subprocess
from typing import NamedTuple

import pytest
import server_process
from scene_files import DUEL

import api.cli


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder to be in, and none of the settings of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("TABLETAPE_DB", "TABLETAPE_ADMIN_KEY", "TABLETAPE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def tabletape(capfd):
    """Runs one command: `tabletape("play", path)`."""

    def run(*arguments):
        code = api.cli.run([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Result(int(code), captured.out, captured.err)

    return run


@pytest.fixture
def evening(tabletape):
    """The id of a session recorded in tabletape.db."""
    assert tabletape("play", DUEL, "--db", "tabletape.db").code == 0
    return tabletape("sessions").out.split("\t")[0]


@pytest.fixture
def environment():
    """The environment of a process that knows the duel."""
    return server_process.environment(TERM="xterm-256color")


@pytest.fixture
def process(environment):
    """Runs the command line as a process of its own."""

    def run(*arguments, **options):
        command = [*server_process.COMMAND, *map(str, arguments)]
        return subprocess.run(
            command, check=False, env=environment, capture_output=True, text=True, timeout=60, **options
        )

    return run
