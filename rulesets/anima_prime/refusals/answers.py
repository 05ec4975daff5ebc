"""6.4: whether an answer fits the roll that waits."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import Keep, Reroll, Settle
from rulesets.anima_prime.reckoning import earned_by, failed_places, must_keep
from rulesets.anima_prime.state import Character, State
from rulesets.contract import RuleViolation


def reroll_refused(state: State, command: Reroll) -> Iterator[RuleViolation]:
    """A marked trait of the actor's, failed dice, and a reroll not used yet."""
    roll, settled = state.open_roll, state.settled
    if roll is None and settled is None:
        yield no_such_question()
    most = state.parameters.reroll.max_per_roll
    if (roll.rerolls if roll else settled.rerolls if settled else 0) >= most:
        yield RuleViolation(
            "reroll-used", f"This roll has been rerolled; at most {most} a roll", maximum=most
        )
    if not (len(failed_places(state.parameters, roll)) if roll else settled.failed if settled else 0):
        yield RuleViolation("no-failed-dice", "No die failed; there is nothing to throw again")
    waiting = roll is not None and roll.asks == "reroll"
    actor = state.characters[roll.actor if roll else settled.actor if settled else ""]
    yield from _trait(actor, command.trait, waiting=waiting)
    if not waiting:
        yield no_such_question()
    if state.parameters.reroll.needs_text and not command.text.strip():
        yield RuleViolation("text-missing", f"Say how {command.trait} helps here", overrulable=True)


def keep_refused(state: State, command: Keep) -> Iterator[RuleViolation]:
    """No more of a kind than was rolled, and exactly as many as the limit allows."""
    roll = state.open_roll
    if roll is None or roll.asks is None or not must_keep(state.parameters, roll):
        yield no_such_question()
        return
    earned = earned_by(state.parameters, roll.dice)
    if command.strike > earned.strike or command.charge > earned.charge:
        yield RuleViolation(
            "keep-exceeds-roll",
            f"The roll earned {earned.strike} strike and {earned.charge} charge; keep no more of either",
            strike=earned.strike,
            charge=earned.charge,
        )
    kept, limit = command.strike + command.charge, roll.earn_limit
    if kept > limit or (kept < limit and state.parameters.maneuver.keep == "exactly"):
        yield RuleViolation(
            "keep-not-five",
            f"Keep {limit} dice of the {earned.total} earned, not {kept}",
            overrulable=True,
            limit=limit,
        )


def settle_refused(state: State, _command: Settle) -> Iterator[RuleViolation]:
    """A roll that waits, and no choice of dice left; a roll that settled by itself may be settled once more."""
    roll = state.open_roll
    if roll is None and state.settled is None:
        yield no_such_question()
    if roll is not None and roll.asks == "keep":
        yield RuleViolation(
            "keep-not-five", f"Say with `keep` which {roll.earn_limit} dice to keep", limit=roll.earn_limit
        )


def no_such_question() -> RuleViolation:
    """Nothing waits for this answer."""
    return RuleViolation("no-such-question", "No roll waits for this answer")


def _trait(actor: Character, name: str, *, waiting: bool) -> Iterator[RuleViolation]:
    trait = next((one for one in actor.traits if one.name == name), None)
    if trait is None:
        yield RuleViolation(
            "unknown-trait",
            f"{actor.name} has no trait {name!r}; traits: {', '.join(one.name for one in actor.traits) or 'none'}",
            trait=name,
        )
    elif not trait.marked:
        yield RuleViolation(
            "trait-not-marked",
            f"{name} is not marked; only a marked trait can be unmarked",
            overrulable=waiting,
            trait=name,
        )
