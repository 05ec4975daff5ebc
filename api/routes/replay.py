"""Replay: a session told again, action by action, at the pace it was played or another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import dropwhile, islice
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from litestar import Response, get
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream

from api.answers import UNKEPT, encode
from api.desk import desk_of
from api.pace import pause
from api.problems import place
from api.routes.table import MOST, At
from api.seats import READS, Asked, at_the_table, is_seated_still
from eventlog.errors import SessionUnknown
from projections.replay import ReplayFrame, replay

SERVER_SENT = "text/event-stream"
HEARTBEAT = 10
"""Seconds after which a waiting replay shows that it is still there."""
AT_ONCE = 32
"""Frames made together where nobody waits between them."""

From: TypeAlias = Annotated[
    int, QueryParameter(name="from", ge=0, le=MOST, description="The number of the first action to tell")
]
Speed: TypeAlias = Annotated[
    float,
    QueryParameter(
        ge=0,
        le=100,
        description="0 tells everything at once, 1 as it was played (a pause counts as 10 seconds at most), 2 twice "
        "as fast",
    ),
]
Corrected: TypeAlias = Annotated[
    bool,
    QueryParameter(
        description="The history as it stands now, without what was undone; else all actions and corrections as "
        "they were taken"
    ),
]
LastEventId: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID",
        description="The `id` of the last frame a reader got, to go on after it; after `end` there is nothing more",
    ),
]


class ReplayEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The last frame: how many there were, and why it ends.

    `done`: everything was told. `revoked`: the token was taken away meanwhile. `removed`: the session is gone.
    `broken`: the log cannot be told any further; the server's own log says why.
    """

    frames: int
    reason: Literal["done", "revoked", "removed", "broken"]


REPLAY: dict[str, type[msgspec.Struct]] = {"action": ReplayFrame, "end": ReplayEnd}
"""What the data of each kind of frame is."""


@get(
    "/sessions/{session:str}/replay",
    before_request=at_the_table(*READS),
    media_type=SERVER_SENT,
    tags=["log"],
)
async def replay_session(  # noqa: PLR0913, PLR0917 - from where to where, how fast, and in which telling
    request: Asked,
    session: FromPath[str],
    since: From = 0,
    to: At = None,
    speed: Speed = 0,
    corrected: Corrected = False,  # noqa: FBT002 - a query parameter
    last_event_id: LastEventId = None,
) -> Response[Any]:
    """The session again as Server-Sent Events: a frame for each action with its line and the table after it."""
    headers = {"Cache-Control": UNKEPT, "X-Accel-Buffering": "no"}
    if last_event_id == "end":
        return Response(b"", status_code=204, headers={"Cache-Control": UNKEPT})
    store, viewer = desk_of(request).store, request.user.viewer
    frames = await asyncio.to_thread(
        replay, store, session, viewer, first=since, last=to, corrected=corrected
    )
    if last_event_id is not None:
        frames = islice(dropwhile(lambda frame: str(frame.action) != last_event_id, frames), 1, None)
    request.scope["tabletape_feed"] = note = {"frames": 0, "ended": "left"}  # type: ignore[typeddict-unknown-key]  # for the log line
    return Stream(_told(request, frames, speed, note), media_type=SERVER_SENT, headers=headers)


async def _told(
    request: Asked, frames: Iterator[ReplayFrame], speed: float, note: dict[str, Any]
) -> AsyncIterator[bytes]:
    """The frames as they are sent, and the last one. Whoever leaves ends it wherever it is."""
    reason, before = "done", ""
    try:
        while batch := await asyncio.to_thread(_next, frames, 1 if speed else AT_ONCE):
            async for beat in _pause(before, batch[0].at, speed):
                yield beat
            if not is_seated_still(request):
                reason = "revoked"
                break
            yield b"".join(map(_spelled, batch))
            note["frames"] += len(batch)
            before = batch[-1].at
    except SessionUnknown:
        reason = "removed"
    except Exception as error:  # noqa: BLE001 - whatever broke: the reader is told, and the log says where
        reason = "broken"
        request.scope["tabletape_fault"] = place(error)  # type: ignore[typeddict-unknown-key]  # for the log line
    note["ended"] = reason
    yield _event("end", "end", msgspec.convert({"frames": note["frames"], "reason": reason}, ReplayEnd))


def _next(frames: Iterator[ReplayFrame], count: int) -> list[ReplayFrame]:
    return list(islice(frames, count))


async def _pause(before: str, at: str, speed: float) -> AsyncIterator[bytes]:
    """Wait as long as the table did; every now and then a line that says nothing."""
    left = pause(before, at, speed)
    while left > HEARTBEAT:
        await asyncio.sleep(HEARTBEAT)
        yield b": the table waits\n\n"
        left -= HEARTBEAT
    if left > 0:
        await asyncio.sleep(left)


def _spelled(frame: ReplayFrame) -> bytes:
    return _event("action", str(frame.action), frame)


def _event(name: str, number: str, document: msgspec.Struct) -> bytes:
    return b"event: %b\nid: %b\ndata: %b\n\n" % (name.encode(), number.encode(), encode(document))
