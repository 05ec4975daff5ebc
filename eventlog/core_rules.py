"""What the recorder's own commands come to: rolls, notes, settings, redaction, the close."""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from eventlog.codec import core_type
from eventlog.core import (
    AddNote,
    BookKeeping,
    ChangeSetting,
    CloseSession,
    DiceRolled,
    NoteAdded,
    RedactText,
    RulingMade,
    SessionClosed,
    SettingChanged,
    TextRedacted,
    ThrowDice,
)
from eventlog.envelope import By
from eventlog.errors import ActionUnknown, CommandMalformed, NotAllowed
from eventlog.settings import values
from eventlog.tape import Tape, changed
from rulesets.contract import Event
from rulesets.dice import Dice
from rulesets.people import Viewer

REDACTABLE = frozenset({core_type(NoteAdded), core_type(RulingMade)})
"""The events that hold somebody's own words, which alone are ever removed."""


def throw_dice(command: ThrowDice, by: By, dice: Dice) -> DiceRolled:
    """The roll somebody asked for outside the game's own rules."""
    origin = "gm" if by.role == "gm" else f"player:{by.name}"
    return DiceRolled(roll=dice.roll(command.purpose, [(origin, command.sides)] * command.count))


def keep_books(tape: Tape[Any], command: BookKeeping, issuer: Viewer, seed: bytes) -> Event:
    """The event a command of the recorder's own comes to that has no place in the story."""
    match command:
        case AddNote(text=text, about=about):
            return _note(tape, text, about)
        case ChangeSetting(name=name, value=value):
            _gm_only(issuer, "changes a setting")
            return _setting(tape, name, value)
        case RedactText(seq=seq, reason=reason):
            _gm_only(issuer, "removes words from the log")
            return TextRedacted(seq=seq, reason=reason)
        case CloseSession(text=text):
            _gm_only(issuer, "closes the session")
            return SessionClosed(seed=seed.hex(), text=text)
        case _:
            assert_never(command)


def _gm_only(issuer: Viewer, what: str) -> None:
    if issuer.role != "gm":
        raise NotAllowed(f"Only the GM {what}", needs="gm")


def _note(tape: Tape[Any], text: str, about: int | None) -> NoteAdded:
    if not text.strip():
        raise CommandMalformed("A note needs some words")
    if about is not None and about > tape.action:
        raise ActionUnknown.of(about)
    return NoteAdded(text=text, about=about)


def _setting(tape: Tape[Any], name: str, value: str) -> SettingChanged:
    try:
        changed(tape.settings, name, value)
    except msgspec.ValidationError as error:
        known = ", ".join(f"`{each}`" for each in values(name))
        raise CommandMalformed(
            f"The setting `{name}` cannot be {value!r}: it is one of {known}", setting=name
        ) from error
    return SettingChanged(name=name, value=value)
