"""`tabletape amend`: let an action go on otherwise."""

from __future__ import annotations

from typing import Any

import click

from api.cli import options
from api.cli.corrections import asked, carry_out, correcting, json_object, otherwise
from api.correcting import Correction
from eventlog.corrections import UNCHANGED, Amend


@click.command("amend")
@options.session
@click.argument("number", metavar="N", type=click.IntRange(min=0))
@click.option("--command", "said", metavar="JSON", help="Another command in its place.")
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="JSON",
    help="Another answer to its questions, each in turn.",
)
@click.option("--dice", metavar="FACES", help='Other faces of dice that were typed in, such as "4 6 1".')
@click.option("--overrule", multiple=True, metavar="CODE", help="A refusal the GM passes over.")
@correcting
def command(  # noqa: PLR0913 - each part of an action can be another
    number: int,
    *,
    said: str | None,
    answers: tuple[str, ...],
    dice: str | None,
    overrule: tuple[str, ...],
    others: tuple[str, ...],
    **given: Any,
) -> None:
    """Let the action N of the session ID go on with another command, other answers, or other faces.

    What is left out stays as it was, and dice the server threw stay what they are. N may be an answer.
    """
    if said is None and not answers and dice is None and not overrule:
        raise click.UsageError("Say what it goes on with: --command, --answer, --dice or --overrule.")
    words = [
        str(number),
        *([] if said is None else ["--command", said]),
        *(word for answer in answers for word in ("--answer", answer)),
        *([] if dice is None else ["--dice", dice]),
        *(word for code in overrule for word in ("--overrule", code)),
    ]
    amend = Amend(
        target=number,
        command=UNCHANGED if said is None else json_object("--command", said),
        answers=tuple(json_object("--answer", answer) for answer in answers) or None,
        overrule=overrule or None,
        mode=given["mode"],
        others=otherwise(others),
    )
    correction = Correction(command=amend, dice=_faces(dice), reason=given["reason"])
    carry_out(asked("amend", words, given), correction)


def _faces(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        return tuple(int(face) for face in text.replace(",", " ").split())
    except ValueError as error:
        raise click.UsageError(f'--dice takes faces with blanks between, such as "4 6 1": {error}') from error
