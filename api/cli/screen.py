"""What is printed: colour and tables for somebody at a terminal, plain lines for a pipe, JSON when asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
import msgspec

if TYPE_CHECKING:
    from rich.console import Console

LONG_WORK = 0.5
"""Seconds after which work is long enough for a progress bar."""

GAP, EDGES = 3, 2
"""Blanks between two columns of a table, and outside them all."""
FEW_WORDS = 24
"""To how many characters a column of words may be squeezed, so that they still stand together."""
INDENT, NO_BREAK = " " * 4, "\N{NO-BREAK SPACE}"

Rows = Sequence[Sequence[str]]


def at_terminal() -> bool:
    """Whether somebody looks at the output as it comes."""
    return sys.stdout.isatty()


@cache
def console() -> Console:
    """The terminal; it knows its width, its colours and NO_COLOR."""
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            """Leave it to whoever runs the command, which has an exit code for it."""
            raise BrokenPipeError

    return Terminal(highlight=False, markup=False, emoji=False)


def print_json(value: Any, *, indent: int = 2) -> None:
    """A document: in readable form, or on one line with `indent` 0."""
    text = msgspec.json.encode(value)
    click.echo(msgspec.json.format(text, indent=indent) if indent else text)


def print_line(text: str = "", style: str = "") -> None:
    """A line of words."""
    if at_terminal() and style:
        console().print(text, style=style, soft_wrap=True)
    else:
        click.echo(text)


def print_rows(headers: Sequence[str], rows: Rows, *, words_last: bool = False) -> None:
    """A table: drawn at a terminal; in a pipe a row a line, tabs between, without the headers.

    `words_last` says that the last column holds words, which may go over several lines. A table that is wider
    than the screen even so is told one thing after the other.
    """
    if not at_terminal():
        for row in rows:
            click.echo("\t".join(row))
    elif _width(headers, rows, words_last=words_last) <= console().width:
        _draw(headers, rows)
    else:
        _tell(headers, rows)


def _width(headers: Sequence[str], rows: Rows, *, words_last: bool) -> int:
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(headers, *rows, strict=True)]
    if words_last:
        widths[-1] = min(widths[-1], FEW_WORDS)
    return sum(widths) + GAP * (len(widths) - 1) + EDGES


def _draw(headers: Sequence[str], rows: Rows) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for number, header in enumerate(headers, 1):
        table.add_column(header, overflow="fold", no_wrap=number < len(headers))
    for row in rows:
        table.add_row(*row)
    console().print(table)


def _tell(headers: Sequence[str], rows: Rows) -> None:
    """Each thing by its name, its parts wrapped below; a part is broken only where it is longer than a line."""
    room = console().width - len(INDENT)
    for name, *rest in rows:
        print_line(f"  {name}", style="bold")
        parts = [
            f"{header.lower()} {value}".strip()
            for header, value in zip(headers[1:], rest, strict=True)
            if value
        ]
        kept = (part.replace(" ", NO_BREAK) if len(part) <= room else part for part in parts)
        wrapped = click.wrap_text(
            " · ".join(kept), width=console().width, initial_indent=INDENT, subsequent_indent=INDENT
        )
        print_line(wrapped.replace(NO_BREAK, " "))


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """A bar for work that turns out to be long, at a terminal only. Call what it gives after each step."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task, began = bar.add_task(label, total=total), monotonic()

    def step() -> None:
        bar.advance(task)
        if not bar.live.is_started and monotonic() - began > LONG_WORK:
            bar.start()

    try:
        yield step
    finally:
        bar.stop()
