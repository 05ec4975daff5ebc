"""Events as they are read, and what an accepted request leads to."""

from __future__ import annotations

from typing import Any

import msgspec

from tabletape.client.shapes.table import Choice


class By(msgspec.Struct, frozen=True, kw_only=True):
    """Who did it: a role (`gm`, `player`, `admin`), and the name they sit at the table under."""

    role: str
    name: str = ""


NOBODY = By(role="")


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of a session. Its number `seq` and its `hash` are for everybody.

    Of an event that is not for this reader there is a `digest` and nothing else: it is `hidden`. Where words
    were removed (`redacted`), `data` is `None`. Times are UTC, ISO 8601.
    """

    seq: int
    hash: str
    session: str = ""
    action: int = 0
    slot: int | None = None
    revision: int = 1
    type: str = ""
    v: int = 1
    at: str = ""
    by: By = NOBODY
    audience: tuple[str, ...] = ()
    data: dict[str, Any] | None = None
    position: int = 0
    salt: str | None = None
    digest: str | None = None
    redacted: bool = False

    @property
    def hidden(self) -> bool:
        """Whether this reader may know no more than that something happened."""
        return not self.type

    @property
    def cursor(self) -> str:
        """Where a reader stands who has seen everything up to this event."""
        return cursor(self.seq, self.hash)


class EventPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some events in order, the session's version, and the cursor of the next page."""

    events: tuple[Event, ...]
    version: int
    next: str


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """What a request led to: its events, and what can be done next.

    `version` is the last `seq` of the session, `head_hash` the receipt of everything up to it: keep it.
    `ignored` tells that there was nothing left to do, so that nothing was recorded.
    """

    action: int
    version: int
    head_hash: str
    events: tuple[Event, ...] = ()
    choices: tuple[Choice, ...] = ()
    ignored: bool = False


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """That an action is recorded, and no more: for a sender who asked for a receipt alone.

    `version` is the last `seq` of the session, `head_hash` the receipt of everything up to it: keep it.
    `ignored` tells that there was nothing left to do, so that nothing was recorded.
    """

    action: int
    version: int
    head_hash: str
    ignored: bool = False


def cursor(seq: int, hashed: str) -> str:
    """Where a reader stands: the number of an event and the first eight digits of its hash."""
    return f"{seq}.{hashed[:8]}" if seq else "0"
