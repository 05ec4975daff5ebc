"""6.5 Strikes and 6.6 Achievements: what a GM would check before the dice fall."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import Achieve, Strike
from rulesets.anima_prime.costs import achievement_limit, payers, strike_dice, strike_limit
from rulesets.anima_prime.describe.words import pool_dice
from rulesets.anima_prime.known import goal_unknown, unknown_among
from rulesets.anima_prime.refusals.acting import may_act, out_of_conflict, tokens_lacking
from rulesets.anima_prime.refusals.maneuvers import helper_refused, other_side
from rulesets.anima_prime.refusals.powering import extras_refused
from rulesets.anima_prime.state import Character, Goal, State
from rulesets.contract import RuleViolation


def strike_refused(state: State, command: Strike) -> Iterator[RuleViolation]:
    """The actor, the targets, the strike dice, the powers, the tokens."""
    yield from may_act(state, command)
    yield from unknown_among(state, *command.targets, *payers(command))
    actor = state.characters[command.actor]
    yield from _targets(state, command, actor)
    yield from _from_pool(actor, command.strike_dice)
    least = state.parameters.strike.min_strike_dice
    if command.strike_dice < least:
        yield too_few(f"A strike takes at least {pool_dice(least, 'strike')}", least)
    most = strike_limit(state, actor)
    if command.strike_dice > most:
        yield too_many(
            f"{actor.name} may strike with at most {pool_dice(most, 'strike')}; bonus dice come on top", most
        )
    yield from extras_refused(state, command)
    yield from tokens_lacking(state, command)


def achievement_refused(state: State, command: Achieve) -> Iterator[RuleViolation]:
    """The actor, the goal, the participants, the strike dice, the powers, the tokens."""
    yield from may_act(state, command)
    yield from goal_unknown(state, command.goal)
    put_in = strike_dice(command)
    yield from unknown_among(state, *(who for who, _ in put_in), *payers(command))
    actor = state.characters[command.actor]
    yield from _goal(state.goals[command.goal], actor, len(put_in))
    yield from _participants(state, command, actor)
    yield from _strike_dice(state, command, actor)
    yield from extras_refused(state, command)
    yield from tokens_lacking(state, command)


def too_few(message: str, minimum: int) -> RuleViolation:
    """Fewer strike dice than the action takes; the GM may let it go."""
    return RuleViolation("not-enough-strike-dice", message, overrulable=True, minimum=minimum)


def too_many(message: str, maximum: int) -> RuleViolation:
    """More strike dice than the action takes; the GM may let it go."""
    return RuleViolation("too-many-strike-dice", message, overrulable=True, maximum=maximum)


def _from_pool(one: Character, dice: int) -> Iterator[RuleViolation]:
    if dice > one.strike:
        yield RuleViolation(
            "not-enough-strike-dice",
            f"{one.name} has {pool_dice(one.strike, 'strike')}, not {dice}",
            character=one.id,
            have=one.strike,
        )


def _targets(state: State, command: Strike, actor: Character) -> Iterator[RuleViolation]:
    """One opponent, or two for tokens."""
    if len(set(command.targets)) < len(command.targets):
        yield RuleViolation("same-target", "Name each target once")
    if len(command.targets) > 2:
        yield RuleViolation(
            "too-many-targets",
            "A strike has one target, or two for Awesome Tokens",
            overrulable=True,
            maximum=2,
        )
    for target in command.targets:
        struck = state.characters[target]
        if struck.side == actor.side:
            yield RuleViolation(
                "not-an-opponent",
                f"{struck.name} is on {actor.name}'s own side",
                overrulable=struck.id != actor.id,
                character=target,
            )
        yield from out_of_conflict(struck)


def _goal(goal: Goal, actor: Character, participants: int) -> Iterator[RuleViolation]:
    """7.1 to 7.5: open, of the actor's side, not achieved by them before, and joint if others help."""
    if goal.status == "locked":
        yield RuleViolation(
            "goal-locked",
            f"{goal.name} can be tried when the goal before it is achieved",
            overrulable=True,
            goal=goal.id,
        )
    elif goal.status != "open" or actor.id in goal.achievers:
        state = "achieved by them already" if goal.status == "open" else goal.status
        yield RuleViolation(
            "goal-not-open", f"{goal.name} is {state}", overrulable=True, goal=goal.id, status=goal.status
        )
    if goal.side not in ("any", actor.side):
        yield RuleViolation(
            "goal-other-side", f"{goal.name} is for the other side", overrulable=True, goal=goal.id
        )
    if goal.participation == "solo" and participants > 1:
        yield RuleViolation(
            "goal-solo", f"{goal.name} must be achieved alone", overrulable=True, goal=goal.id
        )


def _participants(state: State, command: Achieve, actor: Character) -> Iterator[RuleViolation]:
    """6.6: others of the same side, who give up their own action for it."""
    others = [state.characters[who] for who, _ in strike_dice(command)[1:]]
    if others and actor.side == "adversity" and not state.parameters.adversity.combine:
        yield RuleViolation(
            "no-combining",
            "Opponents do not combine achievements (parameter adversity.combine)",
            overrulable=True,
        )
    covered = command.free and state.parameters.token.free_covers_helpers
    for one in others:
        if covered:
            yield from other_side(one, actor, "helper-other-side")
            yield from out_of_conflict(one)
        else:
            yield from helper_refused(one, actor)


def _strike_dice(state: State, command: Achieve, actor: Character) -> Iterator[RuleViolation]:
    """6.6: from the pools, at least one from each helper, at most eight and two for each helper."""
    reading, put_in = state.parameters.achievement, strike_dice(command)
    for who, dice in put_in:
        yield from _from_pool(state.characters[who], dice)
        if who != actor.id and dice < reading.min_helper_dice:
            yield too_few(
                f"{state.characters[who].name} must put in at least {pool_dice(reading.min_helper_dice, 'strike')}",
                reading.min_helper_dice,
            )
    total = sum(dice for _, dice in put_in)
    if total < reading.min_strike_dice:
        yield too_few(
            f"An achievement takes at least {pool_dice(reading.min_strike_dice, 'strike')}",
            reading.min_strike_dice,
        )
    most = achievement_limit(state, actor, len(put_in))
    if total > most:
        yield too_many(
            f"{len(put_in)} may put in at most {pool_dice(most, 'strike')} together; bonus dice come on top",
            most,
        )
