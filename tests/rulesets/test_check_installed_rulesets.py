"""Every installed ruleset keeps the contract, in plays of its own and at random."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest
from duel_plays import PLAYS
from scenes import scene_plays

from rulesets.installed import GROUP, ruleset_named
from rulesets.testing import CHECKS, check_ruleset, from_choices
from rulesets.testing.plays import run_example

SLUGS = sorted(entry_points(group=GROUP).names)
WRITTEN_HERE = {"duel": PLAYS}


def plays_of(slug):
    return WRITTEN_HERE.get(slug) or tuple(scene_plays(ruleset_named(slug)))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_installed_ruleset_keeps_the_contract(slug):
    check_ruleset(
        ruleset_named(slug), plays_of(slug), wander=from_choices(ruleset_named(slug)), seeds=range(2)
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_there_are_plays_of_every_installed_ruleset(slug):
    assert sum(len(run_example(ruleset_named(slug), play).actions) for play in plays_of(slug)) > 10


def test_the_plays_of_the_duel_show_all_of_its_commands_and_events():
    duel = ruleset_named("duel")
    actions = [action for play in PLAYS for action in run_example(duel, play).actions]
    assert {type(action.command) for action in actions} == set(duel.rules[1]().commands)
    assert {type(event) for action in actions for event in action.events} == set(duel.record.events)


def test_the_duel_keeps_the_contract_in_long_random_play():
    without = [name for name in CHECKS if name != "record-stands-alone"]
    duel = ruleset_named("duel")
    check_ruleset(duel, PLAYS, wander=from_choices(duel), seeds=range(10, 14), only=without)
