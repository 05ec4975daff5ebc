"""The recorder's own events in words: rolls, notes, settings, rulings, the close."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import msgspec

from eventlog.core import (
    DiceRolled,
    NoteAdded,
    RulingMade,
    SessionClosed,
    SessionForked,
    SessionImported,
    SessionOpened,
    SettingChanged,
    TextRedacted,
)
from eventlog.corrections import (
    CORRECTION_EVENTS,
    ActionAmended,
    ActionInserted,
    ActionRedone,
    ActionUndone,
    Change,
    CorrectionEvent,
    UndoRequestClosed,
    UndoRequested,
)
from eventlog.envelope import By
from rulesets.contract import Event
from rulesets.dice import Roll

WORDS_REMOVED = "(words removed)"

SETTLED = {
    "approved": "approves {}",
    "denied": "denies {}",
    "cancelled": "cancels {}",
    "superseded": "settles {} otherwise",
}
"""What somebody does with a request for an undo, by what comes of it."""

SOMEBODY = By(role="somebody")
"""Whoever did it, for people who only see what came of it."""


def name_of(by: By) -> str:
    """What the timeline calls somebody."""
    if by == SOMEBODY:
        return "Somebody"
    if by.role == "gm":
        return "The GM"
    return by.name or f"The {by.role}"


def told(event: Event, by: By, reworded: str = "") -> str:  # noqa: PLR0911 - a case each
    """One core event as part of a line; empty where another event of the action says it.

    `reworded` is what a correction made of the lines it was asked for.
    """
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
        case SessionForked(kind="sequel", title=title):
            return f"{who} goes on in a sequel: “{title}”"
        case SessionForked(at=at, title=title):
            return f"{who} forks the session after action {at}: “{title}”"
        case SessionImported():
            return "The session is imported; its dice start from a new seed"
        case SessionClosed():
            return f"{who} closes the session and the dice are revealed"
        case _:
            return _told_of_history(event, who, reworded)


def as_one(said: Sequence[tuple[Event, By]]) -> list[tuple[Event, By]]:
    """What an action's events say and who says it, with the parts of a correction drawn together.

    Each part was written for other people; who may read several of them reads of one correction.
    """
    parts = [event for event, _ in said if isinstance(event, CORRECTION_EVENTS)]
    if len(parts) < 2:
        return list(said)
    whole = msgspec.structs.replace(
        next((part for part in parts if part.targets), parts[0]),
        targets=tuple(chain.from_iterable(part.targets for part in parts)),
        consequences=tuple(chain.from_iterable(part.consequences for part in parts)),
    )
    others = {id(part) for part in parts[1:]}
    return [(whole if event is parts[0] else event, by) for event, by in said if id(event) not in others]


def _told_of_history(event: Event, who: str, reworded: str) -> str:
    match event:
        case ActionUndone() | ActionRedone() | ActionAmended() | ActionInserted():
            return f"{who} {_corrected(event)}{reworded}{_touched(event.consequences)}"
        case UndoRequested(target=target):
            return f"{who} asks the GM to undo action {target}"
        case UndoRequestClosed(request=request, outcome=outcome):
            return f"{who} {SETTLED[outcome].format(f'the request made as action {request}')}"
        case _:
            return ""


def _corrected(event: CorrectionEvent) -> str:
    """What was asked for, by the numbers of the actions it was asked for."""
    named = listed([change.step or change.slot for change in event.targets])
    match event:
        case ActionRedone(correction=correction):
            return f"takes back correction {correction}" + (f": {named} again" if named else "")
        case ActionInserted(before=before):
            return f"puts {named or 'something'} in before action {before}"
        case ActionAmended():
            return f"amends {named or 'an action'}"
        case _:
            return f"undoes {named}" if named else "undoes what could not stand"


def _touched(changes: Sequence[Change]) -> str:
    """What the correction did to others."""
    gone = [change.slot for change in changes if change.after is None and change.before is not None]
    back = [change.slot for change in changes if change.after is not None and change.before is None]
    other = [change.slot for change in changes if change.after is not None and change.before is not None]
    return "".join(
        f"; {words} {listed(slots)}"
        for words, slots in (
            ("with it goes" if len(gone) == 1 else "with it go", gone),
            ("with it comes back" if len(back) == 1 else "with it come back", back),
            ("goes otherwise:", other),
        )
        if slots
    )


def listed(numbers: Sequence[int]) -> str:
    """Numbers of actions as people write them, runs drawn together: `actions 5, 7 to 9`."""
    if not numbers:
        return ""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = (f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
    return f"action{'s' if len(numbers) > 1 else ''} {', '.join(words)}"


def ruled(ruling: RulingMade) -> str:
    """A ruling as the end of a line."""
    if ruling.question:
        return "taken by the recommended reading"
    reason = f": {' '.join(ruling.reason.split())}" if ruling.reason else ""
    return f"allowed by the GM against {', '.join(ruling.codes)}{reason}"


def _dice(roll: Roll) -> str:
    return f"{len(roll.dice)}d{roll.dice[0].sides}"
