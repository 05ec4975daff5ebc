"""The walk through the API runs as it is written, and answers as it says; every route and setting is on the page."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import reference
from server_process import environment, serving

from api.app import create_app
from api.settings import ServerSettings
from projections.dice_table import DieRow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "http.md").read_text()
WEBHOOKS = (ROOT / "docs" / "webhooks.md").read_text()
ADMIN_KEY = "the key under the mat"
ADDRESSES = ("http://127.0.0.1:8000", "http://127.0.0.1:8001")
SECONDS = 90
BLOCK = re.compile(r"```sh\n(.*?)```(?:\n+```(json|http)\n(.*?)```)?", re.DOTALL)
ANYTHING = "…"


class Block(NamedTuple):
    """Lines to run, and what the page shows of the answer: `json`, the headers of `http`, or nothing."""

    lines: str
    form: str
    shown: str


BLOCKS = [Block(*found) for found in BLOCK.findall(PAGE)]


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Two servers with one admin key."""
    folder, env = tmp_path_factory.mktemp("servers"), environment(TABLETAPE_ADMIN_KEY=ADMIN_KEY)
    with (
        serving("--db", folder / "here.db", env=env) as (here, _),
        serving("--db", folder / "elsewhere.db", env=env) as (elsewhere, _),
    ):
        yield [here["url"], elsewhere["url"]]


@pytest.fixture(scope="module")
def printed(urls: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each block printed, all of them run in one shell."""
    script = "".join(f"{block.lines}\nprintf '\\n@@@\\n'\n" for block in BLOCKS)
    for address, url in zip(ADDRESSES, urls, strict=True):
        script = script.replace(address, url)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path_factory.mktemp("walk"),
        env={**os.environ, "TABLETAPE_ADMIN_KEY": ADMIN_KEY},
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-600:]}\n{done.stderr}"
    return done.stdout.split("\n@@@\n")[:-1]


@pytest.mark.parametrize("number", [number for number, block in enumerate(BLOCKS) if block.form])
def test_the_answer_is_as_it_is_shown(printed: list[str], number: int) -> None:
    block, answer = BLOCKS[number], printed[number].strip()
    if block.form == "http":
        headers = [line.strip().lower() for line in answer.splitlines()]
        for line in block.shown.lower().splitlines():
            assert any(header.startswith(line.rstrip(ANYTHING)) for header in headers), (line, headers)
    else:
        assert list(differences(json.loads(block.shown), json.loads(answer.splitlines()[-1]))) == []


def differences(shown: Any, found: Any, path: str = "") -> Iterator[str]:
    """Where an answer is not as shown. Objects may hold more than is shown, and lists too where a `…` stands."""
    if shown == ANYTHING:
        return
    if isinstance(shown, dict) and isinstance(found, dict):
        for key, value in shown.items():
            if key in found:
                yield from differences(value, found[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: not there"
    elif isinstance(shown, list) and isinstance(found, list):
        yield from _items(shown, found, path)
    elif shown != found:
        yield f"{path}: shown {shown!r}, found {found!r}"


def _items(shown: list[Any], found: list[Any], path: str) -> Iterator[str]:
    """Items from the beginning, and those after a `…` from the end."""
    first = shown.index(ANYTHING) if ANYTHING in shown else len(shown)
    last = len(shown) - first - 1
    if len(found) != len(shown) if last < 0 else len(found) < len(shown) - 1:
        yield f"{path}: shown {len(shown)} items, found {len(found)}"
        return
    pairs = [*zip(shown[:first], found, strict=False)]
    pairs += zip(shown[first + 1 :], found[len(found) - max(0, last) :], strict=False)
    for place, (wanted, item) in enumerate(pairs):
        yield from differences(wanted, item, f"{path}[{place}]")


def test_a_difference_is_found() -> None:
    answer = {"a": 1, "b": [{"c": 2}, {"d": 3}, {"e": 4}], "f": None}
    assert list(differences({"b": [{"c": 2}, "…", {"e": 4}], "a": "…"}, answer)) == []
    wrong = ({"a": 2}, {"g": "…"}, {"b": [{"c": 2}]}, {"b": ["…", {"e": 5}]}, {"f": {}}, {"b": {}})
    for shown in wrong:
        assert len(list(differences(shown, answer))) == 1


def test_every_route_is_called_or_looked_after_by_operators() -> None:
    """Each route of the description is asked for in a line of the walk, or of the page on webhooks.

    docs/operating.md has the rest.
    """
    blocks = [*BLOCKS, *(Block(*found) for found in BLOCK.findall(WEBHOOKS))]
    called = {(method, shape) for block in blocks for method, shape in calls(block.lines)}
    described = create_app(ServerSettings(db=":memory:")).openapi_schema.to_schema()["paths"]
    routes = {
        (method.upper(), re.sub(r"\{.*?\}", "*", path))
        for path, operations in described.items()
        for method in operations
        if method in {"get", "post", "patch", "delete"}
    }
    operators = {("GET", path) for path in ("/", "/health", "/ready", "/metrics")}
    assert operators <= routes
    assert routes - operators - called == set()


def calls(lines: str) -> Iterator[tuple[str, str]]:
    """Method and path of every curl, with a star where something is named."""
    for line in re.sub(r"\\\n", " ", lines).splitlines():
        for path in re.findall(r"\$(?:URL|ELSEWHERE)(/[^\s\"?]*)", line):
            verb = re.search(r"-X (\w+)", line)
            sends = " -d " in line or "--data-binary" in line
            shape = re.sub(r"\$\w+|(?<=/actions/)\d+|(?<=/rulesets/)[\w-]+|(?<=\$ASKED/)\w+", "*", path)
            yield verb[1] if verb else "POST" if sends else "GET", shape


def test_the_tables_of_routes_and_settings_are_up_to_date() -> None:
    assert {"routes", "settings"} <= set(reference.PARTS)
    assert "<!-- routes -->" in PAGE
    assert "<!-- settings -->" in PAGE
    assert reference.page(PAGE) == PAGE, "run: python docs/reference.py"


def test_every_column_of_the_dice_is_explained_in_its_order() -> None:
    told = PAGE.partition("<!-- columns -->")[2].partition("<!-- end of columns -->")[0]
    assert re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE) == list(DieRow._fields)
