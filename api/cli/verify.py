"""`tabletape verify`: whether a log is the one that was recorded."""

from __future__ import annotations

from pathlib import Path

import click

from api.cli import options
from api.cli.database import looking_at
from api.cli.exits import Exit
from api.cli.screen import print_json, print_line
from eventlog.archive import read_archive
from eventlog.verification import Verification, verify, verify_envelopes
from rulesets.errors import RulesetNotInstalled
from rulesets.installed import ruleset_named


@click.command("verify")
@click.argument("what", metavar="ID|FILE")
@options.db
@options.as_json
def command(what: str, db: str, *, as_json: bool) -> Exit:
    """Check that a log is whole: its chain and order, its dice, and every command decided again.

    ID is that of a session in the database, FILE a copy that `tabletape export` wrote. Ends with 1 at the
    first thing that is wrong.
    """
    if Path(what).is_file():
        found = _file(Path(what))
    else:
        with looking_at(db) as store:
            found = verify(store, what)
    if as_json:
        print_json(found)
    else:
        _print(what, found)
    return Exit.OK if found.ok else Exit.FAILED


def _file(path: Path) -> Verification:
    with path.open("rb") as lines:
        header, events = read_archive(lines)
    try:
        ruleset = ruleset_named(header.ruleset)
    except RulesetNotInstalled:
        ruleset = None
    end = (header.version, bytes.fromhex(header.head_hash))
    return verify_envelopes(ruleset, header.session, events, end=end)


def _print(what: str, found: Verification) -> None:
    checked, fault = found.checked, found.first_fault
    if fault is None:
        print_line(f"{what} is whole.", style="bold green")
    else:
        where = (
            f"event {fault.seq}" if fault.action is None else f"event {fault.seq} of action {fault.action}"
        )
        print_line(f"{what} is not the log that was recorded.", style="bold red")
        print_line(f"  The first thing wrong is at {where} ({fault.field}): {fault.message}")
    print_line(
        f"  Checked: {checked.events} events, {checked.actions} actions, {checked.redecided} of them decided again, "
        f"{checked.dice} dice compared with the seed."
    )
    if checked.redacted:
        print_line(f"  Words were removed from: {', '.join(map(str, checked.redacted))}.")
    for note in found.notes:
        print_line(f"  {note}.")
