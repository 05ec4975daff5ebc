"""The table while an action is being decided: what was found so far is on it already."""

from __future__ import annotations

from collections.abc import Iterable

from rulesets.anima_prime.events import Event
from rulesets.anima_prime.evolve import evolve
from rulesets.anima_prime.state import State


def fold(state: State, events: Iterable[Event]) -> State:
    """The table after these facts."""
    for event in events:
        state = evolve(state, event)
    return state
