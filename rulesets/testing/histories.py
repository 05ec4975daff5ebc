"""Checks of the record: facts and tables survive storage, and folding changes nothing but its answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from rulesets.contract import RuleViolation
from rulesets.people import GM
from rulesets.testing.plays import Subject
from rulesets.testing.scripted_dice import any_dice

_canonical = msgspec.json.Encoder(order="deterministic").encode


class Unheard(msgspec.Struct, frozen=True):
    """A fact no ruleset knows."""


def plays(subject: Subject) -> Iterator[str]:
    """Every example goes as it says it does."""
    for number, play in enumerate(subject.plays, 1):
        if play.fault is not None:
            yield f"play {number}, {play.fault}"
    if not any(play.actions for play in subject.plays):
        yield "no command of any play was accepted: there is nothing to check"


def round_trips(subject: Subject) -> Iterator[str]:
    """Commands and events that went through JSON are what they were."""
    for action in subject.actions:
        for thing in (action.command, *action.events):
            if type(thing) not in (*subject.ruleset.record.events, *subject.rules.commands):
                yield f"{type(thing).__name__} is neither an event nor a command of the ruleset"
            elif not _survives(thing, type(thing)):
                yield f"{type(thing).__name__} changes in JSON: {thing!r}"


def tables_survive(subject: Subject) -> Iterator[str]:
    """A table that went through JSON, as a checkpoint does, is what it was."""
    for state in subject.tables:
        if not isinstance(state, subject.ruleset.record.state):
            yield f"the table is a {type(state).__name__}, not a {subject.ruleset.record.state.__name__}"
        elif not _survives(state, subject.ruleset.record.state):
            yield f"a table changes in JSON: {msgspec.json.encode(state).decode()[:400]}"


def folding_is_pure(subject: Subject) -> Iterator[str]:
    """`evolve` leaves the table and the event it was given alone, and answers the same every time."""
    for play in subject.plays:
        state = subject.ruleset.record.start(play.parameters)
        for event in (event for action in play.actions for event in action.events):
            before = _canonical((state, event))
            after = subject.ruleset.record.evolve(state, event)
            if _canonical((state, event)) != before:
                yield f"evolve changes the table it was given ({type(event).__name__})"
            elif _canonical(subject.ruleset.record.evolve(state, event)) != _canonical(after):
                yield f"evolve answers two things about one {type(event).__name__}"
            state = after
        if _canonical(state) != _canonical(play.state):
            yield "the same events, folded again, make another table"


def deciding_is_pure(subject: Subject) -> Iterator[str]:
    """Deciding a command, and looking at what can be done, changes no table."""
    for play in subject.plays:
        state = subject.ruleset.record.start(play.parameters)
        for action in play.actions:
            before = _canonical(state)
            with suppress(RuleViolation):  # one the game master passed over in the play
                subject.lawful(state, action.command, any_dice())
            subject.rules.choices(state, GM)
            if _canonical(state) != before:
                yield f"deciding {type(action.command).__name__} changes the table"
                break
            for event in action.events:
                state = subject.ruleset.record.evolve(state, event)


def unknown_facts(subject: Subject) -> Iterator[str]:
    """`evolve` refuses a fact it does not know, for a log must never be read by guessing."""
    for play in subject.plays[:1]:
        try:
            subject.ruleset.record.evolve(play.start, Unheard())
        except Exception:  # noqa: BLE001, S112 - any refusal will do
            continue
        yield "evolve accepts an event it does not know: end it in assert_never"


def tallies(subject: Subject) -> Iterator[str]:
    """Statistics can be counted for every event, and no expectation divides by nothing."""
    for action in subject.actions:
        for state, event in action.facts:
            for tally in subject.ruleset.record.tally(state, event):
                if tally.expected is not None and tally.expected[1] < 1:
                    yield f"{type(event).__name__} is tallied as {tally!r}"


def _survives(value: Any, kind: Any) -> bool:
    return bool(msgspec.json.decode(msgspec.json.encode(value), type=kind, strict=True) == value)
