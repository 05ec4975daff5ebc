"""The first line of a copy; every other line is a frame of one event."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from eventlog.envelope import By
from eventlog.frames import Hash, Number
from rulesets.writing import END

FORMAT = 1
"""The number of this form of copy; a higher one was written by a newer version."""

COMPLETE_FOR = ("gm", "admin")
"""Who gets every event: a table's own GM, and who keeps the server. Only such a copy can be taken in."""

SessionId = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9_-]{0,63}" + END)]


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line: which log this is a copy of, how far it goes, and for whom it was made.

    `log` is the id of a fork's first session, at which the chain begins; left out where that is `session`.
    """

    tabletape: Annotated[int, msgspec.Meta(ge=1)]
    session: SessionId
    log: SessionId | None = None
    ruleset: str
    rules: int
    title: str
    version: Number
    head_hash: Hash
    copy: Literal["complete", "redacted"]
    exported_for: By
