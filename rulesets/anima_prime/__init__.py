"""Anima Prime by Christian Griffen: the game with Group Competence, as a ruleset."""

from __future__ import annotations

from rulesets.anima_prime.record import RECORD
from rulesets.anima_prime.state import State
from rulesets.contract import Rules, Ruleset


def _rules_1() -> Rules[State]:
    from rulesets.anima_prime.rules import RULES

    return RULES


RULESET: Ruleset[State] = Ruleset(
    slug="anima-prime",
    name="Anima Prime",
    summary="Maneuvers, strikes and achievements of heroes who share a Group Competence, against individuals, squads and swarms.",
    record=RECORD,
    rules={1: _rules_1},
)
"""Anima Prime, found through the entry point `anima-prime`."""
