"""`tabletape amend`: let an action go on otherwise."""

from __future__ import annotations

from typing import Any

import click

from api.cli import options
from api.cli.corrections import asked, carry_out, correcting, otherwise
from api.cli.deeds import faces, json_object, typed, with_a_deed
from api.correcting import Correction
from eventlog.corrections import UNCHANGED, Amend


@click.command("amend")
@options.session
@click.argument("number", metavar="N", type=click.IntRange(min=0))
@click.option("--command", "said", metavar="JSON", help="Another command in its place.")
@with_a_deed
@correcting
def command(
    number: int,
    *,
    said: str | None,
    answers: tuple[str, ...],
    dice: str | None,
    overrule: tuple[str, ...],
    **given: Any,
) -> None:
    """Let the action N of the session ID go on with another command, other answers, or other faces.

    What is left out stays as it was, and dice the server threw stay what they are. N may be an answer.
    """
    if said is None and not answers and dice is None and not overrule:
        raise click.UsageError("Say what it goes on with: --command, --answer, --dice or --overrule.")
    words = [str(number), *typed(said, answers, dice, overrule)]
    amend = Amend(
        target=number,
        command=UNCHANGED if said is None else json_object("--command", said),
        answers=tuple(json_object("--answer", answer) for answer in answers) or None,
        overrule=overrule or None,
        mode=given["mode"],
        others=otherwise(given["others"]),
    )
    correction = Correction(command=amend, dice=faces(dice), reason=given["reason"])
    carry_out(asked("amend", words, given), correction)
