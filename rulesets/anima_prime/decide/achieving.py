"""7.1 to 7.5: what follows from a goal achieved: its effects, and the next link of its chain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulesets.anima_prime.conditions import condition_of
from rulesets.anima_prime.events import ConditionApplied, DefenseChanged, Event, GoalAchieved, GoalUnlocked
from rulesets.anima_prime.sheet import ConditionEffect, DefenseEffect, Effect, StoryEffect
from rulesets.anima_prime.state import Goal, State, active, goals_of


def achieved(state: State, goal: Goal, by: str | None) -> Iterator[Event]:
    """The goal stands achieved, by all who must; its effects apply at once; locked links after it open.

    Effects that name nobody are for whoever achieves it, each time; the others apply the first time only, also
    when the GM had set the goal to achieved before.
    """
    complete = goal.scope == "group" or by is None or _everybody(state, goal, by)
    if complete:
        yield GoalAchieved(goal=goal.id)
    first = goal.status != "achieved" and not goal.achievers
    for effect in goal.effects:
        if first or _is_personal(effect):
            yield from _effect(effect, by)
    if complete:
        for link in goals_of(state):
            if link.after == goal.id and link.status == "locked":
                yield GoalUnlocked(goal=link.id)


def _everybody(state: State, goal: Goal, by: str) -> bool:
    """7.4: an individual goal is done when everyone of that side in the conflict has achieved it."""
    side = active(state, state.characters[by].side)
    return all(one.id == by or one.id in goal.achievers for one in side)


def _is_personal(effect: Effect) -> bool:
    return not isinstance(effect, StoryEffect) and effect.character is None


def _effect(effect: Effect, by: str | None) -> Iterator[Event]:
    match effect:
        case DefenseEffect(character=character, change=change):
            if who := character or by:
                yield DefenseChanged(character=who, change=change)
        case ConditionEffect(character=character, condition=wish):
            condition = condition_of(wish)
            if (who := character or by) and condition is not None:
                yield ConditionApplied(character=who, condition=condition)
        case StoryEffect():
            return
        case _:
            assert_never(effect)
