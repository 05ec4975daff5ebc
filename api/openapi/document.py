"""The finished description: what litestar tells of the routes, with exact shapes, refusals and examples."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from litestar import Litestar

from api.feeds.frames import FRAMES
from api.feeds.spelling import MEDIA_TYPES
from api.openapi.components import PREFIX, Schema, components, handlers
from api.openapi.examples import ANSWERS, REQUESTS
from api.problems import MEDIA_TYPE
from api.routes.audit import CSV
from api.routes.copies import MEDIA_TYPES as COPIED_AS
from api.routes.replay import REPLAY, SERVER_SENT

OPEN_TAGS = frozenset({"rulesets", "operators"})
"""Routes that ask for no token."""

_FRAMES = {
    MEDIA_TYPES["sse"]: {
        "schema": {
            "description": "One Server-Sent Event after another; /schema/asyncapi.json tells what `data` holds",
            "type": "object",
            "required": ["id", "data"],
            "properties": {
                "event": {"enum": [kind for kind in FRAMES if kind != "event"]},
                "id": {"type": "string", "description": "The cursor to come back with"},
                "data": {"type": "string", "contentMediaType": "application/json"},
                "retry": {"type": "integer", "description": "Milliseconds to wait before coming back"},
            },
        }
    },
    MEDIA_TYPES["lines"]: {"schema": {"type": "string", "description": "One JSON document a line"}},
}
_NO_MORE = {"description": "The session is closed and the reader has it to its end: do not come back"}
_NO_MORE_TO_REPLAY = {"description": "The reader has the replay to its end: do not come back"}
_REPLAYED = {
    "description": "One Server-Sent Event after another; the `data` of each kind is "
    + ", ".join(f"`{kind}`: {frame.__name__}" for kind, frame in REPLAY.items()),
    "content": {
        SERVER_SENT: {
            "schema": {},
            "x-frames": {kind: {"$ref": f"{PREFIX}{frame.__name__}"} for kind, frame in REPLAY.items()},
        }
    },
}

_REFUSED = {
    "description": "Refused: a problem with a stable code",
    "content": {MEDIA_TYPE: {"schema": {"$ref": f"{PREFIX}Problem"}}},
}


def completed(app: Litestar, schema: Schema) -> Schema:
    """The description of an application, from the one litestar made."""
    document = copy.deepcopy(schema)
    parts = document["components"]
    parts["schemas"] = components(app)
    parts["responses"] = {"Refused": _REFUSED}
    for operation in operations(document):
        _complete(operation)
    _say_what_may_be_left_out(app, document)
    return document


def operations(document: Schema) -> Iterator[dict[str, Any]]:
    """Every operation of a description."""
    for item in document["paths"].values():
        yield from (part for part in item.values() if isinstance(part, dict))


def _complete(operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    answers.pop("400", None)  # litestar's own shape of a refusal, which is never sent
    if "Accepted" in str(answers.get("201")):
        answers["200"] = {**answers["201"], "description": "Only looked at, or ignored: nothing was recorded"}
    if any(parameter["name"] == "If-None-Match" for parameter in operation.get("parameters", ())):
        answers["304"] = {"description": "The reader has this version already"}
    answers["default"] = {"$ref": "#/components/responses/Refused"}
    _say_in_which_forms(operation["operationId"], answers)
    if OPEN_TAGS.isdisjoint(operation.get("tags", ())):
        operation["security"] = [{"token": []}]
    name = operation["operationId"]
    for kind, examples in (("requestBody", REQUESTS), ("answer", ANSWERS)):
        holder = operation.get(kind) if kind == "requestBody" else _success(answers)
        if holder is not None and name in examples:
            for content in holder.get("content", {}).values():
                content["examples"] = {title: {"value": value} for title, value in examples[name].items()}


def _say_in_which_forms(name: str, answers: dict[str, Any]) -> None:
    """Answers that are more, or something else, than one JSON document."""
    match name:
        case "show_audit":
            answers["200"]["content"][CSV] = {"schema": {}}
        case "export":
            answers["200"]["content"] = {media_type: {"schema": {}} for media_type in COPIED_AS.values()}
        case "replay_session":
            answers["200"], answers["204"] = copy.deepcopy(_REPLAYED), _NO_MORE_TO_REPLAY
        case _ if MEDIA_TYPES["sse"] in answers.get("200", {}).get("content", {}):
            answers["200"]["content"], answers["204"] = copy.deepcopy(_FRAMES), _NO_MORE


def _success(answers: dict[str, Any]) -> Any:
    return next((answer for status, answer in answers.items() if status.startswith("2")), None)


def _say_what_may_be_left_out(app: Litestar, document: Schema) -> None:
    """A body whose fields all have defaults need not be sent."""
    optional = {
        handler.handler_name
        for handler in handlers(app)
        if handler.parsed_data_field is not None
        and not document["components"]["schemas"][handler.parsed_data_field.annotation.__name__].get(
            "required"
        )
    }
    for operation in operations(document):
        if operation["operationId"] in optional:
            operation["requestBody"]["required"] = False
