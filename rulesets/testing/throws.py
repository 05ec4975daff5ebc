"""Checks of the dice: nothing is thrown in vain, hidden or thrown twice, and no command breaks the rules' own books."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from rulesets.contract import Command, Roll, RuleViolation
from rulesets.errors import RulesetBroken
from rulesets.testing.plays import AnyDice, Subject
from rulesets.testing.scripted_dice import Source

MOST_TRIES = 600
"""How many commands are tried on tables they were not meant for."""


def rolls_are_told(subject: Subject) -> Iterator[str]:
    """Every roll that was made is in the field `roll` of exactly one event, and no event tells of another."""
    for moment in subject.moments:
        told = [roll for event in moment.events if isinstance(roll := getattr(event, "roll", None), Roll)]
        name = type(moment.command).__name__
        for roll in moment.rolls:
            if told.count(roll) != 1:
                yield f"{name}: roll {roll.number} ({roll.purpose}) is in the field 'roll' of {told.count(roll)} events"
        yield from (
            f"{name}: an event tells of roll {roll.number}, never made"
            for roll in told
            if roll not in moment.rolls
        )


def anything_anywhere(subject: Subject) -> Iterator[str]:
    """Any command on any table is refused before a die falls, or leads to facts that fold; nothing else is raised."""
    for number, (state, command) in enumerate(tried(subject)):
        yield from _try(subject, state, command, "table" if number % 3 == 0 else "server")


def tried(subject: Subject) -> list[tuple[Any, Command]]:
    """Tables and commands of the plays, paired at random; the same pairs in every run."""
    chance = Random(2)  # noqa: S311 - repeatable on purpose
    tables = list(subject.tables)
    commands = [moment.command for moment in subject.moments]
    every = [(state, command) for state in tables[:200] for command in commands[:200]]
    return chance.sample(every, min(MOST_TRIES, len(every)))


def _try(subject: Subject, state: Any, command: Command, source: Source) -> Iterator[str]:
    """Issue the command, then again with each refusal passed over that the game master may pass over."""
    name, codes = type(command).__name__, list[str]()
    while True:
        dice = AnyDice(Random(3), source=source)  # noqa: S311 - the same dice in every run, on purpose
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
    for moment in subject.moments:
        outcomes = subject.rules.odds(moment.before, moment.command)
        total = sum((Fraction(each.numerator, each.denominator) for each in outcomes), Fraction())
        if outcomes and total != 1:
            yield f"the odds of {type(moment.command).__name__} add up to {total}"
        if outcomes and any(each.numerator < 0 for each in outcomes):
            yield f"an outcome of {type(moment.command).__name__} has a chance below zero"
