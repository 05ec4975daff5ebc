"""Frames: what a feed says, beside the events themselves."""

from __future__ import annotations

from typing import Literal

import msgspec

from eventlog.frames import EventFrame
from projections.feeds import Change
from projections.table import TableDocument

Kind = Literal["head", "event", "state", "patch", "heartbeat", "closed", "bye"]
"""What a frame is. Events come without a name in Server-Sent Events, so that `onmessage` hears them."""


class SessionHead(msgspec.Struct, frozen=True, kw_only=True):
    """The first frame of a session's feed: where the session stands, and after which cursor this feed goes on.

    `version` is its last `seq` and `head_hash` the receipt of everything up to it. `state_hash` is that of the
    table the reader sees now; null where the session's ruleset is not installed.
    """

    session: str
    after: str
    head: str
    version: int
    action: int
    head_hash: str
    closed: bool
    state_hash: str | None


class StoreHead(msgspec.Struct, frozen=True, kw_only=True):
    """The first frame of the feed of all sessions: where the log of the server ends, and where this feed goes on."""

    after: str
    head: str
    position: int
    head_hash: str | None


class Heartbeat(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing to tell, and everything up to this cursor was looked at: go on from here after a break."""

    cursor: str


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """The last frame of a session that was closed: there is nothing more to come, do not come back."""

    session: str
    version: int
    head_hash: str


class Bye(msgspec.Struct, frozen=True, kw_only=True):
    """The last frame before the server hangs up, and why.

    `stopping`: come back after `retry` milliseconds, with the last cursor. `revoked`: the token was taken away.
    `removed`: the session is gone. `broken`: the log cannot be told; the server's own log says why.
    """

    reason: Literal["stopping", "revoked", "removed", "broken"]
    retry: int | None = None


class CloudEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event in the form of CloudEvents 1.0, JSON format; `data` is the event as every other route shows it.

    `source` and `id` together name it once and for all; `subject` is the action it belongs to.
    """

    specversion: Literal["1.0"] = "1.0"
    id: str
    source: str
    type: str
    subject: str
    time: str
    datacontenttype: Literal["application/json"] = "application/json"
    data: EventFrame


FRAMES: dict[Kind, tuple[type[msgspec.Struct], ...]] = {
    "head": (SessionHead, StoreHead),
    "event": (EventFrame, CloudEvent),
    "state": (TableDocument,),
    "patch": (Change,),
    "heartbeat": (Heartbeat,),
    "closed": (Closed,),
    "bye": (Bye,),
}
"""What each kind of frame carries."""


def cloud_event(frame: EventFrame) -> CloudEvent:
    """An event as a CloudEvent."""
    return CloudEvent(
        id=str(frame.seq),
        source=f"/sessions/{frame.session}",
        type=frame.type,
        subject=f"actions/{frame.action}",
        time=frame.at,
        data=frame,
    )
