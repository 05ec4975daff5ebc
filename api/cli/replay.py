"""`tabletape replay`: the session once more."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import click

from api.cli import options
from api.cli.player import keyboard
from api.cli.player.reel import Reel, Which, from_database, from_file, from_server
from api.cli.screen import at_terminal, print_json, print_line
from api.cli.telling import print_timeline
from api.scenes.report import timeline_lines


@click.command("replay")
@click.argument("what", metavar="ID|FILE")
@click.option(
    "--from", "first", type=click.IntRange(min=0), default=0, metavar="N", help="The first action to tell."
)
@click.option("--to", "last", type=click.IntRange(min=0), metavar="N", help="The last action to tell.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0, max=64),
    default=1.0,
    show_default=True,
    metavar="S",
    help="1 as it was played, 2 twice as fast, 0 all at once.",
)
@click.option("--corrected", is_flag=True, help="The history as it stands, without what was undone.")
@options.viewer
@options.db
@options.url
@options.token
@options.as_json
def command(  # noqa: PLR0913, PLR0917 - what to tell, how, for whom, and from where
    what: str,
    first: int,
    last: int | None,
    speed: float,
    who: str,
    db: str,
    url: str | None,
    token: str | None,
    *,
    corrected: bool,
    as_json: bool,
) -> None:
    """Play the session ID again, or one in a FILE written by `tabletape export`.

    At a terminal it plays by itself and listens to keys: space plays or pauses, the arrows (or n and p) step, g goes
    to an action by its number, + and - change the speed, q quits. In a pipe all lines are told at once.
    """
    if last is not None and first > last:
        raise click.UsageError(f"--from {first} comes after --to {last}: nothing lies between them.")
    which = Which(first=first, last=last, corrected=corrected)
    with _reel(what, which, who, db, url, token) as reel:
        if as_json:
            for frame in reel.frames:
                print_json(frame, indent=0)
        elif at_terminal() and keyboard.there_is_one() and speed:
            from api.cli.player.show import show

            show(reel, speed)
        else:
            _tell(reel)


def _reel(  # noqa: PLR0913, PLR0917 - as above
    what: str, which: Which, who: str, db: str, url: str | None, token: str | None
) -> AbstractContextManager[Reel]:
    if url is not None:
        if who != "gm":
            raise click.UsageError(
                "With --url you see what the owner of the --token may see: leave --as out."
            )
        return from_server(url, what, token, which)
    if Path(what).is_file():
        return from_file(what, who, which)
    return from_database(db, what, who, which)


def _tell(reel: Reel) -> None:
    """All of it at once, line by line."""
    if at_terminal():
        print_line(reel.title, style="bold")
        print_timeline([frame.entry for frame in reel.frames])
        return
    for line in timeline_lines([frame.entry for frame in reel.frames]):
        print_line(line)
