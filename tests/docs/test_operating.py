"""The page for operators: its lines run against a real server, and its tables name what there is."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from server_process import free_port

from api.cli.commands import tabletape
from api.settings import ServerSettings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operating.md").read_text()
SCENE = ROOT / "fixtures" / "anima_prime" / "s1-solo-maneuver.toml"
SECONDS = 90


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[1]


def options() -> set[str]:
    """Every option of every command."""
    context = click.Context(tabletape)
    commands = [tabletape.get_command(context, name) for name in tabletape.list_commands(context)]
    return {each for command in commands if command for one in command.params for each in one.opts}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where every line of the page was run, on a database with a session in it."""
    folder, bin_ = tmp_path_factory.mktemp("operating"), Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}"}
    for name in [name for name in environment if name.startswith("TABLETAPE_")]:
        del environment[name]
    lines = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).replace("8000", str(free_port()))
    script = (
        f"trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\ntabletape play {SCENE} --db tabletape.db\n{lines}"
    )
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (folder / "printed.txt").write_text(done.stdout)
    return folder


def answer(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text())


def test_the_server_was_ready_and_measured_before_and_after_the_restore(folder: Path) -> None:
    printed = (folder / "printed.txt").read_text()
    assert printed.count('{"status":"ready"}') == 3
    assert '{"status":"ok"}' in printed
    assert 'tabletape_request_seconds_count{method="GET",route="/ready"}' in printed


def test_the_backup_was_whole(folder: Path) -> None:
    with sqlite3.connect(folder / "tonight.db") as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copy.execute("SELECT count(*) FROM sessions").fetchone() == (1,)
    copy.close()


def test_the_words_went_and_the_log_stayed_whole(folder: Path) -> None:
    seq = answer(folder, "note.json")["version"]
    assert answer(folder, "redacted.json")["events"][-1]["type"] == "core.text-redacted"
    verified = answer(folder, "verified.json")
    assert (verified["ok"], verified["checked"]["redacted"]) == (True, [seq])
    assert set(answer(folder, "removed.json")) == {"id", "version", "head_hash", "removed_at"}
    for file in folder.glob("tabletape.db*"):
        assert b"Nora is ill tonight" not in file.read_bytes()


def test_every_field_of_the_log_is_explained_and_no_other(folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / "tabletape.log").read_text().splitlines()]
    assert len(lines) >= 8
    rows = re.findall(r"^\| (`.*?`) \|", section("See how it is"), re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert {name for line in lines for name in line} == explained - {"fault"}
    assert {line["event"] for line in lines} == {"request"}
    patterns = {line["route"] for line in lines if "{" in line["route"]}
    assert patterns
    assert not [route for route in patterns if ":" in route], "as the page says: `/sessions/{session}/state`"
    assert "such as `/sessions/{session}/state`" in section("See how it is")
    assert {"Nora", "tt_"}.isdisjoint((folder / "tabletape.log").read_text())


def test_every_setting_is_in_the_table_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| .*? \| (.*?) \|", section("Start it"), re.MULTILINE))
    defaults = msgspec.to_builtins(ServerSettings())
    assert rows == {name: f"`{value}`" if value else "none" for name, value in defaults.items()}


def test_every_option_on_the_page_is_there() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", re.sub(r"curl .*", "", PAGE)))
    assert len(named) > 5
    assert named <= options()


def test_every_environment_variable_on_the_page_is_read() -> None:
    command = tabletape.get_command(click.Context(tabletape), "serve")
    assert command
    read = {one.envvar for one in command.params if one.envvar}
    assert set(re.findall(r"TABLETAPE_[A-Z_]+", PAGE)) == read


def test_what_the_bench_measures_is_told() -> None:
    from bench import __main__ as bench

    told = re.findall(r"^- ", section("Speed and size"), re.MULTILINE)
    assert len(told) == Path(bench.__file__).read_text().count("    yield ")
