"""Laws of history, over random play and random corrections of every installed game."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_history import GAMES, Sitting

from eventlog.history.points import folded, tape_at
from eventlog.history.reading import Past
from eventlog.verification import verify
from rulesets.installed import ruleset_named

SEEDS = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def history_folded_anew(sitting: Sitting) -> object:
    """The table told from the log alone: every standing slot, in the order of the story."""
    tape = sitting.tape
    opening = tape_at(sitting.store, sitting.session, 0)
    past = Past(sitting.store, tape)
    return folded(ruleset_named(sitting.game), opening.state, past.between(1, tape.action))


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_the_table_is_the_fold_of_the_history_after_any_corrections(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        sitting.play(25)
        for command, _ in sitting.try_corrections(8):
            assert sitting.tape.state == history_folded_anew(sitting), command
            sitting.play(2)
            assert sitting.tape.state == history_folded_anew(sitting), command
        assert sitting.tape.state == history_folded_anew(sitting)
        assert tape_at(sitting.store, sitting.session) == sitting.tape
        verified = verify(sitting.store, sitting.session)
        assert verified.ok, verified.first_fault
