"""What a correction did to history, or would do; and what a player asked the game master to undo."""

from __future__ import annotations

from typing import Any

import msgspec

from tabletape.client.shapes.events import Event
from tabletape.client.shapes.table import Choice


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a JSON Patch (RFC 6902)."""

    op: str
    path: str
    from_: str | None = msgspec.field(name="from", default=None)
    value: Any = None


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """How one table became another: `patch` for programs, `lines` in words; `from_` and `to` are actions."""

    from_: int = msgspec.field(name="from")
    to: int
    patch: tuple[Operation, ...]
    lines: tuple[str, ...]


class Touched(msgspec.Struct, frozen=True, kw_only=True):
    """An action a correction touches, its line in the timeline, and the line it would have: what it `becomes`.

    `outcome` is `undone`, `redone`, `amended` or `inserted` for what was asked for, `changes` or `falls` for what
    follows from it, `open` where it depends on dice that would be thrown.
    """

    action: int
    outcome: str
    line: str | None = None
    becomes: str | None = None
    before: int | None = None
    after: int | None = None
    code: str | None = None
    message: str = ""
    dropped: tuple[int, ...] = ()
    replaced: bool = False
    purpose: str | None = None
    dice: tuple[int | None, ...] = ()


class Corrected(msgspec.Struct, frozen=True, kw_only=True):
    """An undo, redo, amendment or insertion.

    Recorded, it has its `action`, `head_hash`, `events` and `choices` as any action. After a dry run it has
    `targets`, `consequences` and the `difference` of the tables instead (`None` where dice would be thrown), and
    nothing was recorded.
    """

    version: int
    dry_run: bool = False
    action: int | None = None
    head_hash: str | None = None
    events: tuple[Event, ...] = ()
    choices: tuple[Choice, ...] = ()
    ignored: bool = False
    targets: tuple[Touched, ...] = ()
    consequences: tuple[Touched, ...] = ()
    difference: Difference | None = None


class OpenUndoRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The undo a player asked for: the action it was asked as, its target, who asks."""

    number: int
    target: int
    by: str


class UndoRequests(msgspec.Struct, frozen=True, kw_only=True):
    """The request that waits for the game master, one at a time; `None` where none does."""

    request: OpenUndoRequest | None
    version: int
