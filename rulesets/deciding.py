"""The one way a command becomes events: every refusal heard, then decided. The recorder and the kit both use it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal

import msgspec

from rulesets.contract import Command, Event, Question, Rules, RuleViolation
from rulesets.dice import Dice, Roll
from rulesets.errors import RulesetBroken

DICE_CODES = frozenset({"dice-count-mismatch", "face-out-of-range"})
"""Refusals that come from the dice themselves, when typed faces do not fit what the rules throw."""


class Lawful(msgspec.Struct, frozen=True, kw_only=True):
    """What a legal command leads to, and which refusals the game master passed over to allow it."""

    events: tuple[Event, ...]
    rolls: tuple[Roll, ...]
    """Every roll the rules made, in order."""
    passed_over: tuple[RuleViolation, ...]
    """The refusals that stood but were overruled, in the order they were found."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The overruled codes, each once, in the order they were found."""
        return tuple(dict.fromkeys(violation.code for violation in self.passed_over))


def lawful_events(
    rules: Rules[Any],
    state: Any,
    command: Command,
    dice: Dice,
    overruled: Collection[str] = frozenset(),
) -> Lawful:
    """Decide a command on a table, unless a refusal stands that the game master has not passed over.

    Raises the first `RuleViolation` that stands, before any die is thrown, and `RulesetBroken` when the rules
    refuse after a die fell. Who may ask is `Rules.permits`, and whether an answer is awaited first
    `question_open`: neither is asked here.
    """
    passed_over = _overruled(rules.refusals(state, command), overruled)
    watched = _Watched(dice)
    try:
        events = tuple(rules.decide(state, command, watched))
    except RuleViolation as violation:
        if watched.rolls and violation.code not in DICE_CODES:
            raise RulesetBroken(
                f"The rules refused {type(command).__name__} after a die had fallen: {violation}"
            ) from violation
        raise
    return Lawful(events=events, rolls=tuple(watched.rolls), passed_over=passed_over)


def question_open(rules: Rules[Any], command: Command, questions: Sequence[Question]) -> RuleViolation | None:
    """The refusal of a command that has to wait for an answer, naming who is awaited; None when it may pass."""
    blocking = [question for question in questions if question.blocking]
    if not blocking or isinstance(command, (*rules.answers, *rules.at_any_time)):
        return None
    first = blocking[0]
    return RuleViolation(
        "question-open",
        f"Answer first: {first.text} Awaited: {', '.join(first.asks)}",
        question=first.id,
        kind=first.kind,
        awaited=list(first.asks),
    )


def _overruled(refusals: Iterator[RuleViolation], codes: Collection[str]) -> tuple[RuleViolation, ...]:
    """The refusals passed over. Raises the first that is not, or may not be."""
    passed_over = []
    for violation in refusals:
        if not violation.overrulable or violation.code not in codes:
            raise violation
        passed_over.append(violation)
    return tuple(passed_over)


class _Watched:
    """Dice that remember what was thrown, to catch rules that refuse too late."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.rolls: list[Roll] = []

    @property
    def source(self) -> Literal["server", "table"]:
        return self._dice.source

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        roll = self._dice.roll(purpose, wanted)
        self.rolls.append(roll)
        return roll
