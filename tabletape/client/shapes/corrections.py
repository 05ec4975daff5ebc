"""What a correction did to history, or would do."""

from __future__ import annotations

from typing import Any

import msgspec

from tabletape.client.shapes.events import Event
from tabletape.client.shapes.table import Choice


class Corrected(msgspec.Struct, frozen=True, kw_only=True):
    """An undo, redo, amendment or insertion; after a dry run what it would be, and nothing was recorded.

    `touched` lists the later places in the story that change or fall, `diff` the table before and after.
    """

    version: int
    action: int | None = None
    head_hash: str | None = None
    events: tuple[Event, ...] = ()
    choices: tuple[Choice, ...] = ()
    touched: tuple[dict[str, Any], ...] = ()
    diff: Any = None
    dry_run: bool = False
