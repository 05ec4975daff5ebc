"""Forks: a session goes on as another one, from its end or from an earlier action."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import post
from litestar.params import FromPath, RequestBody

from api.answers import Answer
from api.asking import ActionNumber
from api.desk import desk_of
from api.headers import IdempotencyKey, request_key
from api.routes.sessions import Opened, opened
from api.seats import GAME_MASTER, Asked, Seat, at_the_table
from api.tokens import draw
from eventlog.core import ForkKind
from eventlog.recorder import new_id
from eventlog.requests import ForkRequest
from rulesets.contract import Name

KindOfFork = Annotated[
    ForkKind,
    msgspec.Meta(
        description="`fork`: what if it had gone otherwise, from any action on. `sequel`: the story goes on from "
        "its end, also of a closed session"
    ),
]


class ForkSession(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """After which action the new session begins (the last one when left out), its title, and what it is."""

    at: ActionNumber | None = None
    title: Name | None = None
    kind: KindOfFork = msgspec.field(default="fork", name="as")


@post("/sessions/{session:str}/forks", before_request=at_the_table(*GAME_MASTER), tags=["sessions"])
async def fork_session(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[ForkSession],
    idempotency_key: IdempotencyKey = None,
) -> Answer[Opened]:
    """Open a session that begins as this one was after an action, and get the token of its GM.

    It shares everything until then and has its own dice, people and webhooks; neither touches the other.
    """
    desk = desk_of(request)
    gm = draw(new_id(), Seat(session=None, role="gm", name="gm", invite=""))
    asked = ForkRequest(
        parent=session,
        at=data.at,
        title=data.title or "",
        kind=data.kind,
        issuer=request.user.issuer,
        key=request_key(request, idempotency_key, session, await request.body()),
        tokens=(gm.token,),
    )
    return await opened(desk, await desk.recorder.fork(asked), gm)
