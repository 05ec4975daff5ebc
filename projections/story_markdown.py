"""The story of a session as Markdown, for a wiki, a forum or a chat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from eventlog.logs import Head
from projections.entries import Entry
from projections.story import Heading, Part, about, marks, rolls
from rulesets.people import Viewer

_SPECIAL = re.compile(r"([\\`*_\[\]<|~&#])")
_LEADING = re.compile(r"^(\d*)(?=[-+=>.)])")


def markdown(head: Head, viewer: Viewer, parts: Iterable[Part]) -> Iterator[str]:
    """Lines without their ends. What was undone is struck through."""
    yield f"# {escaped(head.title)}"
    yield ""
    yield escaped(about(head, viewer))
    listed = True
    for part in parts:
        if isinstance(part, Heading):
            yield from (
                "",
                f"{'##' if part.depth == 0 else '###'} {part.text}{', again' if part.again else ''}",
            )
            listed = False
        else:
            # A list begins after an empty line.
            yield from () if listed else ("",)
            yield from _entry(part)
            listed = True


def _entry(entry: Entry) -> Iterator[str]:
    line = escaped(entry.line)
    told = f"~~{line}~~" if entry.status == "undone" else line
    marked = "".join(f" *({mark})*" for mark in marks(entry))
    yield f"- **{entry.number}** {told}{marked}"
    yield from (f"  - {escaped(roll)}" for roll in rolls(entry))
    for note in entry.notes:
        # Two blanks at the end keep the line breaks of whoever wrote it.
        yield from (f"  > {quoted(line)}  " for line in note.text.splitlines())


def escaped(text: str) -> str:
    """Somebody's words as words: nothing in them is taken for Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", text)


def quoted(line: str) -> str:
    """A line of somebody's words where a list, a heading or a line could begin, and does not."""
    return _LEADING.sub(r"\1\\", escaped(line.lstrip()))
