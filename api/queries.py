"""Query parameters: one that a route does not know is refused, since ignoring it would answer another question."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from litestar import Request
from litestar.handlers import BaseRouteHandler
from litestar.params import QueryParameter

from api.allowed import words_of
from api.faults import QueryTwice, QueryUnknown
from api.words import did_you_mean


async def check_query(request: Request[Any, Any, Any]) -> None:
    """Refuse a parameter the route does not know, or one that comes twice. Raises `QueryUnknown` or `QueryTwice`."""
    if not request.scope["query_string"]:
        return
    known, seen = known_to(request.route_handler), set[str]()
    for name, _ in request.query_params.multi_items():
        if name not in known:
            raise QueryUnknown(name, known, did_you_mean(name, known) if known else "this route takes none")
        if name in seen:
            raise QueryTwice(name)
        seen.add(name)


def known_to(handler: BaseRouteHandler) -> frozenset[str]:
    """The query parameters of a route by the names they are sent under."""
    return frozenset(sent_as(handler).values())


@lru_cache(maxsize=256)
def sent_as(handler: BaseRouteHandler) -> dict[str, str]:
    """The names query parameters of a route are sent under, by what the route's function calls them."""
    return {
        name: field.kwarg_definition.name or name
        for name, field in handler.parsed_fn_signature.parameters.items()
        if isinstance(field.kwarg_definition, QueryParameter)
    }


@lru_cache(maxsize=256)
def taken_by(handler: BaseRouteHandler) -> dict[str, tuple[str, ...]]:
    """The words a parameter of a route takes where it takes only some, by what the route's function calls it."""
    return {name: words_of(field.raw) for name, field in handler.parsed_fn_signature.parameters.items()}
