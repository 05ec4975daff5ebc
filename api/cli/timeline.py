"""`tabletape timeline`: what happened."""

from __future__ import annotations

import click

from api.cli import options
from api.cli.database import looking_at
from api.cli.eyes import viewer_named
from api.cli.screen import at_terminal, print_json, print_line
from api.cli.telling import print_timeline
from projections.story import every_entry


@click.command("timeline")
@options.session
@options.viewer
@options.db
@options.as_json
def command(session: str, who: str, db: str, *, as_json: bool) -> None:
    """Tell what happened in the session ID, one action after the other.

    An answer (a reroll, a defense) is told with the action that asked for it, so its number is left out.
    """
    with looking_at(db) as store:
        entries = tuple(every_entry(store, session, viewer_named(store, session, who)))
        title = store.head(session).title
    if as_json:
        print_json({"actions": entries})
        return
    if at_terminal():
        print_line(title, style="bold")
    print_timeline(entries)
