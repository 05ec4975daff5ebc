"""`tabletape verify`: whether a log is the one that was recorded."""

from __future__ import annotations

from pathlib import Path

import click

from api.cli import options
from api.cli.database import looking_at
from api.cli.exits import Exit
from api.cli.screen import print_json, print_line
from eventlog.archive import verify_copy
from eventlog.verification import Fault, Verification, verify

HERE = ("ruleset", "rules")
"""What another installation could decide again, and this one cannot."""

AS_FAR_AS = {
    "hidden": " as far as this copy shows it: it hides events from its reader, so no command was decided again",
    "ruleset": " as far as it can be checked here: its game is not installed, so no command was decided again",
    "rules": " as far as it can be checked here: its rules are not known, so no command was decided again",
}


@click.command("verify")
@click.argument("what", metavar="ID|FILE")
@options.db
@options.as_json
def command(what: str, db: str, *, as_json: bool) -> Exit:
    """Check that a log is whole: its chain and order, its dice, and every command decided again.

    ID is that of a session in the database, FILE a copy that `tabletape export` wrote. Ends with 1 at the
    first thing that is wrong, with 7 where all is whole but commands could not be decided again here.
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
    return _ended(found)


def _file(path: Path) -> Verification:
    with path.open("rb") as lines:
        return verify_copy(lines)


def _ended(found: Verification) -> Exit:
    if not found.ok:
        return Exit.FAILED
    return Exit.UNCHECKED if found.undecided in HERE else Exit.OK


def _print(what: str, found: Verification) -> None:
    checked, fault = found.checked, found.first_fault
    if fault is None:
        far = "" if found.undecided is None else AS_FAR_AS[found.undecided]
        print_line(f"{what} is whole{far}.", style="bold yellow" if found.undecided in HERE else "bold green")
    else:
        print_line(f"{what} is not the log that was recorded.", style="bold red")
        print_line(f"  The first thing wrong is {_place(fault)} ({fault.field}): {fault.message}")
    print_line(
        f"  Checked: {checked.events} events, {checked.actions} actions, {checked.redecided} of them decided again, "
        f"{checked.dice} dice compared with the seed."
    )
    if checked.redacted:
        print_line(f"  Words were removed from: {', '.join(map(str, checked.redacted))}.")
    for note in found.notes:
        print_line(f"  {note}.")


def _place(fault: Fault) -> str:
    """Where a fault is; in a copy the header stands before event 1."""
    if fault.seq < 1:
        return "in the header, line 1"
    of = "" if fault.action is None else f" of action {fault.action}"
    return f"at event {fault.seq}{of}"
