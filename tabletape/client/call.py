"""A call of the API as a value: made once, sent by either client."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec

T = TypeVar("T")

JSON = "application/json"
LINES = "application/x-ndjson"

Parameters = Mapping[str, str | int | float | bool | None]
"""The query of a call; what is `None` is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[T]):
    """What is asked of the server, and how its answer is read.

    `read` takes the body of a good answer. `repeatable` says that sending it twice does what sending it once
    does, so that it may be sent again when the connection broke before the answer; a POST is made so by its
    key, which is drawn for each sending where none is given.
    """

    method: str
    path: str
    read: Callable[[bytes], T]
    params: Parameters = field(default_factory=dict)
    content: bytes | None = None
    media_type: str = JSON
    key: str | None = None
    if_match: int | None = None
    repeatable: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)


def reading(shape: type[T]) -> Callable[[bytes], T]:
    """How an answer of this shape is read. Fields this version does not know are left out."""
    return msgspec.json.Decoder(shape).decode


def path_of(session: str, *parts: str | int) -> str:
    """The path of a part of a session."""
    return "/".join(("/sessions", *(quote(str(part), safe="") for part in (session, *parts))))


def body(**given: Any) -> bytes:
    """A JSON body of what was given; what is `None` is left out."""
    return msgspec.json.encode({name: value for name, value in given.items() if value is not None})


def joined(names: Sequence[str]) -> str | None:
    """Names as a query takes them; a plain string is one of them."""
    return names if isinstance(names, str) else ",".join(names) or None
