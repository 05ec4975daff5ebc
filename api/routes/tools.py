"""Tools that read every session of a server: each has a token, given out by the admin and shown once."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, RequestBody

from api.answers import Answer, answer
from api.desk import Desk, desk_of
from api.faults import TokenUnknown
from api.headers import IdempotencyKey
from api.seating import given, standing
from api.seats import Asked, Seat, at_the_server
from api.tokens import Issued, invite_of
from eventlog.store import Token
from rulesets.contract import Name


class Tool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot, an overlay or a bridge that reads all sessions, as far as everybody at their tables may see them."""

    name: Name


class ToolToken(msgspec.Struct, frozen=True, kw_only=True):
    """A tool and its new token, which is shown this once."""

    id: str
    name: str
    token: str


class ToolSeated(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that has a token. The token itself is not kept, only its hash."""

    id: str
    name: str
    issued_at: str


class ToolList(msgspec.Struct, frozen=True, kw_only=True):
    """The tools whose token is good, oldest first."""

    tools: tuple[ToolSeated, ...]


class ToolRevoked(msgspec.Struct, frozen=True, kw_only=True):
    """The tool whose token stopped working."""

    id: str
    revoked: bool


@post("/tokens", before_request=at_the_server(), tags=["tools"])
async def issue_token(
    request: Asked, data: RequestBody[Tool], idempotency_key: IdempotencyKey = None
) -> Answer[ToolToken]:
    """Give a tool a token for all sessions. With the same `Idempotency-Key` again, the first token is replaced by another."""
    desk = desk_of(request)
    seat = Seat(session=None, role="tool", name=data.name, invite="")
    async with desk.tokens.writing:
        issued, replayed = given(desk, seat, f":{request.user.invite}", idempotency_key)
    return answer(_shown(issued), status=201, replayed=replayed)


@get("/tokens", before_request=at_the_server(), tags=["tools"])
async def list_tokens(request: Asked) -> Answer[ToolList]:
    """Which tools read all sessions."""
    tokens = await asyncio.to_thread(desk_of(request).tokens.standing, None)
    return answer(ToolList(tools=tuple(map(_seated, tokens))))


@post("/tokens/{tool_id:str}/rotate", before_request=at_the_server(), tags=["tools"])
async def rotate_token(request: Asked, tool_id: FromPath[str]) -> Answer[ToolToken]:
    """Replace the token of a tool, for example a lost one. The old token stops working at once."""
    desk = desk_of(request)
    async with desk.tokens.writing:
        return answer(_shown(desk.tokens.replace(_standing(desk, tool_id))), status=201)


@delete("/tokens/{tool_id:str}", before_request=at_the_server(), status_code=200, tags=["tools"])
async def revoke_token(request: Asked, tool_id: FromPath[str]) -> Answer[ToolRevoked]:
    """Take the token of a tool away. It stops working at once."""
    desk = desk_of(request)
    async with desk.tokens.writing:
        revoked = desk.tokens.revoke(_standing(desk, tool_id))
    return answer(ToolRevoked(id=tool_id, revoked=revoked))


def _standing(desk: Desk, tool_id: str) -> list[Token]:
    tokens = standing(desk, None, tool_id)
    if not tokens:
        raise TokenUnknown(f"No tool has a token {tool_id!r}; GET /tokens lists them", token=tool_id)
    return tokens


def _shown(issued: Issued) -> ToolToken:
    return ToolToken(id=invite_of(issued.token.id), name=issued.token.name, token=issued.secret)


def _seated(token: Token) -> ToolSeated:
    return ToolSeated(id=invite_of(token.id), name=token.name, issued_at=token.created_at)
