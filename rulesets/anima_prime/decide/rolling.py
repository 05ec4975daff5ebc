"""6.4: throwing the dice of a declared action, and what they leave open."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rulesets.anima_prime.commands import Maneuver
from rulesets.anima_prime.costs import Payable, Roller, charge_costs, token_shares, token_use
from rulesets.anima_prime.decide.folding import fold
from rulesets.anima_prime.decide.settling import settled
from rulesets.anima_prime.events import ChargePaid, DiceRolled, Event, TokensSpent
from rulesets.anima_prime.pool import joins_of, wanted
from rulesets.anima_prime.reckoning import failed_places, must_keep
from rulesets.anima_prime.state import OpenRoll, State
from rulesets.dice import Dice


def paid(state: State, command: Roller | Payable) -> list[Event]:
    """Tokens, then charge dice, all paid before the roll."""
    spent: list[Event] = [] if isinstance(command, Maneuver) else tokens_paid(state, command)
    for source, charge in charge_costs(state, command):
        spent.append(ChargePaid(character=command.actor, source=source, charge=charge))
    return spent


def tokens_paid(state: State, command: Payable) -> list[Event]:
    """6.4: what a free action or a second target costs, by payer."""
    use = token_use(command)
    if use is None:
        return []
    return [
        TokensSpent(
            character=who, tokens=tokens, use=use, beneficiary=None if who == command.actor else command.actor
        )
        for who, tokens in token_shares(state, command)
    ]


def thrown(
    state: State, command: Roller, declared: Sequence[Event], dice: Dice, earn_limit: int = 5
) -> list[Event]:
    """The declaration, its dice, and what comes of them at once when nobody has to decide anything.

    Where conditions take the last die nothing is thrown: no success, and whatever a failure brings.
    """
    pool = wanted(state, command)
    if not pool.origins:
        return [*declared, *settled(fold(state, declared), by_itself=True)]
    roll = dice.roll(joins_of(command), pool.dice)
    rolled = DiceRolled(actor=command.actor, roll=roll, earn_limit=earn_limit, apart=pool.apart)
    return left_open_or_settled(state, [*declared, rolled])


def left_open_or_settled(state: State, events: list[Event]) -> list[Event]:
    """The events with the question their dice leave open; without one, with what the roll brings."""
    *before, last = events
    after = fold(state, events)
    asks = question_left(after)
    if asks is None:
        return [*events, *settled(after, by_itself=True)]
    return [*before, replace(last, asks=asks)]


def question_left(state: State) -> str | None:
    """A reroll, if failed dice, a marked trait and the readings allow one; else the choice of dice, if any."""
    roll = state.open_roll
    if roll is None:
        return None
    if _may_reroll(state, roll):
        return "reroll"
    return "keep" if must_keep(state.parameters, roll) else None


def _may_reroll(state: State, roll: OpenRoll) -> bool:
    marked = any(trait.marked for trait in state.characters[roll.actor].traits)
    unused = roll.rerolls < state.parameters.reroll.max_per_roll
    return not roll.no_reroll and unused and marked and bool(failed_places(state.parameters, roll))
