"""What is said of set-up, offers, conditions and the GM's hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulesets.anima_prime.describe.conflict import SIDES
from rulesets.anima_prime.describe.phrase import Phrase
from rulesets.anima_prime.describe.words import goal_name, listed, many, name_of, pool_dice, quoted
from rulesets.anima_prime.events import (
    Announced,
    CharacterAdded,
    CharacterAdjusted,
    CharacterEdited,
    CharacterRevealed,
    ConditionApplied,
    ConditionRemoved,
    ConflictAdjusted,
    GoalAdded,
    GoalRevealed,
    GoalSet,
    HiddenNamed,
    OfferMade,
    OfferWithdrawn,
    ParameterSet,
    QuestionRuled,
    SetupEvent,
    TableEvent,
)
from rulesets.anima_prime.sheet import COUNTED
from rulesets.anima_prime.state import State


def said_of_talk(state: State, event: TableEvent) -> Phrase | None:  # noqa: PLR0911 - a table of facts
    """The phrase for one fact of the talk at the table."""
    match event:
        case OfferMade():
            return Phrase(name_of(state, event.giver), _offered(state, event), quoted(event.text))
        case OfferWithdrawn(giver=giver, to=to):
            return Phrase(name_of(state, giver), f"takes back what was offered to {_whom(state, to)}")
        case Announced(actor=actor, kind=kind, text=text):
            return Phrase(name_of(state, actor), f"announces: {kind}", quoted(text))
        case ConditionApplied(character=who, condition=condition):
            return Phrase(name_of(state, who), f"is {condition.name}")
        case ConditionRemoved(character=who, condition=condition, cause=cause):
            return Phrase(name_of(state, who), f"is no longer {condition}" + (f" ({cause})" if cause else ""))
        case CharacterAdjusted():
            changed = listed(_changes(state, event)) or "stays as it was"
            return Phrase(name_of(state, event.character), changed, quoted(event.reason))
        case ConflictAdjusted():
            changed = listed(_conflict_changes(state, event)) or "stays as it was"
            return Phrase("the conflict:", changed, quoted(event.reason))
        case QuestionRuled(question=question, answer=answer):
            return Phrase("the GM", f"rules: {quoted(question)} {quoted(answer)}")
        case HiddenNamed():
            return None
        case _:
            assert_never(event)


def said_of_setup(state: State, event: SetupEvent) -> Phrase:  # noqa: PLR0911 - a table of facts
    """The phrase for one fact of set-up."""
    match event:
        case CharacterAdded(name=name, kind=kind):
            what = "a player character" if kind == "pc" else f"{'an' if kind == 'individual' else 'a'} {kind}"
            return Phrase(name, f"comes to the table, {what} with {pool_dice(event.action, 'action')}")
        case CharacterEdited(character=who, set=changes):
            names = (name.replace("_", " ") for name in changes.given)
            return Phrase(f"{name_of(state, who)}'s sheet", f"has a new {listed(names)}")
        case CharacterRevealed(character=character):
            return Phrase(character.name, "is revealed")
        case GoalAdded(name=name, difficulty=difficulty, status=status):
            waits = "" if status == "open" else ", still locked"
            return Phrase(f"the goal {name}", f"is laid on the table, difficulty {difficulty}{waits}")
        case GoalSet():
            return Phrase(
                f"the goal {goal_name(state, event.goal)}",
                listed(_goal_changes(state, event)),
                quoted(event.text or event.reason),
            )
        case GoalRevealed(goal=goal):
            return Phrase(f"the goal {goal.name}", "is revealed")
        case ParameterSet(name=name, value=value, before=before, reason=reason):
            return Phrase(
                f"the reading {name}", f"changes from {_told(before)} to {_told(value)}", quoted(reason)
            )
        case _:
            assert_never(event)


def _whom(state: State, to: str) -> str:
    return "everybody" if to == "all" else name_of(state, to)


def _offered(state: State, event: OfferMade) -> str:
    parts = [many(event.gift, "gift die")] * bool(event.gift)
    parts += [f"help with {pool_dice(event.help_dice, 'action')}"] * bool(event.help_dice)
    parts += [pool_dice(event.strike_dice, "strike")] * bool(event.strike_dice)
    parts += [many(event.tokens, "Awesome Token")] * bool(event.tokens)
    return f"offers {_whom(state, event.to)} {listed(parts)}"


def _changes(state: State, event: CharacterAdjusted) -> Iterator[str]:
    one = state.characters.get(event.character)
    for pool in COUNTED:
        if change := getattr(event, pool):
            now = None if one is None else getattr(one, pool)
            total = f" of {one.max_wounds}" if one and pool == "wounds" else ""
            told = f"{change:+d}" if now is None else f"{now - change} -> {now}{total}"
            yield f"{pool.replace('_', ' ')} {told}"
    if event.acted is not None:
        yield "has acted" if event.acted else "may act again"
    if event.status is not None:
        yield f"is {event.status}" if event.status != "reserve" else "is in reserve"
    for trait in event.traits:
        yield f"{trait.name} is {'marked' if trait.marked else 'unmarked'}"


def _conflict_changes(state: State, event: ConflictAdjusted) -> Iterator[str]:
    if event.group_competence:
        now = state.conflict.group_competence
        yield f"Group Competence {now - event.group_competence} -> {now}"
    if event.gift_given is not None:
        yield "a gift was given this round" if event.gift_given else "no gift was given this round"
    if event.turn is not None:
        yield f"it is the turn of {SIDES[event.turn]}"
    if event.round is not None:
        yield f"round {event.round}"
    if event.status is not None:
        yield f"is {event.status}"


def _goal_changes(state: State, event: GoalSet) -> Iterator[str]:
    if event.difficulty is not None:
        yield f"has difficulty {event.difficulty}"
    if event.status is not None:
        yield f"is set to {event.status}"
    if event.achieved_by is not None:
        yield f"achieved by {name_of(state, event.achieved_by)}"
    if (
        event.text is not None
        and event.status is None
        and event.difficulty is None
        and event.achieved_by is None
    ):
        yield "has new words"


def _told(value: object) -> str:
    if isinstance(value, list | tuple):
        return listed(str(one) for one in value)
    return "none" if value is None else str(value)
