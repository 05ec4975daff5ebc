"""The process of a server: from the port that was taken to the last request that was answered."""

from __future__ import annotations

import signal
from collections.abc import Callable
from socket import socket

import uvicorn
from litestar import Litestar

from api.cli.exits import Ended, Exit
from api.demo import Demo, DemoDoor, prepared
from api.server import collect_seldom, server_config, take_all_files_allowed
from api.settings import ServerSettings
from eventlog.sqlite.store import SqliteStore

Announce = Callable[[Demo | None], None]


def run(settings: ServerSettings, listening: socket, announce: Announce, *, demo: bool) -> None:
    """Serve until told to stop; what was accepted by then is stored before it ends.

    `announce` is called once the server answers. Raises `DatabaseInUse`, `DatabaseNewer` or `StoreUnusable`.
    """
    # Opened once before, so that what is wrong with the file is said in one sentence.
    SqliteStore.open(settings.db).close()
    # uvicorn raises the signal that stopped it once more, and a server that stopped in good order has not failed.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    server = _Server(settings, announce, demo=demo)
    collect_seldom()
    take_all_files_allowed()
    server.run(sockets=[listening])
    if not server.started:
        raise Ended(
            "the server could not start: its database may just have been opened elsewhere", Exit.UNUSABLE
        )


class _Server(uvicorn.Server):
    """A server that says where it is, and has the demo ready when it should."""

    def __init__(self, settings: ServerSettings, announce: Announce, *, demo: bool) -> None:
        config = server_config(settings)
        assert isinstance(config.app, Litestar)  # noqa: S101 - for the type checker
        self._state = config.app.state
        self._door = DemoDoor(config.app) if demo and settings.on_loopback else None
        self._announce = announce
        self._demo = demo
        config.app = self._door or config.app
        super().__init__(config)

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if not self.started:
            return
        found = await prepared(self._state.desk) if self._demo else None
        if found is not None and self._door is not None:
            self._door.token = found.reader_token
        self._announce(found)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop. Feeds never end by themselves, so they are told first."""
        self._state.desk.feeds.stop()
        await super().shutdown(sockets)
