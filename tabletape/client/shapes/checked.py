"""What was counted in a session, and whether its log is whole."""

from __future__ import annotations

from typing import Literal

import msgspec


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """How much of something was counted, and what chance alone would have given: `3.50`, exactly `7/2`."""

    amount: int
    expected: str | None = None
    expected_exact: str | None = None


class Faces(msgspec.Struct, frozen=True, kw_only=True):
    """How often each face came up on the dice of one origin."""

    origin: str
    sides: int
    source: str
    counts: dict[str, int]


class Rolls(msgspec.Struct, frozen=True, kw_only=True):
    """How many rolls there were, by who threw the dice."""

    server: int
    table: int


class DiceLuck(msgspec.Struct, frozen=True, kw_only=True):
    """The dice of one kind somebody threw, beside fair ones; chances and sums are decimals, as text."""

    who: str
    sides: int
    source: str
    dice: int
    total: int
    expected: str
    chance: str
    method: str
    unevenness: str
    uneven_chance: str | None
    faces: dict[str, int]


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """The session in numbers; `characters` maps an id to its measures."""

    version: int
    rolls: Rolls
    dice: int
    characters: dict[str, dict[str, Measure]]
    faces: tuple[Faces, ...]
    luck: tuple[DiceLuck, ...] = ()


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """The first thing that is wrong with a log."""

    seq: int
    action: int | None
    field: str
    message: str


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a log was looked at."""

    events: int = 0
    actions: int = 0
    dice: int = 0
    redecided: int = 0
    redacted: tuple[int, ...] = ()


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a log is whole, what was checked, the first fault, and what could not be checked and why.

    `undecided` tells why no command was decided again, where none was: then `ok` says less.
    """

    ok: bool
    checked: Checked
    first_fault: Fault | None
    notes: tuple[str, ...] = ()
    undecided: Literal["hidden", "ruleset", "rules"] | None = None
