"""For whoever runs the server: whether it lives, whether it can store, how it is doing."""

from __future__ import annotations

import asyncio
from importlib.metadata import version

import msgspec
from litestar import get

from api.answers import Answer, answer
from api.desk import desk_of
from api.metrics import CONTENT_TYPE, Metrics
from api.seats import Asked


class Welcome(msgspec.Struct, frozen=True, kw_only=True):
    """What answers here, and where to go on."""

    name: str
    version: str
    links: dict[str, str]


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """How the server is."""

    status: str


@get("/", tags=["operators"])
async def welcome() -> Answer[Welcome]:
    """What this is."""
    links = {"schema": "/schema", "rulesets": "/rulesets", "sessions": "/sessions", "health": "/health"}
    return answer(Welcome(name="Tabletape", version=version("tabletape"), links=links), cache="no-cache")


@get("/health", tags=["operators"])
async def health() -> Answer[Condition]:
    """Whether the process answers."""
    return answer(Condition(status="ok"), cache="no-store")


@get("/ready", tags=["operators"])
async def ready(request: Asked) -> Answer[Condition]:
    """Whether an action sent now would be stored: the disk is asked. 503 says what to do."""
    await asyncio.to_thread(desk_of(request).store.ready)
    return answer(Condition(status="ready"), cache="no-store")


@get("/metrics", media_type="text/plain", tags=["operators"])
async def metrics(request: Asked) -> Answer[bytes]:
    """Counts and times of requests, as Prometheus reads them."""
    measured: Metrics = request.app.state.metrics
    headers = [(b"content-type", CONTENT_TYPE.encode()), (b"cache-control", b"no-store")]
    return Answer(measured.text(), 200, headers)
