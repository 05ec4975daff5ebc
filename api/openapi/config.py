"""How the description is made and where it is served: /schema for people, and as JSON for tools."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import msgspec
from litestar import Request, Response, Router
from litestar.enums import MediaType, OpenAPIMediaType
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import Method

from api.feeds.asyncapi import asyncapi
from api.openapi.document import completed
from api.openapi.reference import page

ASYNCAPI: Any = "application/vnd.aai.asyncapi+json; version=3.0.0"
"""A media type litestar has no name for."""

DESCRIPTION = """\
Tabletape records tabletop conflicts: every die, gift, wound and goal is an event that is never changed, and the
table can be rebuilt at any point of the story. A session is opened by whoever runs the server; its GM gives out
invites. Send a token as `Authorization: Bearer tt_…`. Every refusal is a problem document (RFC 9457) with a
stable `code`.
"""


class _Document(OpenAPIRenderPlugin):
    """Renders the description, made once."""

    def document(self, request: Request[Any, Any, Any], schema: dict[str, Any]) -> dict[str, Any]:
        """The completed description."""
        state = request.app.state
        if "openapi" not in state:
            state.openapi = completed(request.app, schema)
        made: dict[str, Any] = state.openapi
        return made


class JsonDocument(_Document):
    """The description as JSON."""

    def __init__(self) -> None:
        super().__init__(path="/openapi.json", media_type=OpenAPIMediaType.OPENAPI_JSON)

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Render it."""
        return msgspec.json.encode(self.document(request, openapi_schema))


class FeedsDocument(OpenAPIRenderPlugin):
    """The description of the feeds, in the form of AsyncAPI."""

    def __init__(self) -> None:
        super().__init__(path="/asyncapi.json", media_type=ASYNCAPI)

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Render it."""
        del request, openapi_schema
        return msgspec.json.encode(asyncapi())


class ReferencePage(_Document):
    """The description as one page that needs no script and nothing from elsewhere."""

    def __init__(self) -> None:
        super().__init__(path="/", media_type=MediaType.HTML)

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Render it."""
        return page(self.document(request, openapi_schema)).encode()


def openapi_config() -> OpenAPIConfig:
    """The configuration of a new application."""
    token = SecurityScheme(type="http", scheme="bearer", description="A token of a session, or the admin key")
    return OpenAPIConfig(
        title="Tabletape",
        version=version("tabletape"),
        description=DESCRIPTION,
        components=Components(security_schemes={"token": token}),
        operation_id_creator=_operation_id,
        use_handler_docstrings=True,
        render_plugins=[JsonDocument(), FeedsDocument(), ReferencePage()],
        openapi_router=Router(
            "/schema",
            route_handlers=[],
            include_in_schema=False,
            dto=None,
            after_request=_problem_when_missing,
        ),
    )


def _operation_id(handler: HTTPRouteHandler, _method: Method, _path: list[str | Any]) -> str:
    return handler.handler_name


async def _problem_when_missing(response: Response[Any]) -> Response[Any]:
    """Turn the page that litestar shows for unknown paths below /schema into a problem."""
    if response.status_code == 404:
        raise NotFoundException
    return response
