"""`tabletape redo`: bring something back."""

from __future__ import annotations

from typing import Any

import click

from api.cli import options
from api.cli.corrections import asked, carry_out, correcting, otherwise
from api.correcting import Correction
from eventlog.corrections import Redo


@click.command("redo")
@options.session
@click.argument("number", metavar="N", type=click.IntRange(min=0))
@correcting
def command(number: int, **given: Any) -> None:
    """Bring the undone action N of the session ID back, with what went with it.

    N may also be a correction: it is taken back whole.
    """
    redo = Redo(target=number, mode=given["mode"], others=otherwise(given["others"]))
    carry_out(asked("redo", [str(number)], given), Correction(command=redo, reason=given["reason"]))
