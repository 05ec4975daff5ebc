"""One command of a play: what a step says of it, and what it leads to as a recorder would hear it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from rulesets.contract import Command, Record, Rules
from rulesets.deciding import Lawful, lawful_events, question_open
from rulesets.dice import Dice
from rulesets.people import GM, Viewer
from rulesets.testing.scripted_dice import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command of a scripted play, with its dice, who issues it and what the game master passes over."""

    command: Command
    dice: tuple[int, ...] | None = None
    by: Viewer = GM
    overrule: tuple[str, ...] = ()
    source: Source = "server"
    refused: str | None = None
    """The code this step is refused with, in an example that shows a refusal."""


def step(  # noqa: PLR0913 - what a step may say beyond its command
    command: Command,
    dice: Iterable[int] | None = None,
    *,
    by: Viewer = GM,
    overrule: Iterable[str] = (),
    source: Source = "server",
    refused: str | None = None,
) -> Step:
    """A command with more to say than itself: faces, another issuer, overruled codes, an expected refusal."""
    faces = None if dice is None else tuple(dice)
    return Step(command=command, dice=faces, by=by, overrule=tuple(overrule), source=source, refused=refused)


def as_step(item: Command | Step) -> Step:
    """A step, also of a command with nothing more to say."""
    return item if isinstance(item, Step) else Step(command=item)


def heard(  # noqa: PLR0913 - the game in its two halves, the table, the wish, the dice: each is one thing
    record: Record[Any],
    rules: Rules[Any],
    state: Any,
    command: Command,
    dice: Dice,
    *,
    overruled: Collection[str] = (),
) -> Lawful:
    """What a command leads to on a table where an open question comes first.

    Raises `RuleViolation` `question-open` while one blocks it, and what `lawful_events` raises.
    """
    waiting = question_open(rules, command, record.questions(state))
    if waiting is not None:
        raise waiting
    return lawful_events(rules, state, command, dice, overruled)
