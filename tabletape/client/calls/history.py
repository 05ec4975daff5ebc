"""Undo, redo, amend, put in what was forgotten, and what might have been."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from tabletape.client.call import Call, body, path_of, reading
from tabletape.client.calls.acting import Command
from tabletape.client.shapes.corrections import Corrected, UndoRequests
from tabletape.client.shapes.events import Accepted
from tabletape.client.shapes.sessions import Opened

Mode: TypeAlias = Literal["strict", "rebase", "cascade"]
"""What becomes of later actions a correction touches: refuse it, take them along changed, or take them out."""

Others: TypeAlias = Sequence[Mapping[str, Any]]
"""What later actions go on with where the correction changes them: `[{"action": 7, "answers": […]}]`."""


def undo(  # noqa: PLR0913 - the parts of a correction
    session: str,
    number: int | None = None,
    *,
    through: bool | None = None,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    reason: str | None = None,
    others: Others | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Corrected]:
    """Take an action out of the story, the last one where no number is given; `through`, all after it too.

    Raises `history-conflict` where `strict` would touch later actions; its field `touched` lists them.
    """
    path = path_of(session, "undo") if number is None else path_of(session, "actions", number, "undo")
    content = _meant(mode, reason, others, dry_run=dry_run, through=through)
    return _correction(path, content, if_match, key)


def redo(  # noqa: PLR0913 - the parts of a correction
    session: str,
    number: int,
    *,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    reason: str | None = None,
    others: Others | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Corrected]:
    """Bring an undone action back, by taking back the correction that took it out."""
    path = path_of(session, "actions", number, "redo")
    return _correction(path, _meant(mode, reason, others, dry_run=dry_run), if_match, key)


def amend(  # noqa: PLR0913 - the parts of a correction
    session: str,
    number: int,
    command: Command | None = None,
    *,
    answers: Sequence[Command] | None = None,
    dice: Sequence[int] | None = None,
    text: str | None = None,
    overrule: Sequence[str] | None = None,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    reason: str | None = None,
    others: Others | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Corrected]:
    """Let an action go on otherwise: another command, other answers, or only other faces of typed dice."""
    content = _meant(
        mode, reason, others,
        dry_run=dry_run, command=command, answers=answers, dice=dice, text=text, overrule=overrule,
    )  # fmt: skip
    return _correction(path_of(session, "actions", number, "amend"), content, if_match, key)


def insert(  # noqa: PLR0913 - the parts of a correction
    session: str,
    before: int,
    command: Command,
    *,
    answers: Sequence[Command] | None = None,
    dice: Sequence[int] | None = None,
    text: str | None = None,
    overrule: Sequence[str] | None = None,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    others: Others | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Corrected]:
    """Put a forgotten action into the story, right before another."""
    content = _meant(
        mode, None, others,
        dry_run=dry_run, before=before, command=command, answers=answers, dice=dice, text=text, overrule=overrule,
    )  # fmt: skip
    return _correction(path_of(session, "actions"), content, if_match, key)


def undo_requests(session: str) -> Call[UndoRequests]:
    """What a player asked the game master to undo, where it waits for an answer."""
    return Call(method="GET", path=path_of(session, "undo-requests"), read=reading(UndoRequests))


def ask_for_undo(
    session: str,
    target: int,
    *,
    reason: str | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Accepted]:
    """Ask the game master to undo an action, as a player."""
    return Call(
        method="POST",
        path=path_of(session, "undo-requests"),
        read=reading(Accepted),
        content=body(target=target, reason=reason),
        if_match=if_match,
        key=key,
    )


def settle_undo_request(  # noqa: PLR0913 - the parts of a correction
    session: str,
    number: int,
    verdict: Literal["approve", "deny", "cancel"],
    *,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    reason: str | None = None,
    others: Others | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Corrected]:
    """Approve or deny a request as the game master, or cancel one's own."""
    path = path_of(session, "undo-requests", number, verdict)
    return _correction(path, _meant(mode, reason, others, dry_run=dry_run), if_match, key)


def fork(
    session: str,
    at: int | None = None,
    *,
    title: str | None = None,
    kind: Literal["fork", "sequel"] | None = None,
    key: str | None = None,
) -> Call[Opened]:
    """A new session that begins as this one was after an action (the last when left out): what if, or a `sequel`.

    Its answer holds the token of its game master: go on with `client.with_token(…)`.
    """
    content = body(at=at, title=title, **({"as": kind} if kind else {}))
    return Call(method="POST", path=path_of(session, "forks"), read=reading(Opened), content=content, key=key)


def _meant(
    mode: Mode | None, reason: str | None, others: Others | None, *, dry_run: bool | None, **parts: Any
) -> bytes:
    """The body of a correction: its own parts, and how it is meant."""
    return body(mode=mode, dry_run=dry_run, reason=reason, **{"with": others}, **parts)


def _correction(path: str, content: bytes, if_match: int | None, key: str | None) -> Call[Corrected]:
    return Call(
        method="POST", path=path, read=reading(Corrected), content=content, if_match=if_match, key=key
    )
