"""Live feeds: one session, or all of a server."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal, TypeAlias

from litestar import Response, get
from litestar.params import FromPath, HeaderParameter, QueryParameter

from api.answers import UNKEPT, Answer
from api.desk import desk_of
from api.faults import ParameterMalformed
from api.feeds.feed import Feed
from api.feeds.pages import Asking, Format
from api.feeds.spelling import MEDIA_TYPES, Form
from api.narrowing import id_named, types_named
from api.routes.log import ActionNumber, Named
from api.seats import SERVER_WIDE, WATCHES, Asked, at_the_server, is_seated_still, watching
from projections.feeds import ALL, Sought

After: TypeAlias = Annotated[
    str | None,
    QueryParameter(
        max_length=40,
        description="A cursor, or the number of an event: go on after it. `0` is everything, none is from now on.",
    ),
]
LastEventId: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID",
        description="The last cursor a reader got; browsers send it when they come back. It goes before `after`.",
    ),
]
Types: TypeAlias = Annotated[
    str | None, QueryParameter(max_length=1000, description="Type names, with commas between")
]
Shape: TypeAlias = Annotated[
    Format,
    QueryParameter(
        name="format",
        description="`events`, `cloudevents` (CloudEvents 1.0), or `state`: the table, then JSON Patches of it.",
    ),
]
StoreShape: TypeAlias = Annotated[
    Literal["events", "cloudevents"], QueryParameter(name="format", description="`events` or `cloudevents`")
]
AddressToken: TypeAlias = Annotated[
    str | None, QueryParameter(max_length=100, description="An overlay's token, and nobody else's")
]


@get(
    "/sessions/{session:str}/feed",
    before_request=watching(*WATCHES),
    media_type=MEDIA_TYPES["sse"],
    tags=["feeds"],
)
async def session_feed(  # noqa: PLR0913, PLR0917 - where from, what, and how
    request: Asked,
    session: FromPath[str],
    after: After = None,
    last_event_id: LastEventId = None,
    types: Types = None,
    character: Named = None,
    action: ActionNumber = None,
    shape: Shape = "events",
    token: AddressToken = None,  # noqa: ARG001 - the guard reads it
) -> Response[bytes]:
    """What happens in a session, as it happens, as Server-Sent Events or lines of JSON. Ends when it is closed."""
    sought = _sought(request, session, types, character, action)
    if shape == "state" and sought != ALL:
        raise ParameterMalformed(
            "format=state tells of the whole table: leave types, character and action out"
        )
    return await _feed(request, session, sought, shape, last_event_id or after)


@get("/feed", before_request=at_the_server(*SERVER_WIDE), media_type=MEDIA_TYPES["sse"], tags=["feeds"])
async def server_feed(  # noqa: PLR0913, PLR0917 - where from, what, and how
    request: Asked,
    after: After = None,
    last_event_id: LastEventId = None,
    types: Types = None,
    character: Named = None,
    action: ActionNumber = None,
    shape: StoreShape = "events",
) -> Response[bytes]:
    """What happens in all sessions of the server, in the order in which it was stored."""
    sought = _sought(request, None, types, character, action)
    return await _feed(request, None, sought, shape, last_event_id or after)


async def _feed(
    request: Asked, session: str | None, sought: Sought, shape: Format, after: str | None
) -> Response[bytes]:
    asking = Asking(session=session, sought=sought, format=shape, form=_form(request))
    seated = partial(is_seated_still, request)
    feed = await Feed.begin(desk_of(request).feeds, asking, request.user, seated, after)
    return feed or Answer(b"", 204, [(b"cache-control", UNKEPT.encode())])


def _form(request: Asked) -> Form:
    """Server-Sent Events, unless lines are what is asked for."""
    wanted = request.accept.best_match([MEDIA_TYPES["sse"], MEDIA_TYPES["lines"]])
    return "lines" if wanted == MEDIA_TYPES["lines"] else "sse"


def _sought(
    request: Asked, session: str | None, types: str | None, character: str | None, action: int | None
) -> Sought:
    named = types_named(desk_of(request).store, session, types)
    return Sought(types=named, character=id_named(character), action=action)
