"""The table of dice over random play and random corrections: every die once, standing where the story stands."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_history import GAMES, Sitting

from eventlog.history.slots import rolls_in
from eventlog.history.stock import address_of
from projections.dice_table import DieRow, dice_table
from projections.ledger import LedgerLine, ledger
from projections.spreadsheet import LEDGER_COLUMNS
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
            (*address_of(roll, place), die.face) for roll in rolls for place, die in enumerate(roll.dice, 1)
        }
        assert Counter((row.fell_in, row.fell_at, row.face) for row in rows) == Counter(thrown)
        told = Counter(
            (entry.number, die.face)
            for entry in entries
            if entry.status == "standing"
            for roll in entry.rolls
            for die in roll.dice
        )
        assert Counter((row.line, row.face) for row in rows if row.status == "standing") == told
        _is_told_by_the_ledger(rows, list(ledger(sitting.store, sitting.session, GM)))
        lines = {entry.number: entry.type or "" for entry in entries}
        assert all(lines[row.line] == row.type for row in rows)


def _is_told_by_the_ledger(rows: list[DieRow], lines: list[LedgerLine]) -> None:
    """Every row is the ledger's line of that die, in the words of both; each die of the ledger has its row."""
    where = {(f"{row.fell_in}.{row.fell_at}", row.face): row for row in rows}
    assert {(line.address, line.face) for line in lines} == set(where)
    for row in rows:
        assert any(
            (line.roll, line.place, line.address, line.face, line.sides, line.source, line.purpose)
            == (
                row.roll,
                row.place,
                f"{row.fell_in}.{row.fell_at}",
                row.face,
                row.sides,
                row.source,
                row.purpose,
            )
            and (line.who, line.origin, line.standing) == (row.who, row.origin, row.status == "standing")
            for line in lines
        ), row


def test_both_tables_call_what_they_share_alike_and_in_the_same_order() -> None:
    ours = [column for column in DieRow._fields if column in LEDGER_COLUMNS]
    assert ours == [column for column in LEDGER_COLUMNS if column in DieRow._fields]
    assert set(DieRow._fields) - set(LEDGER_COLUMNS) == {"line", "type"}
    assert set(LEDGER_COLUMNS) - set(DieRow._fields) == {"action", "slot", "revision", "seq"}
