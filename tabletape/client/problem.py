"""The one exception of this client: a refusal of the server, or no server at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

OWN = frozenset({"type", "title", "status", "code", "detail", "version", "overrulable"})
"""What every problem document has; all else of it are the fields of its code."""


class Problem(Exception):
    """The server understood and said no, or could not be reached; nothing was recorded by this request.

    `code` is the stable word to decide by (docs/errors.md), `message` the sentence for the person at the table,
    `status` the HTTP status (0 where nobody answered). `version` is where the session stands, where there is
    one; `overrulable` whether the GM may pass over a rule's refusal; `fields` the particulars of the code.
    """

    def __init__(  # noqa: PLR0913 - the members of a problem document
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        version: int | None = None,
        overrulable: bool | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.status = status
        self.version = version
        self.overrulable = overrulable
        self.fields: Mapping[str, Any] = fields or {}


class Unreachable(Problem):
    """Nobody answers at the address (`unreachable`), or no Tabletape server does (`not-a-server`).

    Of a request that was sent before the connection broke it is not known whether it was recorded: send it
    again with the same key.
    """


class _Document(msgspec.Struct, frozen=True, kw_only=True):
    """A problem document (RFC 9457) as the server writes it."""

    code: str
    detail: str = ""
    version: int | None = None
    overrulable: bool | None = None


def problem_of(status: int, body: bytes) -> Problem | None:
    """The refusal an answer holds; `None` where it is no problem document of ours."""
    try:
        document = msgspec.json.decode(body, type=_Document)
        said: dict[str, Any] = msgspec.json.decode(body)
    except msgspec.MsgspecError:
        return None
    return Problem(
        document.code,
        document.detail or document.code,
        status=status,
        version=document.version,
        overrulable=document.overrulable,
        fields={name: value for name, value in said.items() if name not in OWN},
    )
