"""Offers, announcements, conditions, corrections and rulings become facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from rulesets.anima_prime.commands import (
    Adjust,
    Announce,
    ApplyCondition,
    Offer,
    RemoveCondition,
    Rule,
    WithdrawOffer,
)
from rulesets.anima_prime.conditions import condition_of
from rulesets.anima_prime.decide.achieving import achieved
from rulesets.anima_prime.events import (
    Announced,
    CharacterAdjusted,
    CharacterDefeated,
    CharacterReturned,
    ConditionApplied,
    ConditionRemoved,
    ConflictAdjusted,
    Event,
    GoalSet,
    OfferMade,
    OfferWithdrawn,
    QuestionRuled,
)
from rulesets.anima_prime.participants import all_at_the_table, bearers_of
from rulesets.anima_prime.sheet import GoalStatus, Status
from rulesets.anima_prime.state import Character, State


def offer(command: Offer) -> list[Event]:
    """A promise; nothing is paid."""
    return [
        OfferMade(
            giver=command.giver,
            to=command.to,
            gift=int(command.gift),
            help_dice=command.help_dice,
            strike_dice=command.strike_dice,
            tokens=command.tokens,
            text=command.text,
        )
    ]


def withdraw_offer(state: State, command: WithdrawOffer) -> list[Event]:
    """One promise taken back, or all of a giver's."""
    return [
        OfferWithdrawn(giver=one.giver, to=one.to)
        for one in state.offers
        if one.giver == command.giver and command.to in (None, one.to)
    ]


def announce(command: Announce) -> list[Event]:
    """Words for the others."""
    return [Announced(actor=command.actor, kind=command.kind, text=command.text)]


def apply_condition(state: State, command: ApplyCondition) -> list[Event]:
    """The condition lies on everybody meant."""
    condition = condition_of(command.condition, command.until)
    if condition is None:
        return []
    who = bearers_of(command, all_at_the_table(state))
    return [ConditionApplied(character=one, condition=condition) for one in who]


def remove_condition(state: State, command: RemoveCondition) -> list[Event]:
    """The condition is off everybody meant who bears it."""
    return [
        ConditionRemoved(character=who, condition=borne.name)
        for who in bearers_of(command, all_at_the_table(state))
        for borne in state.characters[who].conditions
        if borne.name.lower() == command.condition.lower()
    ]


def rule(command: Rule) -> list[Event]:
    """The GM's word."""
    return [QuestionRuled(question=command.question, answer=command.answer)]


def adjust(state: State, command: Adjust) -> list[Event]:
    """A correction by hand, with what follows from it at once."""
    if command.character is not None:
        return list(_character(state, state.characters[command.character], command))
    if command.goal is not None:
        changes = command.changes
        goal = GoalSet(
            goal=command.goal,
            status=cast("GoalStatus | None", changes.status),
            difficulty=changes.difficulty,
            reason=command.reason,
        )
        return goal_set(state, goal)
    return [_conflict(state, command)]


def goal_set(state: State, event: GoalSet) -> list[Event]:
    """7.1: a goal set to achieved by the GM has its effects like any other."""
    goal = state.goals[event.goal]
    if event.status != "achieved" or goal.status == "achieved":
        return [event]
    return [event, *achieved(state, goal, event.achieved_by)]


def _character(state: State, one: Character, command: Adjust) -> Iterator[Event]:
    changes = command.changes
    yield CharacterAdjusted(
        character=one.id,
        action=changes.action,
        strike=changes.strike,
        charge=changes.charge,
        wounds=changes.wounds,
        awesome_tokens=changes.awesome_tokens,
        acted=changes.acted,
        status=cast("Status | None", changes.status),
        traits=changes.traits,
        reason=command.reason,
    )
    marked = one.wounds + changes.wounds
    if changes.status is None and changes.wounds > 0 and marked >= one.max_wounds and one.status == "active":
        yield CharacterDefeated(character=one.id)
    if (
        changes.status is None
        and changes.wounds < 0
        and one.status == "defeated"
        and state.conflict.status == "running"
    ):
        yield CharacterReturned(character=one.id)


def _conflict(state: State, command: Adjust) -> Event:
    """A conflict that is taken up again goes on with the side that began, unless the GM says otherwise."""
    changes = command.changes
    resumed = changes.status == "running" and state.conflict.turn is None
    fields: dict[str, Any] = {
        "turn": changes.turn or (state.conflict.first if resumed else None),
        "round": changes.round,
        "status": changes.status,
    }
    return ConflictAdjusted(
        group_competence=changes.group_competence,
        gift_given=changes.gift_given,
        reason=command.reason,
        **fields,
    )
