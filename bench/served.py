"""A server process for the benchmarks: `python -m bench.served real DB PORT`, or `empty` for the bare route."""

from __future__ import annotations

import sys

import uvicorn
from litestar import Litestar, post
from litestar.params import FromPath, RequestBody

from api.app import LARGEST_BODY
from api.routes.actions import TakeAction
from api.server import server_config
from api.settings import ServerSettings


@post("/sessions/{session:str}/actions")
async def left_empty(session: FromPath[str], data: RequestBody[TakeAction]) -> None:
    """The route that takes actions, with its body read and nothing done."""


def main(kind: str, db: str, port: str) -> None:
    """Serve the real application, or the same route left empty on the same server."""
    config = server_config(ServerSettings(db=db, port=int(port), log="off"))
    if kind == "empty":
        config = uvicorn.Config(
            Litestar([left_empty], request_max_body_size=LARGEST_BODY, openapi_config=None),
            port=int(port),
            access_log=False,
            log_level="warning",
        )
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main(*sys.argv[1:4])
