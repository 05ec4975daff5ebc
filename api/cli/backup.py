"""`tabletape backup`: a copy of the database that is whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import click

from api.cli import options
from api.cli.database import looking_at
from api.cli.files import whole
from api.cli.screen import print_json, print_line, progress
from eventlog.sqlite.faults import faults_named

PAGES_AT_ONCE = 2000


@click.command("backup")
@click.argument("file", metavar="FILE")
@options.db
@options.as_json
def command(file: str, db: str, *, as_json: bool) -> None:
    """Copy the whole database to FILE, also while a server writes it.

    The copy holds the secret seeds of running sessions: keep it where the players do not look.
    """
    # Looking at it refuses what is no database of ours.
    with whole(file) as part, looking_at(db), progress(f"Copying {db}") as step:
        with faults_named(file):
            _copy(Path(db), part, step)
        size = part.stat().st_size
    if as_json:
        print_json({"file": file, "bytes": size})
    else:
        print_line(f"{db} is copied to {file} ({size:,} bytes).")


def _copy(source: Path, part: Path, step: Callable[[], None]) -> None:
    """Copy through SQLite, which keeps the copy whole beside a writer."""
    ours = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)
    copy = sqlite3.connect(part)
    try:
        ours.backup(copy, pages=PAGES_AT_ONCE, progress=lambda *_: step())
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
        ours.close()
