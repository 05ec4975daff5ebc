"""Laws of forks, over random play and random corrections of every installed game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from copies import import_log
from dueling import Table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_history import GAMES, Sitting

from eventlog.archive import export_lines
from eventlog.history.points import folded, tape_at
from eventlog.history.reading import Past
from eventlog.requests import ForkRequest
from eventlog.verification import verify
from rulesets.installed import ruleset_named
from rulesets.people import GM

SEEDS = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


def fork(sitting: Sitting) -> str:
    """Fork the session that is played after any of its actions, and go on in the fork."""
    tape = sitting.tape
    request = ForkRequest(parent=sitting.session, at=sitting.random.randint(0, tape.action))
    sitting.session = sitting.do(lambda: sitting.recorder.fork(request)).tape.session
    return sitting.session


def go_on(sitting: Sitting, session: str) -> None:
    """Play and correct a session at random."""
    sitting.session = session
    for _ in sitting.try_corrections(4):
        sitting.play(2)


def luck(sitting: Sitting, session: str) -> list[int]:
    """Twenty dice nobody throws alike by chance."""
    sitting.session = session
    rolled = sitting.act("roll", count=20, sides=1_000_000, purpose="likeness").events[-1]
    return [die["face"] for die in msgspec.json.decode(rolled.data or b"")["roll"]["dice"]]


def told_anew(sitting: Sitting, session: str) -> Any:
    """The table told from the log alone: every standing slot, in the order of the story."""
    tape = tape_at(sitting.store, session)
    opening = tape_at(sitting.store, session, 0)
    return folded(
        ruleset_named(sitting.game), opening.state, Past(sitting.store, tape).between(1, tape.action)
    )


def check(sitting: Sitting, session: str) -> None:
    """The log is whole, and the live table, its fold and a copy of it in another store agree."""
    found = verify(sitting.store, session)
    assert found.ok, found.first_fault
    live = sitting.do(lambda: sitting.recorder.tape(session))
    assert live == tape_at(sitting.store, session)
    assert live.state == told_anew(sitting, session)
    other = Table()
    other.do(lambda: import_log(other.recorder, list(export_lines(sitting.store, session, GM))))
    taken = tape_at(other.store, session, live.action)
    assert (taken.state, taken.history, taken.hash) == (live.state, live.history, live.hash)
    again = verify(other.store, session)
    assert again.ok, again.first_fault
    other.close()


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_a_fork_and_its_parent_never_touch_each_other(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        sitting.play(20)
        go_on(sitting, sitting.session)
        parent = sitting.session
        before = list(export_lines(sitting.store, parent, GM))
        child = fork(sitting)
        go_on(sitting, child)
        assert list(export_lines(sitting.store, parent, GM)) == before
        after = list(export_lines(sitting.store, child, GM))
        go_on(sitting, parent)
        assert list(export_lines(sitting.store, child, GM)) == after
        sitting.session = child
        grandchild = fork(sitting)
        go_on(sitting, grandchild)
        assert luck(sitting, parent) != luck(sitting, child) != luck(sitting, grandchild)
        for session in (parent, child, grandchild):
            check(sitting, session)
