"""Offers, conditions and corrections: what must be there for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec.structs import asdict

from rulesets.anima_prime.commands import (
    Adjust,
    Announce,
    ApplyCondition,
    Offer,
    RemoveCondition,
    WithdrawOffer,
)
from rulesets.anima_prime.describe.words import begun, listed, name_of
from rulesets.anima_prime.known import goal_unknown, unknown_among, unknown_givers
from rulesets.anima_prime.participants import all_at_the_table, bearers_of
from rulesets.anima_prime.refusals.acting import not_running
from rulesets.anima_prime.refusals.wording import condition_unknown
from rulesets.anima_prime.sheet import COUNTED, GoalStatus, Status
from rulesets.anima_prime.state import Character, State
from rulesets.contract import RuleViolation

_OF_CHARACTERS = (*COUNTED, "acted", "status", "traits")
_OF_CONFLICTS = ("group_competence", "gift_given", "turn", "round", "status")
_OF_GOALS = ("status", "difficulty")


def offer_refused(state: State, command: Offer) -> Iterator[RuleViolation]:
    """From somebody to somebody else, of something, while a conflict runs."""
    yield from not_running(state)
    yield from unknown_givers(state, (command.giver,))
    yield from unknown_among(state, None if command.to == "all" else command.to)
    if command.giver == command.to:
        yield RuleViolation("gift-from-self", "An offer is for somebody else", character=command.giver)
    if not (command.gift or command.help_dice or command.strike_dice or command.tokens):
        yield RuleViolation("nothing-offered", "Say what is offered: a gift, help, strike dice or tokens")
    if command.giver == "gm" and (command.help_dice or command.strike_dice or command.tokens):
        yield RuleViolation("nothing-offered", "The GM has gift dice to offer, nothing else")


def withdraw_offer_refused(state: State, command: WithdrawOffer) -> Iterator[RuleViolation]:
    """An offer that stands."""
    yield from unknown_givers(state, (command.giver,))
    yield from unknown_among(state, None if command.to == "all" else command.to)
    if not any(one.giver == command.giver and command.to in (None, one.to) for one in state.offers):
        yield RuleViolation(
            "no-such-offer",
            f"{begun(name_of(state, command.giver))} has no such offer standing",
            giver=command.giver,
        )


def announce_refused(state: State, command: Announce) -> Iterator[RuleViolation]:
    """Somebody at the table."""
    yield from unknown_among(state, command.actor)


def apply_condition_refused(state: State, command: ApplyCondition) -> Iterator[RuleViolation]:
    """A condition with known effects, and somebody to bear it."""
    yield from condition_unknown(command.condition)
    yield from _bearers(state, command)


def remove_condition_refused(state: State, command: RemoveCondition) -> Iterator[RuleViolation]:
    """Somebody who bears it; of `all`, at least one."""
    yield from _bearers(state, command)
    who = bearers_of(command, all_at_the_table(state))
    everybody = "all" in (command.character, command.characters)
    bearing = [one for one in who if borne_name(state.characters[one], command.condition) is not None]
    missing = [one for one in who if one not in bearing]
    if missing and not (everybody and bearing):
        yield RuleViolation(
            "condition-not-borne",
            f"{command.condition} does not lie on {listed(name_of(state, one) for one in missing)}",
            condition=command.condition,
        )


def borne_name(one: Character, condition: str) -> str | None:
    """What a condition somebody bears is called exactly, whatever case it was asked for in."""
    return next((borne.name for borne in one.conditions if borne.name.lower() == condition.lower()), None)


def adjust_refused(state: State, command: Adjust) -> Iterator[RuleViolation]:
    """One thing to correct, numbers and words that belong to it, and no pool below zero or above its maximum."""
    yield from unknown_among(state, command.character)
    yield from goal_unknown(state, command.goal)
    named = [command.character is not None, command.goal is not None, command.conflict]
    if sum(named) != 1:
        yield RuleViolation("nothing-to-adjust", "Name one character, one goal, or the conflict")
    fields = (_OF_CHARACTERS, _OF_GOALS, _OF_CONFLICTS)[named.index(True)]
    yield from _fields(command, fields)
    if command.character is not None:
        yield from _character(state.characters[command.character], command)
    elif command.goal is not None:
        yield from _status(command, get_args(GoalStatus))
    else:
        yield from _conflict(state, command)


def _bearers(state: State, command: ApplyCondition | RemoveCondition) -> Iterator[RuleViolation]:
    who = bearers_of(command, all_at_the_table(state))
    yield from unknown_among(state, *who)
    if not who:
        yield RuleViolation(
            "nobody-named", "Say whom: `character`, `characters`, or `all` where somebody is there"
        )


def _fields(command: Adjust, fields: tuple[str, ...]) -> Iterator[RuleViolation]:
    flags = ("acted", "gift_given", "round")
    changed = [
        name
        for name, value in asdict(command.changes).items()
        if value is not None and value != () and (value or name in flags)
    ]
    if not changed:
        yield RuleViolation("nothing-to-adjust", "Say in `changes` what is to be another number or value")
    for name in changed:
        if name not in fields:
            yield RuleViolation(
                "nothing-to-adjust",
                f"{name} cannot be adjusted there; possible: {', '.join(fields)}",
                field=name,
            )


def _character(one: Character, command: Adjust) -> Iterator[RuleViolation]:
    for pool in COUNTED:
        have, change = getattr(one, pool), getattr(command.changes, pool)
        if have + change < 0:
            yield _below_zero(f"{one.name} has {have} {pool.replace('_', ' ')}", change)
    yield from _too_much(one, command)
    known = [trait.name for trait in one.traits]
    for trait in command.changes.traits:
        if trait.name not in known:
            yield RuleViolation("unknown-trait", f"{one.name} has no trait {trait.name!r}", trait=trait.name)
    yield from _status(command, get_args(Status))


def _conflict(state: State, command: Adjust) -> Iterator[RuleViolation]:
    if state.conflict.status == "none":
        yield RuleViolation("conflict-not-running", "No conflict has been started yet")
    if state.conflict.group_competence + command.changes.group_competence < 0:
        yield _below_zero(
            f"Group Competence is {state.conflict.group_competence}", command.changes.group_competence
        )
    have, most = state.conflict.group_competence, state.parameters.gc.max
    if command.changes.group_competence > max(0, most - have):
        yield _above("pool-above-maximum", f"Group Competence is {have}", max(0, most - have))
    yield from _status(command, ("running", "ended"))


def _status(command: Adjust, known: tuple[str, ...]) -> Iterator[RuleViolation]:
    if command.changes.status is not None and command.changes.status not in known:
        yield RuleViolation(
            "nothing-to-adjust", f"The status must be one of {', '.join(known)}", field="status"
        )


def _too_much(one: Character, command: Adjust) -> Iterator[RuleViolation]:
    """A pool takes no more than its maximum, and a sheet no more wounds than it has circles."""
    changes = command.changes
    free = one.max_wounds - one.wounds
    if changes.wounds > free:
        yield _above(
            "wounds-exceed-circles", f"{one.name} has {one.wounds} of {one.max_wounds} circles marked", free
        )
    for pool in ("action", "charge"):
        have, most, change = getattr(one, pool), getattr(one, f"{pool}_max"), getattr(changes, pool)
        if most is not None and change > max(0, most - have):
            yield _above(
                "pool-above-maximum",
                f"{one.name} has {have} of at most {most} {pool} dice",
                max(0, most - have),
            )


def _above(code: str, have: str, most: int) -> RuleViolation:
    return RuleViolation(code, f"{have}: add {most} at most" if most else f"{have}: no more fit", most=most)


def _below_zero(have: str, change: int) -> RuleViolation:
    return RuleViolation("pool-below-zero", f"{have}; it cannot change by {change}", change=change)
