"""Copies: a session as a file, and back."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tabletape.client.call import LINES, Call, path_of, reading
from tabletape.client.shapes.sessions import Imported

Format: TypeAlias = Literal["jsonl", "csv", "markdown", "text"]


def export(session: str, *, format: Format | None = None) -> Call[bytes]:  # noqa: A002 - the API's own name
    """The session as a file: the log itself (`jsonl`), its dice (`csv`), or its story (`markdown`, `text`)."""
    return Call(method="GET", path=path_of(session, "export"), read=bytes, params={"format": format})


def import_session(
    copy: bytes, *, kind: Literal["fork"] | None = None, dry_run: bool | None = None, key: str | None = None
) -> Call[Imported]:
    """Take in a complete copy; with `dry_run` only say what would happen.

    As a `fork` it becomes a session of its own that goes on from the copy's end, whatever is here already.
    """
    return Call(
        method="POST",
        path="/sessions/import",
        read=reading(Imported),
        params={"dry_run": dry_run, "as": kind},
        content=copy,
        media_type=LINES,
        key=key,
    )
