"""Lines of JSON back to a log: for checking a copy without any server, and for taking one in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from eventlog.archive.header import FORMAT, Header
from eventlog.core import CORE
from eventlog.envelope import Envelope
from eventlog.errors import ImportRefused
from eventlog.frames import EventFrame, HiddenFrame, restored
from rulesets.installed import Package, package_of

CopiedLine: TypeAlias = Envelope | HiddenFrame
"""An event of a copy, or what is left of one its reader may not see."""


class _Kind(msgspec.Struct, frozen=True):
    """Enough of a line to tell what it is."""

    tabletape: int | None = None
    type: str | None = None


_kind = msgspec.json.Decoder(_Kind).decode
_header = msgspec.json.Decoder(Header).decode
_shown = msgspec.json.Decoder(EventFrame).decode
_hidden = msgspec.json.Decoder(HiddenFrame).decode


def read_archive(lines: Iterable[bytes]) -> tuple[Header, tuple[CopiedLine, ...]]:
    """The header and the events of a copy, complete or not. Raises `ImportRefused`, naming the line."""
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise refused("The file is empty", "empty", line=1)
    header = _read_header(first[1])
    return header, tuple(_read_event(number, line) for number, line in numbered)


def refused(message: str, reason: str, *, line: int, **fields: object) -> ImportRefused:
    """Why a file cannot be taken for a copy, with the line to look at."""
    return ImportRefused(f"Line {line}: {message}", reason=reason, line=line, **fields)


def newer(message: str, reason: str, package: Package, *, line: int, **fields: object) -> ImportRefused:
    """Why a copy from a newer version is not guessed at, and what has to be installed to read it."""
    return refused(
        f"{message}: a newer {package.name} wrote it (here: {package.version}). "
        f"Take it in there, or update this one: pip install --upgrade {package.name}",
        reason,
        line=line,
        install=package.name,
        installed=package.version,
        **fields,
    )


def _read_header(line: bytes) -> Header:
    try:
        number = _kind(line).tabletape
        if number is None:
            raise refused("this is no copy of a Tabletape log: its header is missing", "no-header", line=1)
        if number > FORMAT:
            raise newer(
                f"this copy has form {number}, and this installation reads form {FORMAT}",
                "newer-format",
                package_of(CORE),
                line=1,
                format=number,
            )
        return _header(line)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise refused(f"the header cannot be read: {error}", "unreadable", line=1) from error


def _read_event(number: int, line: bytes) -> CopiedLine:
    try:
        return _hidden(line) if _kind(line).type is None else restored(_shown(line))
    except (msgspec.MsgspecError, ValueError) as error:
        raise refused(f"this event cannot be read: {error}", "unreadable", line=number) from error
