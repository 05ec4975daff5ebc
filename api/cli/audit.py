"""`tabletape audit`: every die, ruling and correction of a session."""

from __future__ import annotations

import sys
from typing import NamedTuple

import click

from api.cli import options
from api.cli.database import looking_at
from api.cli.eyes import viewer_named
from api.cli.screen import at_terminal, print_json, print_line, print_rows
from projections.audit import Audit, ByHand, Corrections, Ruling, audit, ledger
from projections.ledger import LedgerLine
from projections.spreadsheet import ledger_csv
from projections.telling import name_of

DICE = ("die", "face", "of", "from", "for", "by", "action", "")
RULED = ("action", "by", "what", "")
CORRECTED = ("by", "how often")


class Part(NamedTuple):
    """One part of an audit: its title, the word that begins its lines in a pipe, and its rows."""

    title: str
    word: str
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]]


@click.command("audit")
@options.session
@click.option("--csv", "as_csv", is_flag=True, help="Print every die as a table for spreadsheets.")
@options.viewer
@options.db
@options.as_json
def command(session: str, who: str, db: str, *, as_csv: bool, as_json: bool) -> None:
    """Show every die of the session ID, the rulings, what was set by hand, and who corrected how often."""
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are two forms of the same: take one")
    with looking_at(db) as store:
        viewer = viewer_named(store, session, who)
        if as_csv:
            for line in ledger_csv(ledger(store, session, viewer)):
                sys.stdout.buffer.write(line)
            return
        found = audit(store, session, viewer, limit=sys.maxsize)
    if as_json:
        print_json(found)
    else:
        _print(found)


def _print(found: Audit) -> None:
    """A table for each part at a terminal; in a pipe a thing a line, what it is first."""
    parts = (
        Part("Dice", "die", DICE, [_die(line) for line in found.dice]),
        Part("Rulings", "ruling", RULED, [_ruled(each) for each in found.rulings]),
        Part("Set by hand", "by-hand", RULED, [_ruled(each) for each in found.by_hand]),
        Part("Corrections", "corrections", CORRECTED, [_corrected(each) for each in found.corrections]),
    )
    for part in parts:
        if not at_terminal():
            print_rows((), [(part.word, *row) for row in part.rows])
        elif part.rows:
            print_line(part.title, style="bold cyan")
            print_rows(part.headers, part.rows)


def _die(line: LedgerLine) -> tuple[str, ...]:
    place = f"{line.roll}.{line.place}"
    marks = (
        "" if line.source == "server" else "typed in",
        "" if line.address == place else f"fell at {line.address}",
        "" if line.standing else "undone",
    )
    told = (line.origin, line.purpose, name_of(line.by), str(line.action), ", ".join(filter(None, marks)))
    return (place, str(line.face), str(line.sides), *told)


def _ruled(each: Ruling | ByHand) -> tuple[str, ...]:
    return (str(each.action), name_of(each.by), each.line, "" if each.standing else "undone")


def _corrected(each: Corrections) -> tuple[str, ...]:
    counts = (
        ("undone", each.undone),
        ("redone", each.redone),
        ("amended", each.amended),
        ("put in", each.inserted),
    )
    return (name_of(each.by), ", ".join(f"{count} {what}" for what, count in counts if count))
