"""Refusals of ids nobody bears, worded the same whether there is nothing or something hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesets.anima_prime.state import State
from rulesets.contract import RuleViolation


def unknown_character(who: str) -> RuleViolation:
    """Nobody at the table has this id."""
    return RuleViolation("unknown-character", f"There is no character {who!r}; check the id", character=who)


def unknown_goal(goal: str) -> RuleViolation:
    """No goal on the table has this id."""
    return RuleViolation("unknown-goal", f"There is no goal {goal!r}; check the id", goal=goal)


def goal_unknown(state: State, goal: str | None) -> Iterator[RuleViolation]:
    """A refusal for an id that is no goal; None stands for none named."""
    if goal is not None and goal not in state.goals:
        yield unknown_goal(goal)


def unknown_among(state: State, *who: str | None) -> Iterator[RuleViolation]:
    """A refusal for the first of these ids that is no character; None stands for nobody named."""
    for one in who:
        if one is not None and one not in state.characters:
            yield unknown_character(one)


def unknown_givers(state: State, givers: Iterable[str]) -> Iterator[RuleViolation]:
    """A refusal for the first giver that is neither a character nor the GM."""
    return unknown_among(state, *(giver for giver in givers if giver != "gm"))
