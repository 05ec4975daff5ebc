"""The page on Anima Prime is what the ruleset says."""

import re
from pathlib import Path

import reference

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "anima_prime.md").read_text()


def test_the_generated_parts_are_up_to_date() -> None:
    assert reference.page(PAGE) == PAGE, "run: python docs/reference.py"


def test_every_code_the_tests_know_is_explained() -> None:
    known = {
        code
        for file in (ROOT / "tests" / "anima_prime").glob("test_*.py")
        for code in re.findall(r'then_refused\(\s*"([a-z]+(?:-[a-z]+)+)"', file.read_text())
    }
    explained = set(re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE))
    shared = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "errors.md").read_text(), re.MULTILINE))
    assert len(known) > 40
    assert known - explained - shared == set()


def test_every_reading_has_an_explanation() -> None:
    rows = list(reference.parameters())[1:]
    assert len(rows) > 40
    assert [row for row in rows if not row[-1]] == []
