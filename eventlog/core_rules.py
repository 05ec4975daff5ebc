"""What the recorder's own commands come to: rolls, notes, settings, redaction, the close."""

from __future__ import annotations

from typing import Any, assert_never, cast

import msgspec

from eventlog.core import (
    AddNote,
    ChangeSetting,
    CloseSession,
    CoreCommand,
    DiceRolled,
    NoteAdded,
    RedactText,
    SessionClosed,
    SettingChanged,
    TextRedacted,
    ThrowDice,
)
from eventlog.errors import ActionUnknown, CommandMalformed, NotAllowed
from eventlog.tape import Tape, changed
from rulesets.contract import Command, Event
from rulesets.dice import Dice
from rulesets.people import Viewer


def decide_core(
    tape: Tape[Any], command: Command, issuer: Viewer, dice: Dice, seed: bytes
) -> tuple[Event, bool]:
    """The event a core command comes to, and whether it takes a slot in the story."""
    core = cast("CoreCommand", command)
    match core:
        case ThrowDice(count=count, sides=sides, purpose=purpose):
            origin = "gm" if issuer.role == "gm" else f"player:{issuer.name}"
            return DiceRolled(roll=dice.roll(purpose, [(origin, sides)] * count)), True
        case AddNote(text=text, about=about):
            return _note(tape, text, about), False
        case ChangeSetting(name=name, value=value):
            _gm_only(issuer, "changes a setting")
            return _setting(tape, name, value), False
        case RedactText(seq=seq, reason=reason):
            _gm_only(issuer, "removes words from the log")
            return TextRedacted(seq=seq, reason=reason), False
        case CloseSession(text=text):
            _gm_only(issuer, "closes the session")
            return SessionClosed(seed=seed.hex(), text=text), False
        case _:
            assert_never(core)


def _gm_only(issuer: Viewer, what: str) -> None:
    if issuer.role != "gm":
        raise NotAllowed(f"Only the GM {what}", needs="gm")


def _note(tape: Tape[Any], text: str, about: int | None) -> NoteAdded:
    if not text.strip():
        raise CommandMalformed("A note needs some words")
    if about is not None and about > tape.action:
        raise ActionUnknown(
            f"There is no action {about} yet to note something about", action=about, last=tape.action
        )
    return NoteAdded(text=text, about=about)


def _setting(tape: Tape[Any], name: str, value: str) -> SettingChanged:
    try:
        changed(tape.settings, name, value)
    except msgspec.ValidationError as error:
        raise CommandMalformed(f"The setting {name!r} cannot be {value!r}: {error}", setting=name) from error
    return SettingChanged(name=name, value=value)
