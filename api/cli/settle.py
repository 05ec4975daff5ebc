"""`tabletape settle`: answer a player's request for an undo."""

from __future__ import annotations

import asyncio
from typing import Any, Literal, get_args

import click

from api.cli import options
from api.cli.corrections import Asked, asked, carry_out, correcting, otherwise
from api.cli.exits import Ended, Exit
from api.cli.screen import print_json, print_line
from api.correcting import Correction
from eventlog.corrections import SettleRequest
from tabletape.client.shapes.corrections import OpenUndoRequest

Verdict = Literal["approve", "deny", "cancel"]


@click.command("settle")
@options.session
@click.argument("verdict", metavar="[VERDICT]", required=False, type=click.Choice(get_args(Verdict)))
@correcting
def command(verdict: Verdict | None, **given: Any) -> None:
    """Approve or deny the request for an undo that is open in the session ID, or cancel one's own.

    The VERDICT is approve, deny or cancel; without one it only shows the request. Approved, it is the undo that was
    asked for, in the --mode that is given.
    """
    settling = asked("settle", [verdict] if verdict else [], given)
    others = otherwise(given["others"])
    if verdict != "approve" and (given["dry_run"] or given["mode"] != "strict" or others):
        raise click.UsageError("--mode, --with and --dry-run go with approve, which undoes something.")
    found = asyncio.run(settling.place.asked())
    if verdict is None:
        _show(settling, found)
        return
    if found is None:
        raise Ended(f"no request for an undo is open in session {settling.session}", Exit.REFUSED)
    settle = SettleRequest(request=found.number, verdict=verdict, mode=given["mode"], others=others)
    carry_out(settling, Correction(command=settle, reason=given["reason"]))


def _show(settling: Asked, found: OpenUndoRequest | None) -> None:
    if settling.as_json:
        print_json({"request": found})
    elif found is None:
        print_line("No request for an undo is open.")
    else:
        print_line(f"{found.number}  {found.by} asks the GM to undo action {found.target}")
