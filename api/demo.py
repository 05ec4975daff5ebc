"""The demo: one finished evening to look at, played into the database when a server starts with `--demo`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar
from litestar.types import ASGIApp, Receive, Scope, Send

from api.desk import Desk
from api.scenes.aside import play_in
from api.scenes.reading import read_scene
from eventlog.errors import SessionExists, SessionUnknown
from eventlog.store import Conflict
from projections.entries import Entry
from projections.story import every_entry
from rulesets.people import OBSERVER

SESSION = "demo"
"""The id of the demo's session, the same in every database, so that its links can be kept."""

SCENE = "caravan.toml"
READER = "demo reader"
READS = frozenset({"GET", "HEAD"})


class Demo(msgspec.Struct, frozen=True, kw_only=True):
    """The demo as it stands in a database.

    `midway` is the entry in the middle of its story, `last` the one at its end. Both tokens are new with every
    start; those of the start before stop working.
    """

    midway: Entry
    last: Entry
    reader_token: str
    gm_token: str


def scene_file() -> Path:
    """The demo's scene: beside the code where it is installed, among the fixtures in a checkout."""
    installed = Path(__file__).with_name("scenes") / SCENE
    return (
        installed if installed.is_file() else Path(__file__).parents[1] / "fixtures" / "anima_prime" / SCENE
    )


async def prepared(desk: Desk) -> Demo:
    """The demo of a running server; it is played in, whole, when it is not there yet."""
    try:
        await desk.recorder.tape(SESSION)
    except SessionUnknown:
        await _play(desk)
    story = await asyncio.to_thread(list, every_entry(desk.store, SESSION, OBSERVER))
    async with desk.tokens.writing:
        return Demo(
            midway=story[len(story) // 2],
            last=story[-1],
            reader_token=desk.tokens.issue(SESSION, "observer", READER).secret,
            gm_token=desk.tokens.issue(SESSION, "gm", "gm").secret,
        )


async def _play(desk: Desk) -> None:
    outcome = await play_in(desk.recorder, read_scene(scene_file()), SESSION)
    if isinstance(outcome, Conflict):
        raise SessionExists(
            "The demo was removed from this database, and its id is not used again: leave --demo out, or name "
            "another database with --db",
            session=SESSION,
        )


class DemoDoor:
    """Shows the demo to a browser on this machine, which cannot send a token: it looks on as an observer.

    Wraps the whole application. Only reading, only the demo's session, only without a token of one's own.
    Until the demo is there, nobody is let in this way.
    """

    def __init__(self, app: Litestar) -> None:
        self._app: ASGIApp = app
        self.token = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through, with the observer's token where it may have it."""
        if self.token and _looks_at_the_demo(scope):
            header = (b"authorization", f"Bearer {self.token}".encode())
            scope["headers"] = [*scope["headers"], header]
        await self._app(scope, receive, send)


def _looks_at_the_demo(scope: Any) -> bool:
    if scope["type"] != "http" or scope["method"] not in READS:
        return False
    path = f"/sessions/{SESSION}"
    asks = scope["path"] == path or scope["path"].startswith(f"{path}/")
    return asks and all(name != b"authorization" for name, _ in scope["headers"])
