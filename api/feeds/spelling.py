"""How frames are written: as Server-Sent Events, or as lines of JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from api.feeds.frames import Bye, Kind

Form = Literal["sse", "lines"]
Spelling: TypeAlias = Callable[[Kind, str, msgspec.Struct], bytes]
"""Writes one frame: its kind, the cursor right after it, and what it carries."""

MEDIA_TYPES: dict[Form, str] = {"sse": "text/event-stream", "lines": "application/x-ndjson"}

RETRY = 2000
"""Milliseconds after which a browser comes back when the connection breaks."""

_encode = msgspec.json.Encoder().encode


def as_sse(kind: Kind, cursor: str, data: msgspec.Struct) -> bytes:
    """A Server-Sent Event. Its `id` is what a browser sends as `Last-Event-ID` when it comes back."""
    name = b"" if kind == "event" else b"event: %b\n" % kind.encode()
    if kind == "head":
        name += b"retry: %d\n" % RETRY
    elif isinstance(data, Bye) and data.retry:
        name += b"retry: %d\n" % data.retry
    return b"%bid: %b\ndata: %b\n\n" % (name, cursor.encode(), _encode(data))


def as_line(kind: Kind, cursor: str, data: msgspec.Struct) -> bytes:
    """A line of JSON: what the frame carries, after its kind and its cursor."""
    body = _encode(data)
    if kind == "heartbeat":  # it carries its cursor, and nothing else
        return b'{"frame":"heartbeat",%b\n' % body[1:]
    return b'{"frame":"%b","cursor":"%b",%b\n' % (kind.encode(), cursor.encode(), body[1:])


SPELLINGS: dict[Form, Spelling] = {"sse": as_sse, "lines": as_line}
