"""Words that must name something printed: conditions and powers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesets.anima_prime import conditions
from rulesets.anima_prime.parameters import Parameters
from rulesets.anima_prime.powers import printed
from rulesets.anima_prime.sheet import Condition, Power
from rulesets.contract import RuleViolation


def condition_unknown(wish: str | Condition) -> Iterator[RuleViolation]:
    """A condition named must be a printed one; the table's own are written out with their numbers."""
    if conditions.condition_of(wish) is None:
        known = ", ".join(row.name for row in conditions.ROWS)
        yield RuleViolation(
            "unknown-condition",
            f"No printed condition is called {wish!r}: use one of {known}, or write it out as {{name, dice, defense}}",
            condition=wish,
        )


def powers_unknown(parameters: Parameters, powers: Iterable[str | Power]) -> Iterator[RuleViolation]:
    """A power named must be a printed one; the table's own are written out."""
    for power in powers:
        if isinstance(power, str) and printed(parameters, power) is None:
            yield RuleViolation(
                "unknown-power",
                f"No printed power is called {power!r}: write it out as {{id, kind, cost, dice}}",
                power=power,
            )
