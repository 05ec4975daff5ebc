"""Components: the exact schema of every struct, and of every command of every installed ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any, get_args

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response
from litestar.routes import HTTPRoute

from api.frames import FRAMES
from api.routes.replay import REPLAY
from eventlog.core import CORE_COMMANDS
from rulesets.installed import installed

Schema = dict[str, Any]

PREFIX = "#/components/schemas/"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal (RFC 9457): what was wrong and what to do. Codes are stable and come with fields of their own.

    `overrulable` tells at a rule's refusal whether the GM may pass over it; `version` where the session stands.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    version: int | None = None
    overrulable: bool | None = None


def components(app: Litestar) -> dict[str, Schema]:
    """Every component of the description by name."""
    _, shapes = msgspec.json.schema_components(set(structs(app)), ref_template=PREFIX + "{name}")
    groups = {"core": _commands("core", CORE_COMMANDS)}
    for slug, ruleset in installed().items():
        groups[slug] = _commands(slug, ruleset.rules[ruleset.current]().commands)
    for group in groups.values():
        shapes.update(group)
    shapes["Command"] = {
        "title": "Command",
        "description": "A command of the session's ruleset, or one every session has (`core`)",
        "anyOf": [{"$ref": f"{PREFIX}{slug}"} for slug in groups],
    }
    return shapes


def structs(app: Litestar) -> Iterator[type[msgspec.Struct]]:
    """Every struct some route takes or answers."""
    yield Problem
    yield from FRAMES
    yield from REPLAY.values()
    for handler in handlers(app):
        taken, answered = handler.parsed_data_field, handler.parsed_fn_signature.return_type
        if taken is not None:
            yield taken.annotation
        if answered.is_subclass_of(Response) and answered.inner_types:
            yield from _structs_of(answered.inner_types[0].annotation)


def handlers(app: Litestar) -> Iterator[HTTPRouteHandler]:
    """The handlers that are part of the description."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            yield from (handler for handler in route.route_handlers if handler.resolve_include_in_schema())


def _structs_of(annotation: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    for argument in get_args(annotation):
        yield from _structs_of(argument)


def _commands(slug: str, commands: Iterable[type[msgspec.Struct]]) -> dict[str, Schema]:
    """A ruleset's commands under its slug: `duel` is one of `duel.Attack`, `duel.Begin` and so on."""
    together: Any = reduce(or_, commands)
    (union,), shapes = msgspec.json.schema_components([together], ref_template=f"{PREFIX}{slug}.{{name}}")
    one_of = union.get("anyOf", [union])
    mapping = union.get("discriminator", {}).get("mapping", {})
    named = {f"{slug}.{name}": shape for name, shape in shapes.items()}
    named[slug] = {
        "title": slug,
        "oneOf": one_of,
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    return named
