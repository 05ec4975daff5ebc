"""The table after one more fact: bookkeeping only, no rule and no dice."""

from __future__ import annotations

from rulesets.anima_prime.events import ActionEvent, ConflictEvent, Event, TableEvent
from rulesets.anima_prime.evolve.actions import after_action
from rulesets.anima_prime.evolve.conflict import after_course
from rulesets.anima_prime.evolve.setup import after_setup
from rulesets.anima_prime.evolve.table import after_talk
from rulesets.anima_prime.state import State


def evolve(state: State, event: Event) -> State:
    """The table after one more fact. Raises `PoolBelowZero` where the fact does not fit the table."""
    if isinstance(event, ActionEvent):
        return after_action(state, event)
    if isinstance(event, ConflictEvent):
        return after_course(state, event)
    if isinstance(event, TableEvent):
        return after_talk(state, event)
    return after_setup(state, event)
