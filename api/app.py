"""The application: routes, guards and problems put together. Nothing is opened before it starts."""

from __future__ import annotations

from litestar import Litestar
from litestar.datastructures import State

from api.body import JsonBody
from api.desk import open_desk
from api.front_door import FrontDoor
from api.logs import logger
from api.metrics import Metrics
from api.openapi.config import openapi_config
from api.openapi.names import StructNames
from api.problems import problem_response
from api.queries import check_query
from api.routes import ROUTES
from api.seats import Asked
from api.settings import ServerSettings

LARGEST_BODY = 256 * 1024


def create_app(settings: ServerSettings | None = None, *, writes_apart: bool = False) -> Litestar:
    """The application of one server. It has no side effects until its lifespan begins.

    With `writes_apart` the database file is written by a process of its own.
    """
    settings = settings or ServerSettings()
    metrics = Metrics()
    app = Litestar(
        route_handlers=ROUTES,
        dto=JsonBody,
        return_dto=None,
        before_request=check_query,
        exception_handlers={Exception: problem_response},
        lifespan=[open_desk],
        logging_config=None,
        openapi_config=openapi_config(),
        plugins=[StructNames()],
        request_class=Asked,
        request_max_body_size=LARGEST_BODY,
        state=State({"settings": settings, "metrics": metrics, "writes_apart": writes_apart}),
    )
    # litestar's own middleware runs behind its router; the front door also stands before unknown routes.
    app.asgi_handler = FrontDoor(app.asgi_handler, settings, logger(settings.log), metrics)
    return app
