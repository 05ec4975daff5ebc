"""The desk: what one running server holds while it is open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from litestar import Litestar
from litestar.connection import ASGIConnection

from api.feeds.feeds import Feeds
from api.logs import logger
from api.metrics import Metrics
from api.settings import ServerSettings
from api.tokens import Tokens
from api.webhooks.addresses import Reach, networks
from api.webhooks.courier import Courier
from api.webhooks.sending import Post
from eventlog.recorder import Recorder
from eventlog.sqlite.apart import WriterProcess
from eventlog.sqlite.store import SqliteStore
from eventlog.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The store, the one recorder that writes it, who may come in, who listens, and who tells others."""

    settings: ServerSettings
    store: Store
    recorder: Recorder
    tokens: Tokens
    courier: Courier
    feeds: Feeds


@asynccontextmanager
async def open_desk(app: Litestar) -> AsyncIterator[None]:
    """Open the store when the server starts; store what is under way and close it when it stops."""
    settings: ServerSettings = app.state.settings
    store = await asyncio.to_thread(SqliteStore.open, settings.db)
    recorder = Recorder(store, await WriterProcess.start(store) if app.state.writes_apart else None)
    feeds = Feeds(store, recorder.announcer, settings, app.state.metrics)
    tokens = Tokens(store, settings.admin_key, feeds.revoked)
    courier = _courier(settings, store, app.state.metrics)
    recorder.announcer.listen(lambda _: courier.nudged.set())
    app.state.desk = Desk(
        settings=settings, store=store, recorder=recorder, tokens=tokens, feeds=feeds, courier=courier
    )
    feeds.start()
    courier.start()
    try:
        yield
    finally:
        await feeds.aclose()
        await courier.aclose()
        await recorder.aclose()
        await asyncio.to_thread(store.close)


def _courier(settings: ServerSettings, store: Store, metrics: Metrics) -> Courier:
    post = Post(Reach(allowed=networks(settings.webhook_networks)))
    return Courier(store, post, metrics=metrics, log=logger(settings.log))


def desk_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Desk:
    """The desk a request came to."""
    desk: Desk = connection.app.state.desk
    return desk
