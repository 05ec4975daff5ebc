"""The timeline: one readable line for each thing that happened."""

from __future__ import annotations

import msgspec

from tabletape.client.shapes.events import By


class Die(msgspec.Struct, frozen=True, kw_only=True):
    """One die on the table: its face, where it came from (`action:zadie`), how many sides it has."""

    face: int
    origin: str
    sides: int = 6


class Roll(msgspec.Struct, frozen=True, kw_only=True):
    """Dice that fell together; `roll` is their number, `source` is `server` or `table`."""

    roll: int
    source: str
    purpose: str
    dice: tuple[Die, ...]


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Words about an action, sent along with it or noted as action `number`."""

    number: int
    by: By
    at: str
    text: str


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the story: which conflict, counted from 1, and which round of it."""

    conflict: int
    round: int


class Rewording(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction made of the line of action `number`; `None` where there was or is none."""

    number: int
    was: str | None
    now: str | None


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the timeline and what is behind it.

    `status` is `standing` or `undone`. `answers` are the actions folded into it, `continues` the action an
    answer belongs to, `changed_by` the corrections that touched it, `earlier` rolls that fell for it before and
    are not part of it now, `events` the first and last `seq`. A forgotten action was put in `before` another;
    `reworded` are the lines that an amendment was asked for, as they were and as they are now.
    """

    number: int
    slot: int | None
    type: str | None
    by: By | None
    at: str
    line: str
    events: tuple[int, int]
    rolls: tuple[Roll, ...] = ()
    status: str = "standing"
    revision: int = 1
    changed_by: tuple[int, ...] = ()
    earlier: tuple[Roll, ...] = ()
    continues: int | None = None
    answers: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()
    marks: tuple[str, ...] = ()
    moment: Moment | None = None
    before: int | None = None
    reworded: tuple[Rewording, ...] = ()


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the timeline; `next` and `previous` are the numbers to go on `after` and `before`."""

    actions: tuple[Entry, ...]
    next: int | None
    previous: int | None
    version: int
