"""What is said of a conflict's course."""

from __future__ import annotations

from typing import assert_never

from rulesets.anima_prime.describe.phrase import Phrase
from rulesets.anima_prime.describe.words import faces, goal_name, listed, many, name_of, pool_dice, quoted
from rulesets.anima_prime.events import (
    CharacterEntered,
    CharacterReturned,
    CharacterSettled,
    CharacterWithdrew,
    ConflictEnded,
    ConflictEvent,
    ConflictStarted,
    FirstSideRolled,
    GoalLeftUnresolved,
    RoundEnded,
    ScenePlayed,
    TurnPassed,
)
from rulesets.anima_prime.sheet import Side
from rulesets.anima_prime.state import State

SIDES: dict[Side | None, str] = {"pcs": "the player characters", "adversity": "the adversity", None: "nobody"}
"""What the two sides are called."""


def said_of_course(state: State, event: ConflictEvent) -> Phrase:  # noqa: C901, PLR0911 - a table of facts
    """The phrase for one fact of a conflict's course."""
    match event:
        case TurnPassed(to=to):
            return Phrase("the turn", f"passes to {SIDES[to]}")
        case RoundEnded(round=number, raised=raised):
            now = state.conflict.group_competence
            rise = f", Group Competence {now - raised} -> {now}" if raised else ""
            return Phrase(f"round {number}", f"ends{rise}")
        case ConflictStarted(number=number, title=title, first=first):
            begin = (
                f", {SIDES[first]} begin" if first == "pcs" else f", {SIDES[first]} begins" if first else ""
            )
            return Phrase(title or f"conflict {number}", f"starts{begin}")
        case FirstSideRolled(roll=roll, first=first):
            result = (
                "a tie, again"
                if first is None
                else f"{SIDES[first]} go first"
                if first == "pcs"
                else "the adversity goes first"
            )
            return Phrase("the roll for who begins:", f"{faces(roll)}, {result}")
        case CharacterEntered(character=who):
            return Phrase(name_of(state, who), "enters")
        case CharacterReturned(character=who):
            return Phrase(name_of(state, who), "is back in the conflict")
        case CharacterWithdrew(character=who, text=text):
            return Phrase(name_of(state, who), "withdraws", quoted(text))
        case ConflictEnded(outcome=outcome, text=text):
            how = "by the GM's word" if outcome == "gm" else f"in {outcome}"
            return Phrase(state.conflict.title or "the conflict", f"ends {how}", quoted(text))
        case GoalLeftUnresolved(goal=goal, status=status, text=text):
            left = "stays unresolved" if status == "unresolved" else "is dropped"
            return Phrase(f"the goal {goal_name(state, goal)}", left, quoted(text))
        case CharacterSettled():
            return Phrase(name_of(state, event.character), _settled(event))
        case ScenePlayed():
            return Phrase(name_of(state, event.character), _scene(state, event), quoted(event.text))
        case _:
            assert_never(event)


def _settled(event: CharacterSettled) -> str:
    lost = [pool_dice(event.strike_lost, "strike")] * bool(event.strike_lost)
    lost += [pool_dice(event.charge_lost, "charge")] * bool(event.charge_lost)
    lost += [many(event.tokens_expired, "Awesome Token")] * bool(event.tokens_expired)
    lost += list(event.conditions)
    return f"loses {listed(lost)}" if lost else "leaves the conflict"


def _scene(state: State, event: ScenePlayed) -> str:
    one = state.characters.get(event.character)
    if event.healed and one:
        return f"heals, wounds {one.wounds + event.healed} -> {one.wounds} of {one.max_wounds}"
    if event.filled and one:
        return f"fills the Action Pool, {one.action - event.filled} -> {one.action}"
    return f"marks {event.trait}" if event.trait else "has a character scene"
