"""The table of dice over random play and random corrections: every die once, standing where the story stands."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_history import GAMES, Sitting

from eventlog.history.slots import rolls_in
from eventlog.history.stock import address_of
from projections.dice_table import dice_table
from projections.story import every_entry
from rulesets.installed import ruleset_named
from rulesets.people import GM


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_every_die_is_a_row_once_and_stands_where_its_line_stands(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        sitting.play(20)
        for _ in sitting.try_corrections(5):
            sitting.play(2)
        rows = list(dice_table(sitting.store, sitting.session, GM))
        entries = list(every_entry(sitting.store, sitting.session, GM))
        rolls = rolls_in(ruleset_named(game), sitting.store.envelopes(sitting.session))
        thrown = {
            ("{}.{}".format(*address_of(roll, place)), die.face)
            for roll in rolls
            for place, die in enumerate(roll.dice, 1)
        }
        assert Counter((row.address, row.face) for row in rows) == Counter(thrown)
        told = Counter(
            (entry.number, die.face)
            for entry in entries
            if entry.status == "standing"
            for roll in entry.rolls
            for die in roll.dice
        )
        assert Counter((row.action, row.face) for row in rows if row.status == "standing") == told
        lines = {entry.number: entry.type or "" for entry in entries}
        assert all(lines[row.action] == row.type for row in rows)
