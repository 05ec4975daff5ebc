"""The table after offers, conditions and corrections by hand."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec.structs import replace

from rulesets.anima_prime.events import (
    Announced,
    CharacterAdjusted,
    ConditionApplied,
    ConditionRemoved,
    ConflictAdjusted,
    HiddenNamed,
    OfferMade,
    OfferWithdrawn,
    QuestionRuled,
    TableEvent,
)
from rulesets.anima_prime.evolve.pools import moved, seat
from rulesets.anima_prime.sheet import COUNTED
from rulesets.anima_prime.state import Announcement, Offer, State
from rulesets.errors import PoolBelowZero


def after_talk(state: State, event: TableEvent) -> State:  # noqa: PLR0911 - a table of facts
    """The table after one more fact of the talk around it."""
    match event:
        case OfferMade():
            return replace(state, offers=(*_others(state, event.giver, event.to), _offer(event)))
        case OfferWithdrawn(giver=giver, to=to):
            return replace(state, offers=_others(state, giver, to))
        case Announced(actor=actor, kind=kind, text=text):
            others = (one for one in state.announcements if one.actor != actor)
            return replace(state, announcements=(*others, Announcement(actor=actor, kind=kind, text=text)))
        case ConditionApplied(character=who, condition=condition):
            kept = tuple(one for one in state.characters[who].conditions if one.name != condition.name)
            return seat(state, replace(state.characters[who], conditions=(*kept, condition)))
        case ConditionRemoved(character=who, condition=name):
            kept = tuple(one for one in state.characters[who].conditions if one.name != name)
            return seat(state, replace(state.characters[who], conditions=kept))
        case CharacterAdjusted():
            return _character_adjusted(state, event)
        case ConflictAdjusted():
            return _conflict_adjusted(state, event)
        case QuestionRuled() | HiddenNamed():
            return state
        case _:
            assert_never(event)


def _others(state: State, giver: str, to: str) -> tuple[Offer, ...]:
    return tuple(one for one in state.offers if (one.giver, one.to) != (giver, to))


def _offer(event: OfferMade) -> Offer:
    return Offer(
        giver=event.giver,
        to=event.to,
        gift=event.gift,
        help_dice=event.help_dice,
        strike_dice=event.strike_dice,
        tokens=event.tokens,
    )


def _character_adjusted(state: State, event: CharacterAdjusted) -> State:
    one = state.characters[event.character]
    for pool in COUNTED:
        if amount := getattr(event, pool):
            one = moved(one, pool, amount)
    marks = {trait.name: trait for trait in event.traits}
    return seat(
        state,
        replace(
            one,
            acted=one.acted if event.acted is None else event.acted,
            status=event.status or one.status,
            traits=tuple(marks.get(trait.name, trait) for trait in one.traits),
        ),
    )


def _conflict_adjusted(state: State, event: ConflictAdjusted) -> State:
    conflict = state.conflict
    competence = conflict.group_competence + event.group_competence
    if competence < 0:
        raise PoolBelowZero(
            f"Group Competence is {conflict.group_competence}, it cannot change by {event.group_competence}"
        )
    new: dict[str, Any] = {
        name: getattr(event, name)
        for name in ("gift_given", "turn", "round", "status")
        if getattr(event, name) is not None
    }
    return replace(state, conflict=replace(conflict, group_competence=competence, **new))
