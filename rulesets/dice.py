"""Dice on the table: one die, dice that fell together, and the hand that throws them for the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, Protocol

import msgspec

from rulesets.writing import END


class Die(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One die on the table: its face, and where it came from (`action:zadie`, `gift:rasheem`, `gc`).

    `address` is where it was first drawn, as `roll.index` (`3.5`), when that is not its place in the roll that
    carries it: a correction may take dice along from one roll to another.
    """

    face: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    origin: str
    sides: Annotated[int, msgspec.Meta(ge=2, le=1_000_000)] = 6
    address: Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]{0,15}\.[1-9][0-9]{0,15}" + END)] | None = None


class Roll(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Dice that fell together. An event that made a roll carries it in a field named `roll`.

    `number` counts every roll of the log and never rewinds; `source` tells dice drawn by the server from
    faces typed in from a real table.
    """

    number: Annotated[int, msgspec.Meta(ge=1)]
    purpose: str
    dice: tuple[Die, ...]
    source: Literal["server", "table"] = "server"


class Dice(Protocol):
    """The dice a command may throw. `decide` gets them; what they show is not the rules' business."""

    @property
    def source(self) -> Literal["server", "table"]:
        """Where faces come from: some rules ask for a defender's dice when they are typed in."""
        ...

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        """Throw one die for each `(origin, sides)`, as one roll.

        Raises `RuleViolation` `dice-count-mismatch` or `face-out-of-range` when the faces were typed in and
        do not fit. An empty `wanted` is a mistake of the rules (`ValueError`).
        """
        ...


def counted(origins: Iterable[str]) -> dict[str, int]:
    """How many dice of each origin, in the order they were first named."""
    counts: dict[str, int] = {}
    for origin in origins:
        counts[origin] = counts.get(origin, 0) + 1
    return counts


def by_origin(origins: Mapping[str, int]) -> str:
    """Dice by where they come from, where a game has no words of its own: `3 parry (ben), 1 luck`."""
    return ", ".join(f"{count} {_plain(origin)}" for origin, count in origins.items())


def _plain(origin: str) -> str:
    kind, _, who = origin.partition(":")
    return f"{kind} ({who})" if who else kind
