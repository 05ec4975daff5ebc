"""Every die of a session, one a row: for a spreadsheet, or for somebody who counts."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from typing import Literal, NamedTuple

from eventlog.audience import visible
from eventlog.codec import codec_for
from eventlog.envelope import Envelope
from eventlog.store import Store
from projections.passages import ACTION_TAKEN
from projections.story import every_entry
from projections.telling import SOMEBODY, name_of
from rulesets.dice import Roll
from rulesets.installed import ruleset_named
from rulesets.people import Viewer

EVENTS_AT_ONCE = 2000
BOM = "\ufeff"
"""What tells spreadsheets that names are UTF-8."""

_FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""What a spreadsheet computes: a cell that begins so, also in the wide signs of East Asian keyboards."""


class DieRow(NamedTuple):
    """One die: which one it is, what it was for, what it showed, in which line, and whether that line stands.

    `die` is its place in the roll, from 1. `address` is the roll and place it was drawn at, by which it is
    checked once the seed is out. `action` and `type` are those of the line in the timeline, `who` and `at` tell
    of the request that threw it.
    """

    roll: int
    die: int
    address: str
    source: Literal["server", "table"]
    purpose: str
    origin: str
    sides: int
    face: int
    action: int
    type: str
    who: str
    at: str
    status: Literal["standing", "undone"]


class _Line(NamedTuple):
    """What a die has from the line it belongs to."""

    type: str
    status: Literal["standing", "undone"]
    revision: int


def dice_table(store: Store, session: str, viewer: Viewer) -> Iterator[DieRow]:
    """Every die this person may see, in the order they fell. Raises `SessionUnknown`."""
    head = store.head(session)
    lines = {
        entry.number: _Line(entry.type or "", entry.status, entry.revision)
        for entry in every_entry(store, session, viewer)
    }
    codec, after, known = codec_for(ruleset_named(head.ruleset)), 0, set[int]()
    while page := store.envelopes(session, after, min(EVENTS_AT_ONCE, head.version - after)):
        after = page[-1].seq
        for envelope in visible(viewer, page):
            if envelope.type == ACTION_TAKEN:
                known.add(envelope.action)
            roll = getattr(codec.event(envelope), "roll", None)
            if isinstance(roll, Roll):
                who = envelope.by if envelope.action in known else SOMEBODY
                yield from _rows(envelope, roll, name_of(who), lines)


def _rows(envelope: Envelope, roll: Roll, who: str, lines: dict[int, _Line]) -> Iterator[DieRow]:
    number = envelope.action if envelope.slot is None else envelope.slot
    line = lines[number]
    stands = line.status == "standing" and max(1, envelope.revision) == line.revision
    for place, die in enumerate(roll.dice, 1):
        yield DieRow(
            roll=roll.number,
            die=place,
            address=f"{roll.number}.{place}",
            source=roll.source,
            purpose=roll.purpose,
            origin=die.origin,
            sides=die.sides,
            face=die.face,
            action=number,
            type=line.type,
            who=who,
            at=envelope.at,
            status="standing" if stands else "undone",
        )


def spreadsheet(rows: Iterator[DieRow]) -> Iterator[str]:
    """The rows as CSV (RFC 4180) under a heading, a row at a time; no cell of it is taken for a formula."""
    yield BOM + _written(DieRow._fields)
    for row in rows:
        yield _written([harmless(cell) if isinstance(cell, str) else cell for cell in row])


def harmless(text: str) -> str:
    """Words as words: an apostrophe before what a spreadsheet would compute, wherever it might cut the line."""
    return _FORMULA.sub(r"\1'", text)


def _written(cells: object) -> str:
    line = StringIO(newline="")
    csv.writer(line, quoting=csv.QUOTE_NONNUMERIC).writerow(cells)  # type: ignore[arg-type]  # a row of any cells
    return line.getvalue()
