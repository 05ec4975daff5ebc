"""Tables for spreadsheets: comma-separated values in which no cell is taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from projections.ledger import LedgerLine

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the beginning of a formula or skips before one, also in full width."""

LEDGER_COLUMNS = (
    "roll", "place", "fell_in", "fell_at", "face", "sides", "source", "purpose", "who", "origin", "role", "name", "action", "slot",
    "revision", "at", "seq", "standing",
)  # fmt: skip


def ledger_csv(lines: Iterable[LedgerLine]) -> Iterator[bytes]:
    """The dice ledger as CSV (RFC 4180, UTF-8), line by line, with a line of headings first."""
    yield csv_line(LEDGER_COLUMNS)
    for line in lines:
        yield csv_line(_cells(line))


def csv_line(cells: Sequence[str | int]) -> bytes:
    """One line of CSV with its end. Words that would begin a formula get an apostrophe before them."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow([_harmless(cell) for cell in cells])
    return written.getvalue().encode()


def _harmless(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _cells(line: LedgerLine) -> list[str | int]:
    return [
        line.roll,
        line.place,
        *map(int, line.address.split(".")),
        line.face,
        line.sides,
        line.source,
        line.purpose,
        line.who,
        line.origin,
        line.by.role,
        line.by.name,
        line.action,
        "" if line.slot is None else line.slot,
        line.revision,
        line.at,
        line.seq,
        "standing" if line.standing else "undone",
    ]
