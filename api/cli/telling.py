"""The timeline, as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from api.cli.screen import at_terminal, console
from api.scenes.report import marked, timeline_lines
from projections.entries import Entry

if TYPE_CHECKING:
    from rich.table import Table


def print_timeline(entries: Sequence[Entry]) -> None:
    """One action after the other; at a terminal each round has a heading, and what was undone is struck out."""
    if not at_terminal():
        for line in timeline_lines(entries):
            click.echo(line)
        return
    from rich.padding import Padding

    moment = None
    for entry in entries:
        if entry.moment is not None and entry.moment != moment:
            moment = entry.moment
            console().print(f"\n  Round {moment.round}", style="bold cyan")
        console().print(Padding(_line(entry), (0, 0, 0, 2)))


def _line(entry: Entry) -> Table:
    from rich.table import Table
    from rich.text import Text

    words = Text(entry.line, style="strike dim" if entry.status == "undone" else "")
    words.append(marked(entry), style="bold yellow")
    for note in entry.notes:
        words.append(f"\n“{note.text}”", style="italic dim")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim", min_width=3)
    grid.add_column(overflow="fold")
    grid.add_row(str(entry.number), words)
    return grid
