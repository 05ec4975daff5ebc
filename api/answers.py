"""Answers: structs to bytes once, with the headers that keep private things private."""

from __future__ import annotations

from typing import Any, Self, TypeVar, cast

import msgspec
from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from api.headers import etag, unchanged

T = TypeVar("T")

PRIVATE = "private, no-cache"
"""For one reader: no shared cache keeps it, and its own asks again before it shows it."""
UNKEPT = "private, no-store"

encode = msgspec.json.Encoder().encode


class Spelled:
    """The JSON of values that come back as the same objects, such as choices that forms remember: encoded once.

    Each is kept with its JSON, so that no other object can take its place; when there are too many, all go.
    """

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._kept: dict[int, tuple[object, msgspec.Raw]] = {}

    def spelled(self, value: T) -> T:
        """The JSON of the value, to stand in its place in an answer."""
        kept = self._kept.get(id(value))
        if kept is None:
            if len(self._kept) >= self._most:
                self._kept.clear()
            kept = self._kept[id(value)] = value, msgspec.Raw(encode(value))
        return cast("T", kept[1])


class Answer(Response[T]):
    """A finished answer: its bytes and raw headers go out as they are.

    litestar's own response builds its headers several times over, which costs as much as an empty route.
    """

    def __init__(self, body: bytes, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self._messages: tuple[Any, Any] = (
            {"type": "http.response.start", "status": status, "headers": headers},
            {"type": "http.response.body", "body": body, "more_body": False},
        )

    def also(self, name: bytes, value: bytes) -> Self:
        """The same with one more header."""
        self._messages[0]["headers"].append((name, value))
        return self

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:
        """Itself: it is one."""
        return self  # type: ignore[return-value]  # all litestar does with it is call it

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        del scope, receive
        for message in self._messages:
            await send(message)


def answer(
    document: T,
    *,
    status: int = 200,
    version: int | None = None,
    cache: str = UNKEPT,
    replayed: bool = False,
) -> Answer[T]:
    """A document as a JSON answer. `version` becomes its ETag; `replayed` marks the repeat of an earlier one."""
    body = encode(document)
    headers = _headers(version, cache)
    headers.append((b"content-type", b"application/json"))
    headers.append((b"content-length", b"%d" % len(body)))
    if replayed:
        headers.append((b"idempotent-replayed", b"true"))
    return Answer(body, status, headers)


def answer_unless_known(document: Any, version: int, if_none_match: str | None) -> Answer[Any]:
    """A document that can be asked for again: 304 and nothing when the reader has this version."""
    if unchanged(if_none_match, version):
        return Answer(b"", 304, _headers(version, PRIVATE))
    return answer(document, version=version, cache=PRIVATE)


def _headers(version: int | None, cache: str) -> list[tuple[bytes, bytes]]:
    headers = [(b"cache-control", cache.encode())]
    if version is not None:
        headers += (b"etag", etag(version).encode()), (b"vary", b"Authorization")
    return headers
