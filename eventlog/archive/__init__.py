"""Copies of logs: written for a reader, read back to be checked, taken in by another store."""

from eventlog.archive.already_here import Imported
from eventlog.archive.checking import checked_copy
from eventlog.archive.header import Header
from eventlog.archive.preparing import CheckedCopy
from eventlog.archive.reading import read_archive
from eventlog.archive.taking_in import foreseen, take_in
from eventlog.archive.verifying import verify_copy
from eventlog.archive.writing import export_lines

__all__ = [
    "CheckedCopy",
    "Header",
    "Imported",
    "checked_copy",
    "export_lines",
    "foreseen",
    "read_archive",
    "take_in",
    "verify_copy",
]
