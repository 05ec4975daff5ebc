"""What `amend` and `insert` have in common: a command as it is typed, with its answers, faces and rulings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
import msgspec

_face = re.compile("[0-9]{1,9}")

F = TypeVar("F", bound=Callable[..., Any])


def with_a_deed(command: F) -> F:
    """The options beside a command."""
    for option in reversed(
        (
            click.option(
                "--answer",
                "answers",
                multiple=True,
                metavar="JSON",
                help="An answer to its questions, each in turn.",
            ),
            click.option(
                "--dice", metavar="FACES", help='Faces of dice that were typed in, such as "4 6 1".'
            ),
            click.option("--overrule", multiple=True, metavar="CODE", help="A refusal the GM passes over."),
        )
    ):
        command = option(command)
    return command


def typed(said: str | None, answers: Sequence[str], dice: str | None, overrule: Sequence[str]) -> list[str]:
    """The same as words, to type it again."""
    return [
        *([] if said is None else ["--command", said]),
        *(word for answer in answers for word in ("--answer", answer)),
        *([] if dice is None else ["--dice", dice]),
        *(word for code in overrule for word in ("--overrule", code)),
    ]


def json_object(option: str, text: str) -> msgspec.Raw:
    """A command or an answer as it was typed, which has to be a JSON object."""
    try:
        msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise click.UsageError(
            f'{option} takes a JSON object such as {{"type": "settle"}}: {error}'
        ) from error
    return msgspec.Raw(text.encode())


def faces(text: str | None) -> tuple[int, ...] | None:
    """Faces as they were typed, with blanks or commas between."""
    if text is None:
        return None
    given = text.replace(",", " ").split()
    wrong = next((face for face in given if not _face.fullmatch(face)), None)
    if wrong is not None:
        raise click.UsageError(
            f'--dice takes faces with blanks between, such as "4 6 1", and “{wrong}” is none'
        )
    return tuple(map(int, given))
