"""The page on webhooks runs as it is written, with the receiver it shows."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from server_process import environment, free_port, serving
from test_http import ADMIN_KEY, BLOCK, SECONDS, Block, differences

from api.webhooks.asking import MOST_OF_A_SESSION, MOST_OF_THE_SERVER
from api.webhooks.patience import Patience
from api.webhooks.sending import SECONDS as SECONDS_TO_ANSWER
from api.webhooks.shapes import RegisterWebhook
from eventlog.hooks import MOST_LOGGED

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "webhooks.md").read_text()
BLOCKS = [Block(*found) for found in BLOCK.findall(PAGE)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where every line of the page was run."""
    folder, port = tmp_path_factory.mktemp("webhooks"), str(free_port())
    ((name, receiver),) = re.findall(r"```python\n(# (?:\w+\.py)\n)(.*?)```", PAGE, re.DOTALL)
    (folder / name.strip("# \n")).write_text(receiver.replace("9000", port))
    env = environment(TABLETAPE_ADMIN_KEY=ADMIN_KEY)
    with serving("--db", folder / "t.db", "--allow-webhook-to", "127.0.0.1", env=env) as (said, _):
        lines = "".join(f"{block.lines}\nprintf '\\n@@@\\n'\n" for block in BLOCKS)
        script = f"trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n{lines}"
        script = script.replace("http://127.0.0.1:8000", said["url"]).replace("9000", port)
        script = script.replace("python3 receiver.py", f"{sys.executable} receiver.py")
        # the receiver is there a moment after it was started
        script = script.replace(
            "2> /dev/null &",
            f"2> /dev/null & until (: > /dev/tcp/127.0.0.1/{port}) 2> /dev/null; do sleep 0.1; done",
        )
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=folder, env={**os.environ, "TABLETAPE_ADMIN_KEY": ADMIN_KEY},
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-600:]}\n{done.stderr}"
    (folder / "printed.txt").write_text(done.stdout.replace(port, "9000"))
    return folder


@pytest.mark.parametrize("number", [number for number, block in enumerate(BLOCKS) if block.form == "json"])
def test_the_answer_is_as_it_is_shown(folder: Path, number: int) -> None:
    answer = (folder / "printed.txt").read_text().split("\n@@@\n")[number].strip().splitlines()[-1]
    assert list(differences(json.loads(BLOCKS[number].shown), json.loads(answer))) == []


def test_the_receiver_verified_what_it_was_sent(folder: Path) -> None:
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    received = (folder / "received.txt").read_text()
    assert received.startswith(shown)
    assert "note-added" not in received, "the only note is hidden"


def test_every_field_of_a_registration_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert explained == set(RegisterWebhook.__struct_fields__)


def test_the_numbers_on_the_page_are_those_of_the_code() -> None:
    words = " ".join(PAGE.split())
    assert Patience().waits == (2, 10, 60, 300, 900, 3600, 7200)
    assert "2 and 10 seconds, 1, 5 and 15 minutes, 1 and 2 hours" in words
    assert len(Patience().waits) + 1 == 8
    assert "After the eighth attempt" in words
    assert SECONDS_TO_ANSWER == 10
    assert "ten seconds to answer" in words
    assert f"A session has {MOST_OF_A_SESSION} webhooks at most" in words
    assert f"There are {MOST_OF_THE_SERVER} at most" in words
    assert MOST_LOGGED == 1000
    assert "the last thousand of each webhook" in words
