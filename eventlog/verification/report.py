"""What a check of a log found."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from eventlog.errors import SessionUnknown, StoreUnusable


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """The first thing that is wrong: at which event and action, in which field; `seq` 0 is the header of a copy.

    The message never repeats what an event says, so that it can be shown to people who may not see the event.
    """

    seq: int
    action: int | None
    field: str
    message: str


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """How much was looked at: events chained, actions folded, dice compared with the seed, actions decided again.

    `redacted` are the events whose words were removed; everything else of them was checked. To readers who may not
    see everything, dice and redactions are counted as far as they see them, and the counts of actions are null.
    """

    events: int = 0
    actions: int | None = 0
    dice: int = 0
    redecided: int | None = 0
    redacted: tuple[int, ...] = ()


Undecided: TypeAlias = Literal["hidden", "ruleset", "rules"]
"""Why commands were not decided again: events are hidden in the copy, the game is not here, or not those rules of it."""


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the log holds, what was checked, the first fault, and in words what could not be checked.

    `undecided` tells why the commands were not decided again, where they were not: then `ok` says less.
    """

    ok: bool
    checked: Checked
    first_fault: Fault | None
    notes: tuple[str, ...]
    undecided: Undecided | None = None


NOT_THE_LOG = (StoreUnusable, SessionUnknown, OSError)
"""What goes wrong with the store itself, and says nothing against any event."""


class Found(Exception):
    """Carries the first fault out of the check that came upon it."""

    def __init__(self, seq: int, action: int | None, field: str, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(seq=seq, action=action, field=field, message=message)
