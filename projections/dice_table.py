"""Every die of a session, one a row: for a spreadsheet, or for somebody who counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from eventlog.audience import visible
from eventlog.codec import codec_for
from eventlog.corrections import ActionRevised
from eventlog.envelope import By, Envelope
from eventlog.history.points import tape_at
from eventlog.history.stock import address_of
from eventlog.logs import pages
from eventlog.store import Store
from projections.entries import Entry
from projections.ledger import whose
from projections.spreadsheet import BOM, csv_line
from projections.steps import ACTION_TAKEN, REVISED
from projections.story import every_entry
from projections.telling import SOMEBODY
from rulesets.dice import Roll
from rulesets.installed import ruleset_named
from rulesets.people import Viewer

_Die: TypeAlias = tuple[int, int, int]
"""A die: where it was drawn, and its face, since a typed one may be amended."""


class DieRow(NamedTuple):
    """One die: which one it is, what it was for, what it showed, in which line, and whether that line stands.

    What it shares with the ledger of the audit is called and means the same: `place` in the roll, from 1;
    `fell_in` and `fell_at`, the roll and place it was drawn at, by which it is checked once the seed is out;
    `who`, whose die it is. `role` and `name` say who threw it, and `at` when. `line` is the number of its line in
    the timeline, `type` that of its command. An `undone` die is part of no line that stands.
    """

    roll: int
    place: int
    fell_in: int
    fell_at: int
    face: int
    sides: int
    source: Literal["server", "table"]
    purpose: str
    who: str
    origin: str
    role: str
    name: str
    line: int
    type: str
    at: str
    status: Literal["standing", "undone"]


class _Line(NamedTuple):
    """The line of the timeline an action belongs to."""

    number: int
    type: str


class _Step(NamedTuple):
    """Who asked for what is being read: as which action, and whether this person may know."""

    action: int
    run: int
    by: By


def dice_table(store: Store, session: str, viewer: Viewer) -> Iterator[DieRow]:
    """Every die this person may see, once, in the order they fell. Raises `SessionUnknown`.

    A die that went along from one form of its line to the next, or was thrown again after an undo, is where it
    came to lie last. The ledger of the audit has a line for each time it lay on the table.
    """
    tape = tape_at(store, session)
    codec, lines = codec_for(ruleset_named(tape.ruleset)), _lines(every_entry(store, session, viewer))
    found: dict[_Die, DieRow] = {}
    for envelope, step in _steps(store, session, tape.version, viewer):
        roll = getattr(codec.event(envelope), "roll", None)
        if isinstance(roll, Roll):
            stands = tape.history.stands(envelope.slot, envelope.revision)
            for row in _rows(envelope, roll, step, lines, stands=stands):
                _keep(found, row)
    yield from found.values()


def _lines(entries: Iterable[Entry]) -> dict[int, _Line]:
    """For each action the line it is told in."""
    return {
        action: _Line(entry.number, entry.type or "")
        for entry in entries
        for action in (entry.number, *entry.answers)
    }


def _steps(store: Store, session: str, version: int, viewer: Viewer) -> Iterator[tuple[Envelope, _Step]]:
    """The events this person may see, each with the step it belongs to."""
    step = _Step(0, 0, SOMEBODY)
    for page in pages(store, session, version):
        seen = {each.seq for each in visible(viewer, page)}
        for envelope in page:
            if envelope.action != step.run:
                step = _Step(envelope.action, envelope.action, envelope.by)
            if envelope.type in (ACTION_TAKEN, REVISED):
                step = _begun(envelope, known=envelope.seq in seen)
            if envelope.seq in seen:
                yield envelope, step


def _begun(envelope: Envelope, *, known: bool) -> _Step:
    action, by = envelope.action, envelope.by
    if envelope.type == REVISED and envelope.data is not None:
        revised = msgspec.json.decode(envelope.data, type=ActionRevised)
        action, by = revised.action, revised.by if known else SOMEBODY
    return _Step(action, envelope.action, by)


def _rows(
    envelope: Envelope, roll: Roll, step: _Step, lines: dict[int, _Line], *, stands: bool
) -> Iterator[DieRow]:
    line = lines.get(step.action, _Line(step.action, ""))
    for place, die in enumerate(roll.dice, 1):
        drawn, index = address_of(roll, place)
        yield DieRow(
            roll=roll.number,
            place=place,
            fell_in=drawn,
            fell_at=index,
            face=die.face,
            sides=die.sides,
            source=roll.source,
            purpose=roll.purpose,
            who=whose(die.origin),
            origin=die.origin,
            role=step.by.role,
            name=step.by.name,
            line=line.number,
            type=line.type,
            at=envelope.at,
            status="standing" if stands else "undone",
        )


def _keep(found: dict[_Die, DieRow], row: DieRow) -> None:
    """Take a die up, or where it was met before, where it lies now; who threw it and when stays."""
    key = row.fell_in, row.fell_at, row.face
    before = found.get(key)
    if before is None:
        found[key] = row
    elif row.status == "standing" or before.status == "undone":
        found[key] = row._replace(role=before.role, name=before.name, at=before.at)


def spreadsheet(rows: Iterator[DieRow]) -> Iterator[bytes]:
    """The rows as CSV under a heading, a row at a time; no cell of it is taken for a formula."""
    yield BOM + csv_line(DieRow._fields)
    for row in rows:
        yield csv_line(row)
