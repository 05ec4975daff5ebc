"""`tabletape ask-undo`: ask the game master to take something back."""

from __future__ import annotations

import click

from api.cli import options
from api.cli.screen import print_json, print_line
from tabletape.client import Client


@click.command("ask-undo")
@options.session
@click.argument("number", metavar="N", type=click.IntRange(min=0))
@click.option("--reason", metavar="WORDS", help="Why; it stands in the timeline.")
@click.option(
    "--url", metavar="URL", required=True, help="The running server, such as http://127.0.0.1:8000."
)
@options.token
@options.as_json
def command(  # noqa: PLR0913 - one for each option
    session: str, number: int, reason: str | None, url: str, token: str | None, *, as_json: bool
) -> None:
    """Ask the GM of the session ID, as a player, to undo the action N. One request is open at a time.

    The GM settles it with `tabletape settle`.
    """
    with Client(url, token, patience=options.AT_A_PROMPT) as client:
        accepted = client.ask_for_undo(session, number, reason=reason)
        entry = client.action(session, accepted.action)
    if as_json:
        print_json(accepted)
    else:
        print_line(f"{entry.number}  {entry.line}", style="bold")
