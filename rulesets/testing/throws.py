"""Checks of the dice: nothing is thrown in vain, hidden or thrown twice, and no command breaks the rules' own books."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from rulesets.contract import Command, RuleViolation
from rulesets.dice import Roll
from rulesets.errors import RulesetBroken
from rulesets.testing.plays import Subject
from rulesets.testing.scripted_dice import Source, any_dice


def rolls_are_told(subject: Subject) -> Iterator[str]:
    """Every roll that was made is in the field `roll` of exactly one event, and no event tells of another."""
    for action in subject.actions:
        told = [roll for event in action.events if isinstance(roll := getattr(event, "roll", None), Roll)]
        name = type(action.command).__name__
        for roll in action.rolls:
            if told.count(roll) != 1:
                yield f"{name}: roll {roll.number} ({roll.purpose}) is in the field 'roll' of {told.count(roll)} events"
        yield from (
            f"{name}: an event tells of roll {roll.number}, never made"
            for roll in told
            if roll not in action.rolls
        )


def anything_anywhere(subject: Subject) -> Iterator[str]:
    """Any command on any table is refused before a die falls, or leads to facts that fold; nothing else is raised."""
    for number, (state, command) in enumerate(tried(subject, 2000)):
        yield from _try(subject, state, command, "table" if number % 3 == 0 else "server")


def tried(subject: Subject, times: int) -> list[tuple[Any, Command]]:
    """This many tables and commands of the plays, paired at random; the same pairs in every run."""
    chance = Random(2)  # noqa: S311 - repeatable on purpose
    tables = list(subject.tables)
    commands = [
        wish for play in subject.plays for wish in play.wishes if isinstance(wish, subject.rules.commands)
    ]
    if not commands:
        return []
    return [(chance.choice(tables), chance.choice(commands)) for _ in range(times)]


def _try(subject: Subject, state: Any, command: Command, source: Source) -> Iterator[str]:
    """Issue the command, then again with each refusal passed over that the game master may pass over."""
    name, codes = type(command).__name__, list[str]()
    while True:
        dice = any_dice(source)
        try:
            for event in subject.lawful(state, command, dice, codes).events:
                state = subject.ruleset.record.evolve(state, event)
        except RuleViolation as refusal:
            if refusal.code in codes:
                yield f"{name} is still refused ({refusal.code}) when that is overruled: refuse it in refusals"
            elif refusal.overrulable:
                codes.append(refusal.code)
                continue
        except RulesetBroken as error:
            yield f"{name}: {error}"
        except Exception as error:  # noqa: BLE001 - whatever a ruleset raises is its fault and must be told
            passed = f", with {', '.join(codes)} overruled," if codes else ""
            yield f"{name}{passed} raised {error!r} on a table it was not meant for"
        return


def odds(subject: Subject) -> Iterator[str]:
    """The chances of what a command can lead to add up to one."""
    for action in subject.actions:
        outcomes = subject.rules.odds(action.before, action.command)
        total = sum((Fraction(each.numerator, each.denominator) for each in outcomes), Fraction())
        if outcomes and total != 1:
            yield f"the odds of {type(action.command).__name__} add up to {total}"
        if outcomes and any(each.numerator < 0 for each in outcomes):
            yield f"an outcome of {type(action.command).__name__} has a chance below zero"
