"""Whether somebody may act now: the conflict, the turn, the action of the round, and what tokens change (6.3, 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import Achieve, Maneuver, Strike, UsePower
from rulesets.anima_prime.costs import Payable, payers, token_cost
from rulesets.anima_prime.describe.words import many
from rulesets.anima_prime.known import unknown_among
from rulesets.anima_prime.state import Character, State
from rulesets.contract import RuleViolation


def not_running(state: State) -> Iterator[RuleViolation]:
    """6.1: whatever needs a conflict needs one that runs."""
    if state.conflict.status != "running":
        yield RuleViolation("conflict-not-running", "No conflict is running; the GM starts one first")


def may_act(state: State, command: Maneuver | Strike | Achieve | UsePower) -> Iterator[RuleViolation]:
    """6.3: somebody in the conflict, in their side's turn, with their action of the round unspent."""
    yield from not_running(state)
    yield from unknown_among(state, command.actor)
    actor = state.characters[command.actor]
    yield from out_of_conflict(actor)
    if isinstance(command, Maneuver) or not command.free:
        yield from not_your_turn(state, actor)
        if actor.acted:
            yield RuleViolation(
                "already-acted",
                f"{actor.name} has acted this round; an Awesome Token buys a free strike, achievement or action power",
                overrulable=True,
                character=actor.id,
            )


def out_of_conflict(one: Character) -> Iterator[RuleViolation]:
    """6.3: only those in the conflict act, give or are struck."""
    if one.status != "active":
        where = "waits in reserve" if one.status == "reserve" else f"is {one.status}"
        yield RuleViolation(
            "out-of-conflict",
            f"{one.name} {where}; the GM brings somebody in with `enter`",
            overrulable=True,
            character=one.id,
            status=one.status,
        )


def not_your_turn(state: State, one: Character) -> Iterator[RuleViolation]:
    """6.3: one side after the other."""
    if state.conflict.turn != one.side:
        yield RuleViolation(
            "not-your-turn",
            f"It is the other side's turn; {one.name} acts when the GM has ended it",
            overrulable=True,
            character=one.id,
            turn=state.conflict.turn,
        )


def tokens_lacking(state: State, command: Payable) -> Iterator[RuleViolation]:
    """6.4: the tokens must be there, with one payer unless the table pools them."""
    cost = token_cost(state, command)
    if not cost:
        return
    named = payers(command)
    if len(named) > 1 and not state.parameters.tokens.pooling:
        yield RuleViolation(
            "tokens-not-pooled", "One player pays all the tokens of one use; name one payer", overrulable=True
        )
    have = sum(state.characters[who].awesome_tokens for who in named)
    if have < cost:
        needed = many(cost, "Awesome Token")
        yield RuleViolation(
            "not-enough-tokens",
            f"This takes {needed}; there {'is' if have == 1 else 'are'} {have} to pay with",
            needed=cost,
            have=have,
        )


def tokens_overspent(who: str, have: int, spent: int) -> Iterator[RuleViolation]:
    """6.4: nobody spends more tokens than lie before them."""
    if spent > have:
        yield RuleViolation(
            "not-enough-tokens",
            f"{who} has {many(have, 'Awesome Token')}, not {spent}",
            needed=spent,
            have=have,
        )
