"""A server process for the benchmarks: `python -m bench.served real DB PORT`, or `empty`, or `bare`.

The empty one is the same application on the same server, in which the route that takes actions is left empty:
it still asks for the token and reads the body, and then does nothing. The bare one has a bare feed beside the real.
"""

from __future__ import annotations

import sys

from litestar import post
from litestar.params import FromPath, RequestBody

from api.answers import Answer, answer
from api.cli import run
from api.headers import IdempotencyKey, IfMatch, Prefer
from api.routes import ROUTES
from api.routes.actions import TakeAction, take_action
from api.seats import ACTS, Asked, at_the_table
from bench.bare_feed import bare_feed, hang_up


@post("/sessions/{session:str}/actions", before_request=at_the_table(*ACTS))
async def left_empty(  # noqa: PLR0913, PLR0917 - as many as the real one takes
    request: Asked,  # noqa: ARG001 - asked for, like the real one
    session: FromPath[str],  # noqa: ARG001 - as above
    data: RequestBody[TakeAction],  # noqa: ARG001 - as above
    idempotency_key: IdempotencyKey = None,  # noqa: ARG001 - as above
    if_match: IfMatch = None,  # noqa: ARG001 - as above
    prefer: Prefer = None,  # noqa: ARG001 - as above
) -> Answer[dict[str, str]]:
    """Nothing."""
    return answer({}, status=201)


def main(kind: str, db: str, port: str) -> int:
    """Serve the application, with its main route as it is or left empty."""
    if kind == "empty":
        ROUTES[ROUTES.index(take_action)] = left_empty
    if kind == "bare":
        ROUTES.extend((bare_feed, hang_up))
    return run(["serve", "--db", db, "--port", port, "--log", "json"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
