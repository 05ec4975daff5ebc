"""`tabletape export`: a session as a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, get_args

import click

from api.cli import options
from api.cli.database import looking_at
from api.cli.eyes import viewer_named
from api.cli.files import whole
from api.cli.screen import progress
from projections.copies import Form, copy_lines


@click.command("export")
@options.session
@click.option("-o", "--output", metavar="FILE", help="Where to; the standard output when left out.")
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Form)),
    default="jsonl",
    show_default=True,
    help="The log itself (jsonl), its dice as a table (csv), or its story (markdown, text).",
)
@options.viewer
@options.db
def command(session: str, output: str | None, form: Form, who: str, db: str) -> None:
    """Write the session ID to a file: its log as lines of JSON, its dice, or its story.

    The game master's copy of the log is complete and can be taken in elsewhere; that of others holds what they
    may see, and still verifies.
    """
    with looking_at(db) as store:
        lines = copy_lines(store, session, viewer_named(store, session, who), form)
        with _opened(output) as file, progress(session, store.head(session).version) as step:
            for line in lines:
                file.write(line)
                step()


@contextmanager
def _opened(output: str | None) -> Iterator[BinaryIO]:
    """The file to write, or the standard output where none is named."""
    if output is None:
        yield sys.stdout.buffer
        return
    with whole(output) as part, part.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
