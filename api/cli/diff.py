"""`tabletape diff`: what is otherwise on the table between two actions, or in a fork."""

from __future__ import annotations

import click

from api.cli import options, points
from api.cli.database import looking_at
from api.cli.exits import Ended, Exit
from api.cli.eyes import viewer_named
from api.cli.screen import print_json, print_line
from api.cli.touching import print_changes
from eventlog.store import Store
from projections.difference import difference
from projections.table import state_document


@click.command("diff")
@options.session
@click.argument("since", metavar="FROM", type=click.IntRange(min=0))
@click.argument("to", metavar="[TO]", required=False, type=click.IntRange(min=0))
@points.corrected
@click.option("--against", metavar="FORK", help="A fork of the session: TO is an action there.")
@options.viewer
@options.db
@options.as_json
def command(  # noqa: PLR0913, PLR0917 - two points, of which history, in which session, and for whom
    session: str,
    since: int,
    to: int | None,
    against: str | None,
    who: str,
    db: str,
    *,
    corrected: bool,
    as_json: bool,
) -> None:
    """Show what is otherwise on the table of the session ID after the action TO than after FROM.

    Without TO it is the last action. With --against it is how the table of a fork differs from this one.
    """
    with looking_at(db) as store:
        viewer = viewer_named(store, session, who)
        if against is not None:
            _is_a_fork(store, session, against)
        before = points.tape_of(store, session, since, corrected=corrected)
        after = points.tape_of(store, against or session, to, corrected=corrected)
        found = difference(state_document(before, viewer), state_document(after, viewer))
    if as_json:
        print_json(found)
    elif found.lines:
        there = f" of {against}" if against else ""
        print_changes(f"From action {found.from_} to action {found.to}{there}", found.lines)
    else:
        print_line("The table is the same.")


def _is_a_fork(store: Store, session: str, other: str) -> None:
    if other not in {fork.session for fork in store.forks(session)}:
        raise Ended(f"no fork {other} was made of session {session}", Exit.NOT_FOUND)
