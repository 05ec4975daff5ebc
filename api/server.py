"""The server process: one uvicorn worker, since one process writes a database."""

from __future__ import annotations

import uvicorn

from api.app import create_app
from api.settings import ServerSettings
from eventlog.sqlite import SqliteStore

SECONDS_TO_FINISH = 10
"""How long open requests may take to end when the server is asked to stop."""


def serve(settings: ServerSettings) -> None:
    """Serve until interrupted. What was accepted by then is stored before it ends.

    Raises `DatabaseInUse`, `DatabaseNewer` or `StoreUnusable`; a port that is taken ends the process, said by
    uvicorn.
    """
    # Opened once before, so that what is wrong with the file is said by whoever started the server.
    SqliteStore.open(settings.db).close()
    uvicorn.Server(server_config(settings)).run()


def server_config(settings: ServerSettings) -> uvicorn.Config:
    """How uvicorn is set up: quiet, since the application writes its own line for each request."""
    return uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        log_level="error",
        server_header=False,
        date_header=True,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        h11_max_incomplete_event_size=64 * 1024,
    )
