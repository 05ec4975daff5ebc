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

Rows = Sequence[Sequence[str]]


def at_terminal() -> bool:
    """Whether somebody looks at the output as it comes."""
    return sys.stdout.isatty()


@cache
def console() -> Console:
    """The terminal; it knows its width, its colours and NO_COLOR."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


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


def print_rows(headers: Sequence[str], rows: Rows) -> None:
    """A table: drawn at a terminal; in a pipe a row a line, tabs between, without the headers."""
    if not at_terminal():
        for row in rows:
            click.echo("\t".join(row))
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for header in headers:
        table.add_column(header, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console().print(table)


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
