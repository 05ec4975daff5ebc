"""The description of the feeds for tools, in the form of AsyncAPI 3, made of the structs that are sent."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import msgspec

from api.feeds.frames import FRAMES, CloudEvent, Kind, SessionHead, StoreHead
from api.feeds.spelling import MEDIA_TYPES

Document = dict[str, Any]

SCHEMAS, MESSAGES = "#/components/schemas/", "#/components/messages/"

DESCRIPTION = """\
What happens at the tables of a server, as it happens. Each frame is a Server-Sent Event (its kind as `event`, its
cursor as `id`, and a message below as `data`), or with `Accept: application/x-ndjson` a line of JSON: a message
below with `frame` and `cursor` before it. Events have no `event` name in Server-Sent Events and are called `event`
on lines. Come back with the last cursor in `Last-Event-ID`, and nothing is missed or told twice.
"""

ONLY_SESSIONS = frozenset({"state", "patch", "closed"})
"""Kinds that tell of one session."""


def asyncapi() -> Document:
    """The description."""
    structs = [struct for group in FRAMES.values() for struct in group]
    _, schemas = msgspec.json.schema_components(structs, ref_template=SCHEMAS + "{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Tabletape feeds", "version": version("tabletape"), "description": DESCRIPTION},
        "defaultContentType": "application/json",
        "channels": {
            "session": _channel("/sessions/{session}/feed", "What happens in one session.", leave_out=StoreHead),
            "server": _channel("/feed", "What happens in all sessions of a server.", leave_out=SessionHead),
        },
        "operations": {
            name: {
                "action": "send",
                "title": f"Tell what happens: {name}",
                "channel": {"$ref": f"#/channels/{name}"},
                "bindings": {"http": {"method": "GET", "bindingVersion": "0.3.0"}},
            }
            for name in ("session", "server")
        },
        "components": {
            "messages": {struct.__name__: _message(kind, struct) for kind, struct in _kinds()},
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "A token, or the admin key"},
                "address": {
                    "type": "httpApiKey", "in": "query", "name": "token",
                    "description": "An overlay's token, on the feed of its session",
                },
            },
        },
    }  # fmt: skip


def _kinds() -> list[tuple[Kind, type[msgspec.Struct]]]:
    return [(kind, struct) for kind, group in FRAMES.items() for struct in group]


def _channel(address: str, summary: str, *, leave_out: type[msgspec.Struct]) -> Document:
    one = "{" in address
    told = [
        struct.__name__
        for kind, struct in _kinds()
        if struct is not leave_out and (one or kind not in ONLY_SESSIONS)
    ]
    parameters = {"parameters": {"session": {"description": "The id of a session"}}} if one else {}
    messages = {name: {"$ref": MESSAGES + name} for name in told}
    return {"address": address, "summary": summary, **parameters, "messages": messages}


def _message(kind: Kind, struct: type[msgspec.Struct]) -> Document:
    names = [kind] if kind != "event" else ["message"]
    return {
        "name": kind,
        "title": struct.__name__,
        "summary": (struct.__doc__ or "").partition("\n")[0],
        "contentType": "application/cloudevents+json" if struct is CloudEvent else "application/json",
        "headers": {
            "type": "object",
            "required": ["id"],
            "properties": {
                "event": {"enum": names, "description": f"In {MEDIA_TYPES['sse']}"},
                "id": {
                    "type": "string",
                    "pattern": r"^(0|[1-9]\d*\.[0-9a-f]{8})$",
                    "description": "The cursor",
                },
            },
        },
        "payload": {"$ref": SCHEMAS + struct.__name__},
    }
