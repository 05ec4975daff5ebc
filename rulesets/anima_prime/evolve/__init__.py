"""The table after one more fact: bookkeeping only, no rule and no dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from rulesets.anima_prime.events import ActionEvent, ConflictEvent, Event, SetupEvent, TableEvent
from rulesets.anima_prime.evolve.actions import after_action
from rulesets.anima_prime.evolve.conflict import after_course
from rulesets.anima_prime.evolve.setup import after_setup
from rulesets.anima_prime.evolve.table import after_talk
from rulesets.anima_prime.state import State

_AFTER: dict[type[Any], Callable[[State, Any], State]] = {
    kind: after
    for chapter, after in (
        (ActionEvent, after_action),
        (ConflictEvent, after_course),
        (TableEvent, after_talk),
        (SetupEvent, after_setup),
    )
    for kind in get_args(chapter)
}
"""The chapter of each kind of fact: asking whether a fact is one of so many kinds takes longer than the fact."""


def evolve(state: State, event: Event) -> State:
    """The table after one more fact. Raises `PoolBelowZero` where the fact does not fit the table."""
    return _AFTER[type(event)](state, event)
