"""Who can put something into another's action, as far as the person who looks may name them."""

from __future__ import annotations

from rulesets.anima_prime.permits import Loan, lends
from rulesets.anima_prime.state import Character, State, active, seated
from rulesets.contract import Viewer


def helpers_of(state: State, one: Character, viewer: Viewer) -> tuple[str, ...]:
    """6.4: those of the same side in the conflict who have not acted and have an action die to put in."""
    return tuple(
        other.id
        for other in _partners(state, one)
        if other.action and lends(state, viewer, Loan(other.id, one.id, "help_dice"))
    )


def givers_to(state: State, one: Character, viewer: Viewer) -> tuple[str, ...]:
    """6.4: those of the same side with an action die to give, whether or not they have acted, and the GM."""
    reading = state.parameters.gift
    if one.side == "adversity" and not state.parameters.adversity.gifts:
        return ()
    there = ("active", "defeated", "withdrawn") if reading.from_defeated else ("active",)
    friends = [other for other in seated(state) if other.side == one.side and other.id != one.id]
    able = [other.id for other in friends if other.status in there and other.action] * bool(
        reading.max_per_giver
    )
    givers = (*able, *("gm",) * bool(reading.gm_max))
    return tuple(giver for giver in givers if lends(state, viewer, Loan(giver, one.id, "gift")))


def joiners_of(state: State, one: Character, viewer: Viewer) -> tuple[str, ...]:
    """6.6: those of the same side in the conflict who have not acted and have strike dice to put in."""
    return tuple(
        other.id
        for other in _partners(state, one)
        if other.strike and lends(state, viewer, Loan(other.id, one.id, "strike_dice"))
    )


def _partners(state: State, one: Character) -> tuple[Character, ...]:
    """Those who could combine their action with this one's; opponents only where the readings let them."""
    if one.side == "adversity" and not state.parameters.adversity.combine:
        return ()
    return tuple(other for other in active(state, one.side) if other.id != one.id and not other.acted)
