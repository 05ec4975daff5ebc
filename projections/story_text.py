"""The story of a session as plain text, a line for each action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eventlog.logs import Head
from projections.entries import Entry
from projections.story import Heading, Part, about, marks, rolls
from rulesets.people import Viewer

INDENT = 6


def plain_text(head: Head, viewer: Viewer, parts: Iterable[Part]) -> Iterator[str]:
    """Lines without their ends. What was undone is marked so."""
    yield head.title
    yield "=" * len(head.title)
    yield about(head, viewer)
    for part in parts:
        if isinstance(part, Heading):
            yield from _heading(part)
        else:
            yield from _entry(part)


def _heading(heading: Heading) -> Iterator[str]:
    text = f"{heading.text}, again" if heading.again else heading.text
    yield ""
    yield text
    yield ("=" if heading.depth == 0 else "-") * len(text)


def _entry(entry: Entry) -> Iterator[str]:
    marked = "".join(f" [{mark}]" for mark in marks(entry))
    yield f"{entry.number:>{INDENT - 2}}  {entry.line}{marked}"
    for roll in rolls(entry):
        yield f"{'':{INDENT}}{roll}"
    for note in entry.notes:
        first, *more = note.text.splitlines() or [""]
        yield f"{'':{INDENT}}“{first}{'' if more else '”'}"
        for number, line in enumerate(more, 1):
            yield f"{'':{INDENT}} {line}{'”' if number == len(more) else ''}"
