"""Random sessions for property tests: few, short, and the same again for the same seed."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from anima_prime.play import Move, play
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.state import State
from rulesets.contract import Rules

SEEDS = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
RECORD = RULESET.record


def chance(seed: int) -> Random:
    """Chance that can be repeated."""
    return Random(seed)


def session(seed: int, actions: int = 90, daring: float = 0.0) -> list[Move]:
    """A random session, repeatable."""
    return list(play(chance(seed), actions, daring=daring))


def current_rules() -> Rules[State]:
    """Today's reading of the rule book."""
    return RULESET.rules[RULESET.current]()
