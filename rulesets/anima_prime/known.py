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


def unknown_among(state: State, *who: str | None) -> Iterator[RuleViolation]:
    """A refusal for the first of these ids that is no character; None stands for nobody named."""
    for one in who:
        if one is not None and one not in state.characters:
            yield unknown_character(one)


def unknown_givers(state: State, givers: Iterable[str]) -> Iterator[RuleViolation]:
    """A refusal for the first giver that is neither a character nor the GM."""
    return unknown_among(state, *(giver for giver in givers if giver != "gm"))


def plural(number: int, thing: str) -> str:
    """`1 charge die`, `2 charge dice`."""
    return f"{number} {thing} die" if number == 1 else f"{number} {thing} dice"
