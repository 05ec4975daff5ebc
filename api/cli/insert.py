"""`tabletape insert`: put in what was forgotten."""

from __future__ import annotations

from typing import Any

import click

from api.cli import options
from api.cli.corrections import asked, carry_out, correcting, otherwise
from api.cli.deeds import faces, json_object, typed, with_a_deed
from api.correcting import Correction
from eventlog.corrections import Insert


@click.command("insert")
@options.session
@click.argument("number", metavar="N", type=click.IntRange(min=0))
@click.option("--command", "said", required=True, metavar="JSON", help="What was forgotten.")
@with_a_deed
@correcting
def command(
    number: int,
    *,
    said: str,
    answers: tuple[str, ...],
    dice: str | None,
    overrule: tuple[str, ...],
    **given: Any,
) -> None:
    """Put a forgotten action into the session ID, before the action N.

    It gets a number of its own, and later actions go on as they then have to: see --mode.
    """
    words = [str(number), *typed(said, answers, dice, overrule)]
    insert = Insert(
        before=number,
        command=json_object("--command", said),
        answers=tuple(json_object("--answer", answer) for answer in answers),
        overrule=overrule,
        mode=given["mode"],
        others=otherwise(given["others"]),
    )
    correction = Correction(command=insert, dice=faces(dice), reason=given["reason"])
    carry_out(asked("insert", words, given), correction)
