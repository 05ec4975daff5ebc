"""The audit: every die, every ruling, what was set by hand, and who corrected how often."""

from __future__ import annotations

from typing import Any

import msgspec

from tabletape.client.shapes.events import By


class LedgerLine(msgspec.Struct, frozen=True, kw_only=True):
    """One die of one roll; lines with one `address` are one die, which a correction took along."""

    seq: int
    action: int
    slot: int | None
    revision: int
    at: str
    by: By
    roll: int
    place: int
    address: str
    source: str
    purpose: str
    origin: str
    who: str
    sides: int
    face: int
    standing: bool


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """The game master passed over refusals, or a question was answered as recommended."""

    seq: int
    action: int
    slot: int | None
    revision: int
    at: str
    by: By
    line: str
    codes: tuple[str, ...]
    reason: str
    question: str | None
    standing: bool


class ByHand(msgspec.Struct, frozen=True, kw_only=True):
    """Something the game master set by hand, past the rules."""

    seq: int
    action: int
    slot: int | None
    revision: int
    at: str
    by: By
    type: str
    line: str
    data: dict[str, Any] | None
    standing: bool


class Corrections(msgspec.Struct, frozen=True, kw_only=True):
    """How many actions somebody's corrections were."""

    by: By
    undone: int = 0
    redone: int = 0
    amended: int = 0
    inserted: int = 0


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the audit; `next` is the number of the event to go on after, `None` at the end."""

    version: int
    dice: tuple[LedgerLine, ...]
    rulings: tuple[Ruling, ...]
    by_hand: tuple[ByHand, ...]
    corrections: tuple[Corrections, ...]
    next: int | None
