"""6.4 Maneuvers: what a GM would check before the dice fall."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import HelpAsked, Maneuver
from rulesets.anima_prime.describe.words import pool_dice
from rulesets.anima_prime.known import unknown_among, unknown_givers
from rulesets.anima_prime.refusals.acting import may_act, out_of_conflict
from rulesets.anima_prime.refusals.powering import extras_refused
from rulesets.anima_prime.state import Character, State
from rulesets.contract import RuleViolation


def maneuver_refused(state: State, command: Maneuver) -> Iterator[RuleViolation]:
    """The actor, the target, the dice, the helpers, the gifts, the powers."""
    yield from may_act(state, command)
    yield from unknown_among(state, command.target, *[one.character for one in command.helpers])
    yield from unknown_givers(state, command.gifts)
    actor = state.characters[command.actor]
    yield from _action_dice(state, actor, command.action_dice, "no-action-dice")
    if command.helpers:
        yield from _helpers(state, command, actor)
    if command.gifts:
        yield from _gifts(state, command, actor)
    yield from extras_refused(state, command)


def _action_dice(state: State, one: Character, dice: int, lacking: str) -> Iterator[RuleViolation]:
    """Each participant puts in one to three dice they have."""
    limit = state.parameters.maneuver.action_dice
    if dice > one.action or not one.action:
        yield RuleViolation(
            lacking,
            f"{one.name} has {pool_dice(one.action, 'action')}, not {max(dice, 1)}",
            character=one.id,
            have=one.action,
        )
    if dice < limit.min:
        yield RuleViolation(
            lacking,
            f"{one.name} must put in at least {pool_dice(limit.min, 'action')}, whatever others give",
            overrulable=True,
            character=one.id,
            minimum=limit.min,
        )
    if dice > limit.max:
        yield RuleViolation(
            "too-many-action-dice",
            f"{one.name} may put in at most {pool_dice(limit.max, 'action')}",
            overrulable=True,
            character=one.id,
            maximum=limit.max,
        )


def _helpers(state: State, command: Maneuver, actor: Character) -> Iterator[RuleViolation]:
    """Helpers are others of the same side who have not acted this round."""
    if actor.side == "adversity" and not state.parameters.adversity.combine:
        yield RuleViolation(
            "no-combining",
            "Opponents do not combine maneuvers (parameter adversity.combine)",
            overrulable=True,
        )
    named = [actor.id]
    for helper in command.helpers:
        if helper.character in named:
            yield RuleViolation(
                "helper-twice", f"{helper.character} takes part already", character=helper.character
            )
        named.append(helper.character)
        yield from _helper(state, helper, actor)


def _helper(state: State, helper: HelpAsked, actor: Character) -> Iterator[RuleViolation]:
    one = state.characters[helper.character]
    yield from helper_refused(one, actor)
    yield from _action_dice(state, one, helper.action_dice, "helper-no-dice")


def helper_refused(one: Character, actor: Character) -> Iterator[RuleViolation]:
    """Whoever joins an action is in the conflict on the same side and gives up their own action."""
    yield from other_side(one, actor, "helper-other-side")
    yield from out_of_conflict(one)
    if one.acted:
        yield RuleViolation(
            "helper-already-acted",
            f"{one.name} has acted this round and cannot help",
            overrulable=True,
            character=one.id,
        )


def other_side(one: Character, actor: Character, code: str) -> Iterator[RuleViolation]:
    """Dice come from the actor's own side."""
    if one.side != actor.side:
        yield RuleViolation(code, f"{one.name} is on the other side", overrulable=True, character=one.id)


def _gifts(state: State, command: Maneuver, actor: Character) -> Iterator[RuleViolation]:
    """One die from each other player's Action Pool, and one of the GM's."""
    if actor.side == "adversity" and not state.parameters.adversity.gifts:
        yield RuleViolation(
            "gift-other-side",
            "Opponents get no gift dice (parameter adversity.gifts)",
            overrulable=True,
            character=actor.id,
        )
    for giver in dict.fromkeys(command.gifts):
        yield from _too_often(state, giver, command.gifts.count(giver))
        if giver != "gm":
            yield from _giver(state, command, state.characters[giver], actor)


def _too_often(state: State, giver: str, dice: int) -> Iterator[RuleViolation]:
    most = state.parameters.gift.gm_max if giver == "gm" else state.parameters.gift.max_per_giver
    if dice > most:
        yield RuleViolation(
            "gift-twice",
            f"{giver} may give at most {pool_dice(most, 'gift')} to one maneuver",
            overrulable=True,
            giver=giver,
        )


def _giver(state: State, command: Maneuver, one: Character, actor: Character) -> Iterator[RuleViolation]:
    if one.id == actor.id:
        yield RuleViolation(
            "gift-from-self",
            f"{one.name} cannot give to their own maneuver",
            overrulable=True,
            character=one.id,
        )
    yield from other_side(one, actor, "gift-other-side")
    if one.status == "reserve" or (one.status != "active" and not state.parameters.gift.from_defeated):
        yield from out_of_conflict(one)
    helps = sum([helper.action_dice for helper in command.helpers if helper.character == one.id])
    if helps and not state.parameters.gift.from_helpers:
        yield RuleViolation(
            "gift-from-helper",
            f"{one.name} helps already and gives no gift as well",
            overrulable=True,
            character=one.id,
        )
    puts_in = helps + (command.action_dice if one.id == actor.id else 0)
    gifts = command.gifts.count(one.id)
    if one.action < puts_in + gifts:
        yield RuleViolation(
            "gift-no-die",
            f"{one.name} has {pool_dice(one.action, 'action')} and cannot give {gifts}",
            character=one.id,
            have=one.action,
        )
