"""The page on history runs as it is written, names every refusal of corrections, and its pictures are what happens."""

import inspect
import json
import os
import runpy
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from server_process import environment, serving
from test_http import BLOCK, Block, differences

from eventlog.history import errors
from eventlog.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "history.md").read_text()
BLOCKS = [Block(*found) for found in BLOCK.findall(PAGE)]
ADMIN_KEY = "the key under the mat"
SECONDS = 90


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("history")
    env = environment(TABLETAPE_ADMIN_KEY=ADMIN_KEY)
    with serving("--db", folder / "here.db", env=env) as (here, _):
        yield here["url"]


@pytest.fixture(scope="module")
def printed(url: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each block printed, all of them run in one shell."""
    script = "".join(f"{block.lines}\nprintf '\\n@@@\\n'\n" for block in BLOCKS)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script.replace("http://127.0.0.1:8000", url)],
        cwd=tmp_path_factory.mktemp("walk"),
        env={**os.environ, "TABLETAPE_ADMIN_KEY": ADMIN_KEY},
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-600:]}\n{done.stderr}"
    return done.stdout.split("\n@@@\n")[:-1]


@pytest.mark.parametrize("number", [number for number, block in enumerate(BLOCKS) if block.form])
def test_the_answer_is_as_the_page_on_history_shows_it(printed: list[str], number: int) -> None:
    answer = json.loads(printed[number].strip().splitlines()[-1])
    assert list(differences(json.loads(BLOCKS[number].shown), answer)) == []


def test_the_picture_of_slots_shows_what_really_happens() -> None:
    drawn = runpy.run_path(str(ROOT / "docs" / "slots_picture.py"))["drawn"]()
    assert drawn == (ROOT / "docs" / "slots.svg").read_text()
    assert "](slots.svg)" in PAGE
    assert [drawn.count(f">{word}<") for word in ("undone", "stands", "changes", "falls", "revision 2")] == [
        1,
        5,
        2,
        1,
        2,
    ]


def test_the_page_or_the_walk_names_every_refusal_of_corrections() -> None:
    found = [
        each for _, each in inspect.getmembers(errors, inspect.isclass) if each.__module__ == errors.__name__
    ]
    codes = {each.code for each in found}
    assert len(codes) > 12
    told = PAGE + (ROOT / "docs" / "errors.md").read_text()
    assert not [code for code in codes if f"`{code}`" not in told]


def test_every_value_of_the_settings_is_on_the_page() -> None:
    hints = inspect.get_annotations(Settings, eval_str=True)
    for value in (*values(hints["undo"]), *values(hints["redraw_after_undo"])):
        assert value in PAGE


def values(annotation: object) -> tuple[str, ...]:
    """The words a setting may have."""
    found: list[str] = []
    pending = [annotation]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            found.append(each)
        pending += getattr(each, "__args__", ())
    return tuple(found)
