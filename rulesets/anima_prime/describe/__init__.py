"""One readable line for the visible facts of one action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesets.anima_prime.describe.actions import said_of_action
from rulesets.anima_prime.describe.conflict import said_of_course
from rulesets.anima_prime.describe.phrase import Phrase, sentence
from rulesets.anima_prime.describe.table import said_of_setup, said_of_talk
from rulesets.anima_prime.events import (
    AchievementDeclared,
    ActionEvent,
    CharacterEntered,
    ConflictEvent,
    ConflictStarted,
    DiceRolled,
    Event,
    GiftGiven,
    ManeuverDeclared,
    SetupEvent,
    StrikeDeclared,
    TableEvent,
)
from rulesets.anima_prime.state import State


def describe(state: State, events: Sequence[Event]) -> str:
    """One line for the visible facts of one action, given the table after it; any subset of them will do."""
    return sentence(_phrases(state, events)) or "Something happens out of sight"


def _phrases(state: State, events: Sequence[Event]) -> Iterator[Phrase]:
    started = any(isinstance(event, ConflictStarted) for event in events)
    told: list[DiceRolled] = []
    for place, event in enumerate(events):
        if isinstance(event, ActionEvent):
            rolled = _dice_of(event, events[place:])
            if rolled is not None:
                told.append(rolled)
            if event not in told and not _told_with_dice(event, events):
                yield from said_of_action(state, event, rolled)
        elif not (started and isinstance(event, CharacterEntered)):
            yield from _others(state, event)


def _others(state: State, event: ConflictEvent | TableEvent | SetupEvent) -> Iterator[Phrase]:
    if isinstance(event, ConflictEvent):
        yield said_of_course(state, event)
    elif isinstance(event, TableEvent):
        phrase = said_of_talk(state, event)
        if phrase is not None:
            yield phrase
    else:
        yield said_of_setup(state, event)


def _dice_of(event: ActionEvent, following: Sequence[Event]) -> DiceRolled | None:
    """The dice of a declaration, when they are among the visible facts."""
    if not isinstance(event, ManeuverDeclared | StrikeDeclared | AchievementDeclared):
        return None
    rolls = (one for one in following if isinstance(one, DiceRolled) and one.actor == event.actor)
    return next(rolls, None)


def _told_with_dice(event: ActionEvent, events: Sequence[Event]) -> bool:
    """Gifts are told among the dice they joined."""
    return isinstance(event, GiftGiven) and any(isinstance(one, DiceRolled) for one in events)
