"""Laws of replay, over random play and random corrections of every installed game."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_history import GAMES, Sitting

from eventlog.errors import EventLogError
from eventlog.history.copied import CopiedLog
from eventlog.history.points import corrected_at, table_up_to, tape_at
from eventlog.history.reading import Past
from projections.replay import ReplayFrame, replay
from projections.table import state_document
from projections.timeline import timeline
from rulesets.contract import RuleViolation
from rulesets.people import GM

CORRECTING = {"undo", "redo", "amend", "insert"}
SEEDS = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


def corrected_session(sitting: Sitting) -> None:
    sitting.play(20)
    for _ in sitting.try_corrections(5):
        sitting.play(2)


def frames(
    sitting: Sitting, *, first: int = 0, last: int | None = None, corrected: bool = False
) -> list[ReplayFrame]:
    return list(replay(sitting.store, sitting.session, GM, first=first, last=last, corrected=corrected))


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_each_frame_shows_the_table_as_it_was_known_then(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        corrected_session(sitting)
        told = frames(sitting)
        assert [frame.action for frame in told] == list(range(sitting.tape.action + 1))
        for frame in told:
            table = state_document(tape_at(sitting.store, sitting.session, frame.action), GM)
            assert (frame.version, frame.state_hash) == (table.version, table.state_hash)
            assert frame.state == table.state
        middle = sitting.random.randrange(len(told))
        assert frames(sitting, first=middle) == told[middle:]
        assert frames(sitting, last=middle) == told[: middle + 1]


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_a_corrected_replay_ends_where_the_history_stands_at_every_action(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        corrected_session(sitting)
        tape = sitting.tape
        whole = frames(sitting, corrected=True)
        assert whole[-1].state == state_document(tape, GM).state
        for number in range(tape.action):
            shown = frames(sitting, last=number, corrected=True)
            stands = table_up_to(Past(sitting.store, tape), number)
            assert shown[-1].state_hash == hash_of(tape, stands), number
            assert shown == whole[: len(shown)]
            rest = frames(sitting, first=number + 1, corrected=True)
            assert rest == whole[len(whole) - len(rest) :]


def hash_of(tape: Any, state: Any) -> str:
    return state_document(msgspec.structs.replace(tape, state=state), GM).state_hash


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_what_was_put_in_is_met_where_it_was_put(game: str, seed: int) -> None:
    """At its number the table is that of its place in the story, as the corrected replay shows it."""
    with Sitting(game, seed) as sitting:
        corrected_session(sitting)
        sitting.play(3)
        for _ in range(3):
            where = sitting.random.choice([*sitting.slots()])
            with suppress(EventLogError, RuleViolation):
                sitting.act(
                    "insert",
                    before=where,
                    mode="rebase",
                    command={"type": "roll", "count": 1, "purpose": "chance"},
                )
        tape = sitting.tape
        put_in = {each.slot for each in tape.history.inserted}
        assume(put_in)
        for frame in frames(sitting, corrected=True):
            if frame.action in put_in:
                shown = state_document(corrected_at(sitting.store, tape, frame.action), GM)
                assert (frame.state, frame.state_hash) == (shown.state, shown.state_hash)


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_a_corrected_replay_tells_what_stands_in_the_timeline_and_nothing_else(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        corrected_session(sitting)
        entries = timeline(sitting.store, sitting.session, GM, limit=500).actions
        standing = {
            number
            for entry in entries
            if entry.status == "standing" and entry.type not in CORRECTING
            for number in (entry.number, *entry.answers)
        }
        told = [frame.action for frame in frames(sitting, corrected=True)]
        assert set(told) == standing
        assert len(told) == len(standing)


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_a_copy_replays_as_its_session_does(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        corrected_session(sitting)
        copy = CopiedLog(sitting.session, sitting.store.envelopes(sitting.session))
        for corrected in (False, True):
            copied = list(replay(copy, sitting.session, GM, corrected=corrected))
            assert copied == frames(sitting, corrected=corrected)
