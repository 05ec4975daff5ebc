"""Rulesets are found through their entry points, ours like anyone's; a broken one is named."""

from __future__ import annotations

import sys

import pytest
from tabletape_duel import RULESET

from rulesets import installed as discovery
from rulesets.errors import RulesetBroken, RulesetNotInstalled
from rulesets.installed import installed, ruleset_named

FINDERS = (discovery.ruleset_named, discovery._entry_points)


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a distribution of one module, as a third party would, for the length of a test."""
    monkeypatch.syspath_prepend(str(tmp_path))
    for finder in FINDERS:
        finder.cache_clear()

    def add(slug, module, text):
        (tmp_path / f"{module}.py").write_text(text)
        metadata = tmp_path / f"{module}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[tabletape.rulesets]\n{slug} = {module}:RULESET\n")

    yield add
    for finder in FINDERS:
        finder.cache_clear()
    for module in [name for name in sys.modules if name.startswith("installed_")]:
        del sys.modules[module]


def test_a_third_partys_ruleset_is_found_through_its_entry_point():
    assert ruleset_named("duel") is RULESET


def test_our_own_ruleset_is_found_the_same_way():
    assert ruleset_named("anima-prime").slug == "anima-prime"


def test_all_installed_rulesets_are_listed_by_slug():
    listed = installed()
    assert {"anima-prime", "duel"} <= set(listed)
    assert all(ruleset.slug == slug for slug, ruleset in listed.items())


def test_a_ruleset_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(
        RulesetNotInstalled, match=r"'chess' is not installed here \(installed: .*duel"
    ) as missing:
        ruleset_named("chess")
    assert missing.value.slug == "chess"
    assert "duel" in missing.value.installed


def test_a_new_ruleset_needs_no_change_here(install):
    install(
        "brawl",
        "installed_brawl",
        "from dataclasses import replace\nfrom tabletape_duel import RULESET as DUEL\nRULESET = replace(DUEL, slug='brawl')\n",
    )
    assert ruleset_named("brawl").slug == "brawl"


@pytest.mark.parametrize(
    "module,text,words",
    [
        ("installed_missing", "", "has no attribute 'RULESET'"),
        ("installed_typo", "RULESET =\n", "invalid syntax"),
        ("installed_crash", "1 / 0\n", "division by zero"),
    ],
)
def test_a_ruleset_that_cannot_be_loaded_is_named_with_the_reason(install, module, text, words):
    install("brawl", module, text)
    with pytest.raises(
        RulesetBroken, match=f"The ruleset 'brawl' .{module}:RULESET. cannot be loaded: .*{words}"
    ):
        ruleset_named("brawl")


@pytest.mark.parametrize("text", ["RULESET = 'a word'\n", "from tabletape_duel import RULESET\n"])
def test_an_entry_point_that_is_no_ruleset_of_its_slug_is_refused(install, text):
    install("brawl", "installed_liar", text)
    with pytest.raises(RulesetBroken, match="is not a ruleset of that slug"):
        ruleset_named("brawl")


def test_a_broken_ruleset_does_not_keep_the_others_from_being_used(install):
    install("brawl", "installed_bad", "raise ImportError('no fists')\n")
    assert ruleset_named("duel").slug == "duel"
