"""Events as they leave a store: whole for whoever may see them, for others what keeps the chain and no more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypeAlias

import msgspec

from eventlog.audience import visible
from eventlog.canonical import canonical_copy
from eventlog.chain import digest
from eventlog.envelope import By, Envelope
from rulesets.people import Audience, Viewer
from rulesets.writing import END

Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}" + END)]
Salt = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}" + END)]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Count = Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
Moment = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z" + END)
]
"""A time as the recorder writes it: UTC to the microsecond, so that times compare as texts."""


class EventFrame(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event its reader may see. Where its words were removed, `data` is null and `digest` stands for it.

    Copies leave `position` out: it says where the event lies in one store, and nothing about the log.
    """

    seq: Count
    position: Number = 0
    session: str
    action: Number
    slot: Count | None
    revision: Count
    type: str
    v: Count
    at: Moment
    by: By
    audience: Audience
    data: msgspec.Raw
    hash: Hash
    salt: Salt | None = None
    digest: Hash | None = None
    redacted: bool = False


class HiddenFrame(msgspec.Struct, frozen=True, kw_only=True):
    """An event its reader may not see: it has a number and keeps the chain, and that is all."""

    seq: Number
    digest: Hash
    hash: Hash


Frame: TypeAlias = EventFrame | HiddenFrame


def event_frames(envelopes: Sequence[Envelope], viewer: Viewer) -> tuple[Frame, ...]:
    """Events of one session as this person may read them."""
    seen = {envelope.seq for envelope in visible(viewer, envelopes)}
    return tuple([shown(each) if each.seq in seen else hidden(each) for each in envelopes])


def shown(envelope: Envelope, *, placed: bool = True) -> EventFrame:
    """An event for somebody who may see it; `placed` says where in its store it lies."""
    redacted = envelope.data is None
    return EventFrame(
        seq=envelope.seq,
        position=envelope.position if placed else 0,
        session=envelope.session,
        action=envelope.action,
        slot=envelope.slot,
        revision=envelope.revision,
        type=envelope.type,
        v=envelope.v,
        at=envelope.at,
        by=envelope.by,
        audience=envelope.audience,
        data=msgspec.Raw(envelope.data or b"null"),
        hash=envelope.hash.hex(),
        salt=None if redacted or envelope.salt is None else envelope.salt.hex(),
        digest=digest(envelope).hex() if redacted else None,
        redacted=redacted,
    )


def hidden(envelope: Envelope) -> HiddenFrame:
    """An event for somebody who may not see it."""
    return HiddenFrame(seq=envelope.seq, digest=digest(envelope).hex(), hash=envelope.hash.hex())


def restored(frame: EventFrame) -> Envelope:
    """The event as it was stored.

    Raises `ValueError` where its words, salt and digest do not belong together, where nobody sits at a table in the
    role it was signed with, or where its time is in no calendar.
    """
    datetime.fromisoformat(frame.at)
    _ = frame.by.signer
    data = None if bytes(frame.data) == b"null" else canonical_copy(bytes(frame.data))
    if (data is None) != frame.redacted or (data is None) == (frame.digest is None):
        raise ValueError("an event has its data, or is redacted and has a digest")
    if (data is None) != (frame.salt is None):
        raise ValueError("an event with data has a salt, a redacted one has none")
    return Envelope(
        session=frame.session,
        seq=frame.seq,
        position=frame.position,
        action=frame.action,
        slot=frame.slot,
        revision=frame.revision,
        type=frame.type,
        v=frame.v,
        at=frame.at,
        by=frame.by,
        audience=frame.audience,
        data=data,
        salt=None if frame.salt is None else bytes.fromhex(frame.salt),
        digest=None if frame.digest is None else bytes.fromhex(frame.digest),
        hash=bytes.fromhex(frame.hash),
    )
