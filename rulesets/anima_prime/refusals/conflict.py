"""6.1, 6.3, 6.7: what a GM would check before a conflict starts, moves on or ends; and scenes between conflicts."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import CharacterScene, EndConflict, Enter, StartConflict, Withdraw
from rulesets.anima_prime.known import unknown_among, unknown_goal
from rulesets.anima_prime.participants import bearers_of, scene_of, starters
from rulesets.anima_prime.refusals.acting import not_running, out_of_conflict, tokens_overspent
from rulesets.anima_prime.refusals.wording import condition_unknown
from rulesets.anima_prime.state import Character, State
from rulesets.contract import RuleViolation


def start_refused(state: State, command: StartConflict) -> Iterator[RuleViolation]:
    """No conflict runs, everybody named is there, and each side has somebody."""
    yield from running(state, "End the conflict that runs first")
    yield from unknown_among(state, *(command.characters or ()))
    entering = starters(state, command)
    for starting in command.conditions:
        yield from unknown_among(state, *bearers_of(starting, entering))
        yield from condition_unknown(starting.condition)
    for one in entering:
        yield from _no_free_wound(one)
    sides = {one.side for one in entering}
    for side in ("pcs", "adversity"):
        if side not in sides:
            yield RuleViolation(
                "no-opposition",
                f"A conflict needs two sides; nobody of the {side} takes part",
                overrulable=True,
                side=side,
            )


def enter_refused(state: State, command: Enter) -> Iterator[RuleViolation]:
    """A running conflict, and somebody who is not in it and still stands."""
    yield from not_running(state)
    yield from unknown_among(state, command.character)
    one = state.characters[command.character]
    if one.status == "active":
        yield RuleViolation("already-in-conflict", f"{one.name} is in the conflict already", character=one.id)
    yield from _no_free_wound(one)


def withdraw_refused(state: State, command: Withdraw) -> Iterator[RuleViolation]:
    """Somebody who is in the running conflict."""
    yield from not_running(state)
    yield from unknown_among(state, command.character)
    yield from out_of_conflict(state.characters[command.character])


def end_refused(state: State, command: EndConflict) -> Iterator[RuleViolation]:
    """A conflict that runs, tokens that are there, goals nobody has achieved."""
    yield from not_running(state)
    yield from unknown_among(state, *(one.payer for one in command.tokens))
    for payer in dict.fromkeys(one.payer for one in command.tokens):
        spent = sum(one.tokens for one in command.tokens if one.payer == payer)
        yield from tokens_overspent(
            state.characters[payer].name, state.characters[payer].awesome_tokens, spent
        )
    for ruling in command.goals:
        if ruling.goal not in state.goals:
            yield unknown_goal(ruling.goal)
        elif state.goals[ruling.goal].status not in ("open", "locked"):
            yield RuleViolation(
                "goal-not-open",
                f"{state.goals[ruling.goal].name} is not open; there is nothing to rule on",
                goal=ruling.goal,
            )


def scene_refused(state: State, command: CharacterScene) -> Iterator[RuleViolation]:
    """Outside a running conflict, one benefit for each character and scene, and something to gain."""
    yield from unknown_among(state, command.character)
    yield from running(state, "Character scenes lie between conflicts", overrulable=True)
    one = state.characters[command.character]
    scene = scene_of(state, command)
    if scene in one.benefits:
        yield RuleViolation(
            "benefit-taken",
            f"{one.name} has had a benefit of this scene; name another scene",
            overrulable=True,
            scene=scene,
        )
    yield from _nothing_to_gain(one, command)


def running(state: State, message: str, *, overrulable: bool = False) -> Iterator[RuleViolation]:
    """Something that cannot be done while a conflict runs."""
    if state.conflict.status == "running":
        yield RuleViolation("conflict-running", message, overrulable=overrulable)


def _no_free_wound(one: Character) -> Iterator[RuleViolation]:
    if one.wounds >= one.max_wounds:
        yield RuleViolation(
            "out-of-conflict",
            f"{one.name} has no free wound circle; heal a wound first",
            overrulable=True,
            character=one.id,
            status=one.status,
        )


def _nothing_to_gain(one: Character, command: CharacterScene) -> Iterator[RuleViolation]:
    match command.benefit:
        case "heal":
            ill = any(condition.no_healing for condition in one.conditions)
            reason = (
                "no wound to heal"
                if not one.wounds
                else "a condition that keeps wounds from healing"
                if ill
                else ""
            )
        case "refill":
            full = one.action_max is None or one.action >= one.action_max
            reason = "a full Action Pool, or one without a maximum" if full else ""
        case "mark":
            traits = {trait.name: trait.marked for trait in one.traits}
            if command.trait not in traits:
                yield RuleViolation(
                    "unknown-trait",
                    f"Name one of {one.name}'s traits: {', '.join(traits) or 'there are none'}",
                    trait=command.trait,
                )
                return
            reason = f"{command.trait} marked already" if traits[command.trait] else ""
        case "other":
            reason = ""
    if reason:
        yield RuleViolation(
            "nothing-to-gain", f"{one.name} has {reason}; choose another benefit", character=one.id
        )
