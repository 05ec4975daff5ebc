"""Tables for spreadsheets: comma-separated values in which no cell is taken for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from projections.ledger import LedgerLine

BOM = b"\xef\xbb\xbf"
"""What tells spreadsheets that names are UTF-8."""

_FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")
"""Where a spreadsheet would begin to compute: also behind blanks, what it may cut a cell at, and wide signs."""

LEDGER_COLUMNS = (
    "roll", "place", "fell_in", "fell_at", "face", "sides", "source", "purpose", "who", "origin", "role", "name",
    "action", "slot", "revision", "at", "seq", "status",
)  # fmt: skip


def ledger_csv(lines: Iterable[LedgerLine]) -> Iterator[bytes]:
    """The dice ledger as CSV (RFC 4180, UTF-8), line by line, under a line of headings.

    An address takes two columns, since a spreadsheet reads `3.10` as 3.1.
    """
    yield BOM + csv_line(LEDGER_COLUMNS)
    for line in lines:
        yield csv_line(_cells(line))


def csv_line(cells: Sequence[str | int]) -> bytes:
    """One line of CSV with its end; words are harmless and in quotes, numbers are numbers."""
    written = io.StringIO(newline="")
    csv.writer(written, quoting=csv.QUOTE_NONNUMERIC).writerow(
        [harmless(cell) if isinstance(cell, str) else cell for cell in cells]
    )
    return written.getvalue().encode()


def harmless(text: str) -> str:
    """Words as words: an apostrophe before whatever a spreadsheet would compute."""
    return _FORMULA.sub(r"\1'", text)


def _cells(line: LedgerLine) -> list[str | int]:
    fell_in, fell_at = map(int, line.address.split("."))
    return [
        line.roll,
        line.place,
        fell_in,
        fell_at,
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
