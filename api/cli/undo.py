"""`tabletape undo`: take something back."""

from __future__ import annotations

from typing import Any

import click

from api.cli import options
from api.cli.corrections import asked, carry_out, correcting, otherwise
from api.correcting import Correction
from eventlog.corrections import Undo


@click.command("undo")
@options.session
@click.argument("number", metavar="[N]", required=False, type=click.IntRange(min=0))
@click.option("--through", is_flag=True, help="Also undo everything after it.")
@correcting
def command(number: int | None, *, through: bool, **given: Any) -> None:
    """Take the action N out of the session ID, with everything it caused; the last one without N.

    The last one is the last of the story that stands: a correction is no part of that, so right after an amendment
    it is the last action itself. To take a correction back, whole, name it by its own number. Nothing is lost: what was undone stays in the timeline, struck through,
    and comes back with redo. Where later actions build on it, see --mode.
    """
    if through and number is None:
        raise click.UsageError("--through goes with the number of the action to undo to.")
    words = [*([] if number is None else [str(number)]), *(["--through"] if through else [])]
    undo = Undo(target=number, through=through, mode=given["mode"], others=otherwise(given["others"]))
    carry_out(asked("undo", words, given), Correction(command=undo, reason=given["reason"]))
