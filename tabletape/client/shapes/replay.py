"""A replay: the session told again."""

from __future__ import annotations

from typing import Any

import msgspec

from tabletape.client.shapes.timeline import Entry


class ReplayFrame(msgspec.Struct, frozen=True, kw_only=True):
    """One action of a replay: when it was taken, its line and entry in the timeline, and the table right after it.

    `version` is the session's last `seq` at that point; of the history as it stands, that of today. `state_hash`
    is the SHA-256 of `state`.
    """

    action: int
    at: str
    line: str
    entry: Entry
    version: int
    state: dict[str, Any]
    state_hash: str
