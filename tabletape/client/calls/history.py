"""Undo, redo, amend, and what might have been."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from tabletape.client.call import Call, body, path_of, reading
from tabletape.client.calls.acting import Command
from tabletape.client.shapes.corrections import Corrected
from tabletape.client.shapes.events import Accepted
from tabletape.client.shapes.sessions import Opened

Mode: TypeAlias = Literal["strict", "rebase", "cascade"]
Answers: TypeAlias = Mapping[str, Any]
"""Other answers for later actions, as the server takes them in `with`."""


def undo(  # noqa: PLR0913 - the parts of a correction
    session: str,
    number: int | None = None,
    *,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    reason: str | None = None,
    through: bool | None = None,
    answers: Answers | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Corrected]:
    """Take an action out of the story, the last one when no number is given. `through`: and all after it.

    `mode` says what becomes of later actions this touches: refuse (`strict`), decide them again (`rebase`), or
    take them out too (`cascade`). With `dry_run` nothing is recorded and the answer says what would be.
    """
    path = path_of(session, "undo") if number is None else path_of(session, "actions", number, "undo")
    content = body(mode=mode, dry_run=dry_run, reason=reason, through=through, **_with(answers))
    return _correction(path, content, if_match, key)


def redo(  # noqa: PLR0913 - the parts of a correction
    session: str,
    number: int,
    *,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    reason: str | None = None,
    answers: Answers | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Corrected]:
    """Put back what an undo took out, whole."""
    content = body(mode=mode, dry_run=dry_run, reason=reason, **_with(answers))
    return _correction(path_of(session, "actions", number, "redo"), content, if_match, key)


def amend(  # noqa: PLR0913 - the parts of a correction
    session: str,
    number: int,
    command: Command | None = None,
    *,
    answers: Sequence[Command] | None = None,
    dice: Sequence[int] | None = None,
    text: str | None = None,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    reason: str | None = None,
    later_answers: Answers | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Corrected]:
    """Change what an action was: another command, other answers, or only other faces of typed dice."""
    content = body(
        command=command,
        answers=answers,
        dice=dice,
        text=text,
        mode=mode,
        dry_run=dry_run,
        reason=reason,
        **_with(later_answers),
    )
    return _correction(path_of(session, "actions", number, "amend"), content, if_match, key)


def fork(
    session: str,
    at: int,
    title: str,
    *,
    kind: Literal["fork", "sequel"] | None = None,
    key: str | None = None,
) -> Call[Opened]:
    """A new session that begins as this one was after an action: what if, or next week's (`sequel`)."""
    content = body(at=at, title=title, **({"as": kind} if kind else {}))
    return Call(method="POST", path=path_of(session, "forks"), read=reading(Opened), content=content, key=key)


def request_undo(
    session: str, number: int, *, reason: str | None = None, key: str | None = None
) -> Call[Accepted]:
    """Ask the game master to take an action out."""
    content = body(target=number, reason=reason)
    return Call(
        method="POST",
        path=path_of(session, "undo-requests"),
        read=reading(Accepted),
        content=content,
        key=key,
    )


def _with(answers: Answers | None) -> dict[str, Answers]:
    return {} if answers is None else {"with": answers}


def _correction(path: str, content: bytes, if_match: int | None, key: str | None) -> Call[Corrected]:
    return Call(
        method="POST", path=path, read=reading(Corrected), content=content, if_match=if_match, key=key
    )
