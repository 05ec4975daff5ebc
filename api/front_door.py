"""The front door: what happens to every request before and after the routes, once and in plain ASGI.

It refuses a `Host` that is not ours, answers browsers of other origins, answers `HEAD` as `GET` without its body,
numbers the request, and writes one line and one measurement when it is answered. Nothing of a body, a token, a seed or a die passes into the line.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from api.faults import HostUnknown
from api.metrics import Metrics
from api.problems import MEDIA_TYPE, place, problem_of
from api.settings import ServerSettings

if TYPE_CHECKING:
    from api.seats import Seat

Headers = Iterable[tuple[bytes, bytes]]

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_PROCESS = secrets.token_hex(4).encode()
_NUMBERS = count(1)
"""Request ids name this process and count on: unlike anybody else's, and cheaper than chance for each."""
_EXPOSED = b"ETag, Idempotent-Replayed, Preference-Applied, X-Request-Id, Retry-After"
_ALLOWING = frozenset({204, 405})
"""Answers that may list the methods of a path."""
_PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, POST, PATCH, DELETE"),
    (
        b"access-control-allow-headers",
        b"authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer",
    ),
    (b"access-control-max-age", b"600"),
    (b"vary", b"Origin"),
]


class Log(Protocol):
    """Takes one line for each request."""

    def info(self, event: str, **fields: Any) -> Any:
        """Write it."""
        ...


class FrontDoor:
    """Wraps the whole application."""

    __slots__ = ("_app", "_hosts", "_log", "_metrics", "_origins", "_settings")

    def __init__(self, app: ASGIApp, settings: ServerSettings, log: Log | None, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._log = log
        self._metrics = metrics
        self._hosts: dict[bytes, bool] = {}
        self._origins = frozenset(origin.encode() for origin in settings.allowed_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        host, origin, request_id = _asked(scope["headers"])
        method = scope["method"]
        visit = _Visit(send, request_id, self._cors(origin), head=method == "HEAD")
        if method == "HEAD":
            # The server keeps its own, so as to send no body; a feed needs to know, since it would never end.
            asked: Any = {**scope, "method": "GET", "tabletape_head": True}
            scope = asked
        try:
            if not self._is_ours(host):
                await visit.answer_problem(
                    scope, HostUnknown("This server does not go by that name: check the address")
                )
            elif origin and method == "OPTIONS":
                await visit.answer(204, _PREFLIGHT if origin in self._origins else [])
            else:
                await self._app(scope, receive, visit.send)
        except Exception as error:
            scope["tabletape_fault"] = place(error)  # type: ignore[typeddict-unknown-key]  # for the line
            raise
        finally:
            self._note(scope, method, visit, perf_counter() - started)

    def _is_ours(self, host: bytes) -> bool:
        known = self._hosts.get(host)
        if known is None:
            known = self._settings.knows_host(host.decode("latin-1"))
            if known:  # names that are not ours are not worth remembering
                self._hosts[host] = known
        return known

    def _cors(self, origin: bytes) -> list[tuple[bytes, bytes]]:
        if not self._origins or origin not in self._origins:
            return []
        return [(b"access-control-allow-origin", origin), (b"access-control-expose-headers", _EXPOSED)]

    def _note(self, scope: Any, method: str, visit: _Visit, seconds: float) -> None:
        route = scope.get("path_template") or "unmatched"
        feed = scope.get("tabletape_feed", {})
        self._metrics.answered(method, route, visit.status, None if feed else seconds)
        if self._log is None:
            return
        seat: Seat | None = scope.get("user")
        self._log.info(
            "request",
            method=method,
            route=route,
            status=visit.status,
            duration_ms=round(seconds * 1000, 3),
            session=scope["path_params"].get("session") if seat and scope.get("path_params") else None,
            role=seat.role if seat else None,
            action=scope.get("tabletape_action"),
            code=scope.get("tabletape_code"),
            request_id=visit.request_id.decode(),
            **feed,
            **({"fault": scope["tabletape_fault"]} if "tabletape_fault" in scope else {}),
        )


class _Visit:
    """One request on its way out: remembers the status and puts the common headers on.

    With `head` the answer ends after its headers; a stream then stops as if its reader had left.
    """

    __slots__ = ("_cors", "_head", "_send", "request_id", "status")

    def __init__(self, send: Send, request_id: bytes, cors: list[tuple[bytes, bytes]], *, head: bool) -> None:
        self._send = send
        self._cors = cors
        self._head = head
        self.request_id = request_id
        self.status = 500

    async def send(self, message: Message) -> None:
        """Pass a message on."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [
                *(map(_with_head, message["headers"]) if self.status in _ALLOWING else message["headers"]),
                (b"x-request-id", self.request_id),
                (b"x-content-type-options", b"nosniff"),
                *self._cors,
            ]
            await self._send(message)
            if self._head:
                await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        elif not self._head:
            await self._send(message)

    async def answer(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes = b"") -> None:
        """Answer here, without the application."""
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body, "more_body": False})

    async def answer_problem(self, scope: Any, error: Exception) -> None:
        """Answer with a problem."""
        status, document = problem_of(error)
        scope["tabletape_code"] = document["code"]
        body = msgspec.json.encode(document)
        length = (b"content-length", str(len(body)).encode())
        await self.answer(status, [(b"content-type", MEDIA_TYPE.encode()), length], body)


def _with_head(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """What a path allows, with `HEAD` where it allows `GET`."""
    name, value = header
    allows = name.lower() == b"allow" and b"GET" in value
    return (name, value.replace(b"GET", b"GET, HEAD")) if allows else header


def _asked(headers: Headers) -> tuple[bytes, bytes, bytes]:
    """The host, the origin and the request id; a request that brings no usable id gets one."""
    host = origin = request_id = b""
    for name, value in headers:
        if name == b"host":
            host = value
        elif name == b"origin":
            origin = value
        elif name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
            request_id = value
    return host, origin, request_id or b"%b-%x" % (_PROCESS, next(_NUMBERS))
