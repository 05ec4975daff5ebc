"""The duel: a small game that shows how a ruleset is written, and proves that the contract fits other games."""

from __future__ import annotations

from rulesets.contract import Rules, Ruleset
from tabletape_duel.record import RECORD
from tabletape_duel.state import State


def _rules_1() -> Rules[State]:
    from tabletape_duel.rules import RULES

    return RULES


RULESET = Ruleset(
    slug="duel",
    name="The Duel",
    summary="Two sides cross blades: three dice against skill, a parry or a dodge, a friend who steps between.",
    record=RECORD,
    rules={1: _rules_1},
)
