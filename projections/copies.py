"""A session as a file, in the form somebody asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, assert_never

from eventlog.archive import export_lines
from eventlog.store import Store
from projections.dice_table import dice_table, spreadsheet
from projections.story import every_entry, story
from projections.story_markdown import markdown
from projections.story_text import plain_text
from rulesets.people import Viewer

Form: TypeAlias = Literal["jsonl", "csv", "markdown", "text"]
"""The log itself, its dice as a table, or its story for people to read."""

SUFFIXES: dict[Form, str] = {"jsonl": "jsonl", "csv": "csv", "markdown": "md", "text": "txt"}
"""How such a file is called."""


def copy_lines(store: Store, session: str, viewer: Viewer, form: Form) -> Iterator[bytes]:
    """The lines of the file with their ends, as this person may see the session. Raises `SessionUnknown`."""
    match form:
        case "jsonl":
            return export_lines(store, session, viewer)
        case "csv":
            return spreadsheet(dice_table(store, session, viewer))
        case "markdown" | "text":
            told = markdown if form == "markdown" else plain_text
            parts = story(every_entry(store, session, viewer))
            return (f"{line}\n".encode() for line in told(store.head(session), viewer, parts))
        case _:
            assert_never(form)
