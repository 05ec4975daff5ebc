"""The recorder's own events in words: rolls, notes, settings, rulings, the close."""

from __future__ import annotations

from eventlog.core import (
    DiceRolled,
    NoteAdded,
    RulingMade,
    SessionClosed,
    SessionImported,
    SessionOpened,
    SettingChanged,
    TextRedacted,
)
from eventlog.envelope import By
from rulesets.contract import Event
from rulesets.dice import Roll

WORDS_REMOVED = "(words removed)"

SOMEBODY = By(role="somebody")
"""Whoever did it, for people who only see what came of it."""


def name_of(by: By) -> str:
    """What the timeline calls somebody."""
    if by == SOMEBODY:
        return "Somebody"
    if by.role == "gm":
        return "The GM"
    return by.name or f"The {by.role}"


def told(event: Event, by: By) -> str:  # noqa: PLR0911 - a case each
    """One core event as part of a line; empty where another event of the action says it."""
    who = name_of(by)
    match event:
        case SessionOpened(title=title):
            return f"{who} opens the session “{title}”"
        case DiceRolled(roll=roll):
            return f"{who} rolls {_dice(roll)} for {roll.purpose}: {' '.join(str(die.face) for die in roll.dice)}"
        case NoteAdded(text=text):
            return f"{who} notes: {' '.join(text.split())}"
        case SettingChanged(name=name, value=value):
            return f"{who} sets {name.replace('_', ' ')} to {value.replace('_', ' ')}"
        case TextRedacted(seq=seq):
            return f"{who} removes the words of event {seq}"
        case SessionImported():
            return "The session is imported; its dice start from a new seed"
        case SessionClosed():
            return f"{who} closes the session and the dice are revealed"
        case _:
            return ""


def ruled(ruling: RulingMade) -> str:
    """A ruling as the end of a line."""
    if ruling.question:
        return "taken by the recommended reading"
    reason = f": {' '.join(ruling.reason.split())}" if ruling.reason else ""
    return f"allowed by the GM against {', '.join(ruling.codes)}{reason}"


def _dice(roll: Roll) -> str:
    return f"{len(roll.dice)}d{roll.dice[0].sides}"
