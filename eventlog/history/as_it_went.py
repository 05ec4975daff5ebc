"""What nearly every slot comes to when it is decided again: all goes exactly as it went then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from eventlog.core import ThrowDice
from eventlog.history.as_thrown import AsThrown, OtherDice
from eventlog.history.slots import Content, Step, rolls_in_facts
from rulesets.contract import Command, Rules, Ruleset, RuleViolation
from rulesets.deciding import lawful_events
from rulesets.dice import Roll


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
        dice, facts = AsThrown(step.source, _rolls(step)), iter(step.facts)
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


def _rolls(step: Step) -> Iterator[Roll]:
    yield from rolls_in_facts(step.facts)
