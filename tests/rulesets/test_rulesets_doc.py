"""What docs/rulesets.md says is true: its code runs, its quotations are in the duel, its checks are those of the kit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesets.testing import CHECKS

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "rulesets.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
QUOTED = [block for block in BLOCKS if block.startswith("# tabletape_duel/")]


def test_the_code_of_the_page_runs_from_top_to_bottom():
    shared: dict[str, object] = {}
    for block in BLOCKS:
        if block not in QUOTED:
            exec(compile(block, "docs/rulesets.md", "exec"), shared)  # noqa: S102 - the page is ours
    tests = [test for name, test in shared.items() if name.startswith("test_")]
    assert len(tests) == 3
    for test in tests:
        test()


@pytest.mark.parametrize("block", QUOTED, ids=[block.splitlines()[0] for block in QUOTED])
def test_what_is_quoted_from_the_duel_stands_there(block):
    name, _, code = block.partition("\n")
    assert code in (ROOT / "tests" / "installed" / name.removeprefix("# ")).read_text()


def test_the_page_lists_every_check_of_the_kit_in_order():
    assert re.findall(r"^\| `([a-z-]+)` \|", DOC, re.MULTILINE) == list(CHECKS)


def test_the_page_names_the_entry_point_as_it_is():
    written = (ROOT / "tests" / "installed" / "tabletape_duel-1.0.dist-info" / "entry_points.txt").read_text()
    assert 'duel = "tabletape_duel:RULESET"' in DOC
    assert "duel = tabletape_duel:RULESET" in written
