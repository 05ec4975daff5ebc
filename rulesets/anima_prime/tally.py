"""What facts add to the statistics of the people at the table."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.events import (
    AchievementResolved,
    DiceRerolled,
    DiceRolled,
    Event,
    GiftGiven,
    ManeuverEarned,
    StrikeResolved,
    TokensSpent,
    WoundsInflicted,
)
from rulesets.anima_prime.reckoning import successes_among
from rulesets.anima_prime.state import State
from rulesets.contract import Tally
from rulesets.dice import Roll


def tally(state: State, event: Event) -> Iterator[Tally]:
    """Dice and successes with their expectation, gifts, rerolls, dice earned, wounds, tokens, goals."""
    match event:
        case DiceRolled(actor=actor, roll=roll):
            yield from _luck(state, actor, roll)
        case DiceRerolled(actor=actor, roll=roll):
            yield Tally(who=actor, measure="rerolls", amount=1)
            yield from _luck(state, actor, roll)
        case GiftGiven(giver=giver, dice=dice):
            yield Tally(who=giver, measure="gifts", amount=dice)
        case ManeuverEarned():
            yield from _counted(
                event.actor,
                ("strike-earned", event.strike),
                ("charge-earned", event.charge),
                ("tokens-earned", event.tokens),
            )
        case StrikeResolved(actor=actor, results=results):
            yield from _counted(actor, ("wounds-inflicted", sum(result.wounds for result in results)))
        case WoundsInflicted(character=character, wounds=wounds):
            yield from _counted(character, ("wounds-taken", wounds))
        case TokensSpent(character=character, tokens=tokens):
            yield from _counted(character, ("tokens-spent", tokens))
        case AchievementResolved(actor=actor, achieved=True):
            yield Tally(who=actor, measure="goals-achieved", amount=1)
        case _:
            return


def _luck(state: State, actor: str, roll: Roll) -> Iterator[Tally]:
    """The chance of a success is the same for every die: the faces from the success face up, of six."""
    dice = len(roll.dice)
    yield Tally(who=actor, measure="dice", amount=dice)
    yield Tally(
        who=actor,
        measure="successes",
        amount=successes_among(state.parameters, roll.dice),
        expected=(dice * (7 - state.parameters.success_face), 6),
    )


def _counted(who: str, *measures: tuple[str, int]) -> Iterator[Tally]:
    return (Tally(who=who, measure=measure, amount=amount) for measure, amount in measures if amount)
