"""The envelope: what the log keeps around every event, the same for every game."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from rulesets.people import Audience, Viewer


class By(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who did it: a role and the name they sit at the table under."""

    role: str
    name: str = ""

    @classmethod
    def viewer(cls, viewer: Viewer) -> By:
        """The signature of somebody who acts."""
        return cls(role=viewer.role, name=viewer.name)

    @property
    def signer(self) -> Viewer:
        """Whoever signed, as far as the log knows them: not which characters they played."""
        return _signer(self)


@lru_cache(maxsize=1024)
def _signer(by: By) -> Viewer:
    return msgspec.convert({"role": by.role, "name": by.name}, Viewer)


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """One event as stored.

    `seq` counts from 1 within the session without a gap; `position` orders all events of a store (0 before
    it is stored). `action` is the number of the accepted request that caused it; `slot` the place in the
    story it belongs to (the number of the action that made the slot), `None` for what has no place there;
    `revision` which content of the slot. `at` is UTC, ISO 8601 with microseconds. `data` is canonical JSON.
    After redaction `data` and `salt` are `None` and `digest` stands for them; otherwise `digest` is `None`.
    """

    session: str
    seq: int
    position: int = 0
    action: int
    slot: int | None
    revision: int
    type: str
    v: int
    at: str
    by: By
    audience: Audience
    data: bytes | None
    salt: bytes | None
    digest: bytes | None = None
    hash: bytes


def placed(events: Iterable[Envelope], position: int) -> tuple[Envelope, ...]:
    """Events as a store has them that put the first at this position."""
    return tuple([msgspec.structs.replace(event, position=at) for at, event in enumerate(events, position)])


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a stored event that folding needs; read by the thousand."""

    seq: int
    action: int
    slot: int | None
    revision: int
    type: str
    v: int
    at: str
    data: bytes | None
    hash: bytes


def row_of(envelope: Envelope) -> Row:
    """The part of an event that folding needs."""
    return Row(
        seq=envelope.seq,
        action=envelope.action,
        slot=envelope.slot,
        revision=envelope.revision,
        type=envelope.type,
        v=envelope.v,
        at=envelope.at,
        data=envelope.data,
        hash=envelope.hash,
    )
