"""`tabletape state`: the table, now or then."""

from __future__ import annotations

import click

from api.cli import options, points
from api.cli.database import looking_at
from api.cli.eyes import viewer_named
from api.cli.layout import print_state
from api.cli.screen import print_json, print_line
from projections.table import state_document


@click.command("state")
@options.session
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="The table after the action N.")
@points.corrected
@options.viewer
@options.db
@options.as_json
def command(  # noqa: PLR0913 - one for each option
    session: str, at: int | None, who: str, db: str, *, corrected: bool, as_json: bool
) -> None:
    """Show the table of the session ID: now, or after an earlier action, as it was known then."""
    with looking_at(db) as store:
        tape = points.tape_of(store, session, at, corrected=corrected)
        document = state_document(tape, viewer_named(store, session, who))
        last = store.head(session).action
    if as_json:
        print_json(document)
        return
    when = f"after action {document.at}" + ("" if document.at == last else f" of {last}")
    print_line(f"{tape.title}, {when}", style="bold")
    print_state(document.state)
