"""Every promise names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guarantees.md").read_text()
TESTS = {
    name
    for file in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text(), re.MULTILINE)
}


def test_every_test_named_beside_a_promise_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 40
    assert named <= TESTS, named - TESTS


def test_every_promise_names_a_test() -> None:
    rows = [row for row in PAGE.splitlines() if row.startswith("| ") and not row.startswith("| promise")]
    assert [row for row in rows if "`test_" not in row] == []
