"""How a server process is set up: one uvicorn worker, since one process writes a database."""

from __future__ import annotations

import gc

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.app import create_app
from api.feeds.feed import CUT
from api.settings import ServerSettings

try:
    import resource
except ImportError:  # there is none on Windows, and no such limit
    resource = None  # type: ignore[assignment]  # as above

MOST_FILES = 65_536

SECONDS_TO_FINISH = 10
"""How long open requests may take to end when the server is asked to stop."""


def collect_seldom() -> None:
    """Let the garbage collector look at what lives long less often: a server makes much that dies young.

    What was loaded so far is never looked at again, and a full look comes after many small ones.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def take_all_files_allowed() -> None:
    """Let the process hold as many connections as it may: every open feed is one, and each takes a file."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < MOST_FILES and (soft < hard or hard == resource.RLIM_INFINITY):
            most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Connection(HttpToolsProtocol):
    """A connection the application can cut off. Without that, closing it would wait for a reader who does not read."""

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self.scope["extensions"] = {CUT: {"now": self.transport.abort}}


def server_config(settings: ServerSettings) -> uvicorn.Config:
    """How uvicorn is set up: quiet, since the application writes its own line for each request."""
    return uvicorn.Config(
        create_app(settings, writes_apart=settings.db != ":memory:"),
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        log_level="error",
        server_header=False,
        date_header=True,
        http=Connection,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        h11_max_incomplete_event_size=64 * 1024,
    )
