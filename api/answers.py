"""Answers: structs to bytes once, with the headers that keep private things private."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from litestar import Response

from api.body import JSON
from api.headers import etag, unchanged

T = TypeVar("T")

PRIVATE = "private, no-cache"
"""For one reader: no shared cache keeps it, and its own asks again before it shows it."""
UNKEPT = "private, no-store"

encode = msgspec.json.Encoder().encode


def answer(
    document: T, *, status: int = 200, version: int | None = None, cache: str = UNKEPT, replayed: bool = False
) -> Response[T]:
    """A document as a JSON answer. `version` becomes its ETag; `replayed` marks the repeat of an earlier one."""
    named = {"Cache-Control": cache}
    if replayed:
        named["Idempotent-Replayed"] = "true"
    if version is not None:
        named["ETag"] = etag(version)
        named["Vary"] = "Authorization"
    # The document is encoded here, so that litestar has nothing left to do; the type stays for the schema.
    body: Any = encode(document)
    return Response(body, status_code=status, media_type=JSON, headers=named)


def answer_unless_known(document: Any, version: int, if_none_match: str | None) -> Response[Any]:
    """A document that can be asked for again: 304 and nothing when the reader has this version."""
    if unchanged(if_none_match, version):
        headers = {"ETag": etag(version), "Vary": "Authorization", "Cache-Control": PRIVATE}
        return Response(None, status_code=304, headers=headers)
    return answer(document, version=version, cache=PRIVATE)
