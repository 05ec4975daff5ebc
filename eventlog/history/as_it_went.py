"""What nearly every slot comes to when it is decided again: all goes exactly as it went then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from eventlog.core import ThrowDice
from eventlog.history.slots import Content, Step, rolls_in_facts
from rulesets.contract import Command, Rules, Ruleset, RuleViolation
from rulesets.deciding import lawful_events
from rulesets.dice import Roll


class OtherDice(Exception):
    """Other dice are wanted than fell then."""


class AsThrown:
    """The rolls of one step, in the order they fell."""

    __slots__ = ("_facts", "_rolls", "source")

    def __init__(self, step: Step) -> None:
        self.source = step.source
        self._facts = step.facts
        self._rolls: Iterator[Roll] | None = None  # most steps throw nothing

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        """The next roll. Raises `OtherDice` where it is not the one that is wanted."""
        self._rolls = self._rolls or iter(rolls_in_facts(self._facts))
        roll = next(self._rolls, None)
        if roll is None or roll.purpose != purpose or len(roll.dice) != len(wanted):
            raise OtherDice
        for die, (origin, sides) in zip(roll.dice, wanted, strict=True):
            if die.origin != origin or die.sides != sides:
                raise OtherDice
        return roll


def as_it_went(  # noqa: PLR0913 - a game and its rules, a table and a slot; it ends at what goes otherwise
    ruleset: Ruleset[Any],
    rules: Rules[Any],
    read: Callable[[msgspec.Raw], Command],
    state: Any,
    content: Content,
    *,
    last: bool,
) -> Any:
    """The table after the slot where all goes exactly as it went then; `None` where anything does not.

    What nearly every slot comes to, and so without a thought for anything else.
    """
    record = ruleset.record
    for step in content.steps:
        command = read(step.command)
        if step.overrule or step.rulings or isinstance(command, ThrowDice):
            return None
        dice, facts = AsThrown(step), iter(step.facts)
        for asked in (command, *map(read, step.answers)):
            try:
                lawful = lawful_events(rules, state, asked, dice)
            except (RuleViolation, OtherDice):
                return None
            for event in lawful.events:
                fact = next(facts, None)
                if fact is None or fact.event != event:
                    return None
                state = record.evolve(state, event)
                if record.audience(state, event) != fact.audience:
                    return None
        if next(facts, None) is not None:
            return None
    asked_since = () if last else record.questions(state)
    return None if any(question.blocking for question in asked_since) else state
