"""Invites: the seats of a table, given out by the GM. A token is shown once, when it is issued."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, RequestBody

from api.answers import Answer, answer
from api.desk import Desk, desk_of
from api.faults import GameMasterStays, InviteUnknown
from api.headers import IdempotencyKey
from api.seating import given, standing
from api.seats import GAME_MASTER, SEATS_PEOPLE, Asked, Seat, at_the_table
from api.tokens import Issued, invite_of
from eventlog.store import Token
from rulesets.contract import Name, Slug


class Invite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat for somebody: what they may do, their name at the table, and for a player their characters.

    An `overlay` follows the feed and shows the overlay page, and nothing else: its token may stand in an address.
    """

    role: Literal["player", "observer", "tool", "overlay"]
    name: Name
    characters: Annotated[
        tuple[Slug, ...], msgspec.Meta(max_length=50, extra_json_schema={"uniqueItems": True})
    ] = ()

    def __post_init__(self) -> None:
        """Refuse a character that is named twice."""
        twice = next((one for one in self.characters if self.characters.count(one) > 1), None)
        if twice is not None:
            raise ValueError(f"the character {twice!r} is named twice: name each once")


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    """A seat and its new token, which is shown this once."""

    id: str
    role: str
    name: str
    characters: tuple[str, ...]
    token: str


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of the table. The token itself is not kept, only its hash."""

    id: str
    role: str
    name: str
    characters: tuple[str, ...]
    issued_at: str


class InviteList(msgspec.Struct, frozen=True, kw_only=True):
    """The seats whose token is good, the GM's first."""

    invites: tuple[Seated, ...]


class InviteRevoked(msgspec.Struct, frozen=True, kw_only=True):
    """The seat whose token stopped working."""

    id: str
    revoked: bool


@post("/sessions/{session:str}/invites", before_request=at_the_table(*GAME_MASTER), tags=["invites"])
async def invite(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[Invite],
    idempotency_key: IdempotencyKey = None,
) -> Answer[Invited]:
    """Give somebody a seat. With the same `Idempotency-Key` again, the first token is replaced by another."""
    desk = desk_of(request)
    await desk.recorder.tape(session)
    seat = Seat(session=session, role=data.role, name=data.name, characters=data.characters, invite="")
    async with desk.tokens.writing:
        issued, replayed = given(desk, seat, f"{session}:{request.user.invite}", idempotency_key)
    return answer(_invited(issued), status=201, replayed=replayed)


@get("/sessions/{session:str}/invites", before_request=at_the_table(*SEATS_PEOPLE), tags=["invites"])
async def list_invites(request: Asked, session: FromPath[str]) -> Answer[InviteList]:
    """Who has a seat at this table."""
    tokens = await asyncio.to_thread(desk_of(request).tokens.standing, session)
    return answer(InviteList(invites=tuple(map(_seated, tokens))))


@post(
    "/sessions/{session:str}/invites/{invite_id:str}/rotate",
    before_request=at_the_table(*SEATS_PEOPLE),
    tags=["invites"],
)
async def rotate_invite(request: Asked, session: FromPath[str], invite_id: FromPath[str]) -> Answer[Invited]:
    """Replace the token of a seat, for example a lost one. The old token stops working at once."""
    desk = desk_of(request)
    async with desk.tokens.writing:
        return answer(_invited(desk.tokens.replace(_standing(desk, session, invite_id))), status=201)


@delete(
    "/sessions/{session:str}/invites/{invite_id:str}",
    before_request=at_the_table(*SEATS_PEOPLE),
    status_code=200,
    tags=["invites"],
)
async def revoke_invite(
    request: Asked, session: FromPath[str], invite_id: FromPath[str]
) -> Answer[InviteRevoked]:
    """Take a seat away. Its token stops working at once."""
    desk = desk_of(request)
    async with desk.tokens.writing:
        tokens = _standing(desk, session, invite_id)
        if tokens[0].role == "gm":
            raise GameMasterStays
        revoked = desk.tokens.revoke(tokens)
    return answer(InviteRevoked(id=invite_id, revoked=revoked))


def _standing(desk: Desk, session: str, invite_id: str) -> list[Token]:
    tokens = standing(desk, session, invite_id)
    if not tokens:
        raise InviteUnknown(
            f"There is no invite {invite_id!r} here; GET …/invites lists them", invite=invite_id
        )
    return tokens


def _invited(issued: Issued) -> Invited:
    token = issued.token
    return Invited(
        id=invite_of(token.id),
        role=token.role,
        name=token.name,
        characters=token.characters,
        token=issued.secret,
    )


def _seated(token: Token) -> Seated:
    return Seated(
        id=invite_of(token.id),
        role=token.role,
        name=token.name,
        characters=token.characters,
        issued_at=token.created_at,
    )
