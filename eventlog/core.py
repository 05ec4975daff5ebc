"""Events and commands every session has, whatever game it plays."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from eventlog.corrections import HISTORY_COMMANDS, HISTORY_EVENTS
from eventlog.settings import Settings
from rulesets.contract import Name, Text
from rulesets.dice import Roll

CORE = "core"
"""Slug of the recorder's own events: `core.action-taken`."""

VisibleTo = Literal["everyone", "gm", "self", "self+gm"]

ForkKind = Literal["fork", "sequel"]
"""Another way the story might have gone, or the same story next week."""


class SessionOpened(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session began: which rules, every reading in full, and the promise about its dice.

    `dice_commitment` is the SHA-256 of the 32-byte seed, in hex.
    """

    ruleset: str
    rules: int
    title: str
    parameters: msgspec.Raw
    settings: Settings
    dice_commitment: str


class ActionTaken(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody asked for something and it was accepted: the command as sent, before what came of it.

    `source` tells where the action's dice came from; absent when none were typed in or thrown. `overrule`
    names the refusals the GM would have passed over. Words sent along, and the words of a note, are an event
    of their own, so that they can be redacted. `rulings` tells that what the rules left open was to be answered
    by the recommended reading at once. `redraws` names the emptied slot whose dice fall again here.
    """

    command: msgspec.Raw
    answers: tuple[msgspec.Raw, ...] = ()
    source: Literal["server", "table"] | None = None
    overrule: tuple[str, ...] = ()
    rulings: Literal["default"] | None = None
    redraws: int | None = None


class RulingMade(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The GM passed over refusals, or a question to the GM was answered by the recommended reading."""

    codes: tuple[str, ...] = ()
    reason: str = ""
    question: str | None = None


class DiceRolled(msgspec.Struct, frozen=True, kw_only=True):
    """Dice thrown outside the game's own rules: for a random target, for the weather."""

    roll: Roll


class NoteAdded(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody wrote something down, perhaps about an action."""

    text: str
    about: int | None = None


class SettingChanged(msgspec.Struct, frozen=True, kw_only=True):
    """The GM changed how the table plays with its recorder."""

    name: str
    value: str


class TextRedacted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody's words were removed from the event with that `seq`; everything else of it stays."""

    seq: int
    reason: str = ""


class SessionImported(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of a running log came to this store; from here on it has a new seed."""

    dice_commitment: str


class SessionForked(msgspec.Struct, frozen=True, kw_only=True):
    """From here on the log is that of another session, which begins as its parent was after action `at`.

    Everything before is the parent's, up to its event `version`. `session` is the fork itself; rolls from number
    `first_roll` on fall under its id and its own seed.
    """

    parent: str
    at: int
    version: int
    kind: ForkKind
    title: str
    session: str
    dice_commitment: str
    first_roll: int


class SessionClosed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The session is over. `seed` (hex) lets anybody recompute every die thrown since the commitment."""

    seed: str
    text: str = ""


CORE_EVENTS: tuple[type[msgspec.Struct], ...] = (
    ActionTaken,
    DiceRolled,
    NoteAdded,
    RulingMade,
    SessionOpened,
    SettingChanged,
    TextRedacted,
    SessionImported,
    SessionForked,
    SessionClosed,
    *HISTORY_EVENTS,
)


class ThrowDice(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="roll"
):
    """Roll some dice for anything the rules do not speak of."""

    count: Annotated[int, msgspec.Meta(ge=1, le=100)]
    sides: Annotated[int, msgspec.Meta(ge=2, le=1_000_000)] = 6
    purpose: Name


class AddNote(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="note"
):
    """Write something down; `about` is the number of the action it speaks of."""

    text: Text
    about: Annotated[int, msgspec.Meta(ge=0)] | None = None


class ChangeSetting(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="change_setting",
):
    """Change one setting of the session."""

    name: Literal["undo", "rulings", "table_dice", "redraw_after_undo"]
    value: str


class RedactText(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="redact"
):
    """Remove somebody's own words from one event, for good."""

    seq: Annotated[int, msgspec.Meta(ge=1)]
    reason: Text = ""


class CloseSession(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="close"
):
    """End the session and reveal its seed."""

    text: Text = ""


BookKeeping: TypeAlias = AddNote | ChangeSetting | RedactText | CloseSession

CORE_COMMANDS: tuple[type[msgspec.Struct], ...] = (
    ThrowDice,
    AddNote,
    ChangeSetting,
    RedactText,
    CloseSession,
    *HISTORY_COMMANDS,
)
