"""A bare feed: litestar's own Server-Sent Events, which send what they are given and know nothing of a log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
from litestar import get, post
from litestar.params import RequestBody
from litestar.response import ServerSentEvent, ServerSentEventMessage


class Frames(msgspec.Struct, frozen=True):
    """What everybody is sent: the cursors and the data of some frames."""

    frames: tuple[tuple[str, str], ...]


class Board:
    """Where the next frames are hung up."""

    def __init__(self) -> None:
        self.hung = asyncio.Event()
        self.frames: tuple[tuple[str, str], ...] = ()


BOARD = Board()


async def _told() -> AsyncIterator[ServerSentEventMessage]:
    yield ServerSentEventMessage(event="head", data="{}")
    while True:
        await BOARD.hung.wait()
        for cursor, data in BOARD.frames:
            yield ServerSentEventMessage(id=cursor, data=data)


@get("/bare")
async def bare_feed() -> ServerSentEvent:
    """Tell everybody what is hung up."""
    return ServerSentEvent(_told())


@post("/bare")
async def hang_up(data: RequestBody[Frames]) -> None:
    """Hang up the next frames."""
    BOARD.frames = data.frames
    BOARD.hung.set()
    BOARD.hung.clear()
