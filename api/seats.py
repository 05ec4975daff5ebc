"""Seats: who a request comes from, and the guards that ask for one before anything else is looked at.

A guard stands at a route as its `before_request`: litestar copies a whole handler for each guard it calls. It
stands there instead of the application's own, which checks the query of routes that ask for no seat.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import Empty

from api.faults import ASK_THE_GM, ONLY_AN_OVERLAY, Disconnected, Forbidden, NotIdentified
from api.queries import check_query
from rulesets.people import Role, Viewer

Guard: TypeAlias = Callable[[Any], Awaitable[None]]

READS: tuple[Role, ...] = ("gm", "player", "observer", "tool", "admin")
"""Everybody with a seat reads what they may see."""
ACTS: tuple[Role, ...] = ("gm", "player")
GAME_MASTER: tuple[Role, ...] = ("gm",)
SEATS_PEOPLE: tuple[Role, ...] = ("gm", "admin")
ADMIN: tuple[Role, ...] = ("admin",)
SERVER_WIDE: tuple[Role, ...] = ("tool", "admin")
"""Who follows all sessions of a server, with a token that belongs to none of them."""
WATCHES: tuple[Role, ...] = (*READS, "overlay")
"""An overlay follows one session and does nothing else: its token stands in an address, where others may see it."""


SEES_AS: dict[Role, Role] = {"admin": "gm", "overlay": "tool"}
"""Roles no ruleset knows, and as whom they see a table."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A place at one session's table, or at the server as a whole (`session` is `None`).

    `invite` names the seat whatever token opens it at the moment.
    """

    session: str | None
    role: Role
    name: str
    characters: tuple[str, ...] = ()
    invite: str

    @property
    def viewer(self) -> Viewer:
        """How this person sees a table. The admin sees what a game master sees, an overlay what a tool sees."""
        role = SEES_AS.get(self.role, self.role)
        return Viewer(role=role, name=self.name, characters=self.characters)

    @property
    def issuer(self) -> Viewer:
        """How this person signs what they do; the admin is nobody at the table."""
        return Viewer(role=self.role, name=self.name, characters=self.characters)


THIS_MACHINE = Seat(session=None, role="admin", name="this machine", invite="this-machine")
"""Whoever reaches a server that has no admin key and listens to its own machine only: they open sessions."""


NOTHING_SENT = b"{}"
"""What an absent body means to a route that takes one: all its defaults."""


class Asked(Request[Seat, None, State]):
    """A request; where a guard stands at its route, `user` is the seat it comes from."""

    async def body(self) -> bytes:
        """The whole body, in one piece for nearly all; `NOTHING_SENT` for none. Raises `RequestEntityTooLarge` as soon as it is."""
        if self._body is Empty:
            body = await self._received()
            if not body and self.route_handler.parsed_data_field is not None:
                body = NOTHING_SENT
            self._body = self._connection_state.body = body
        return self._body

    async def _received(self) -> bytes:
        most = self.route_handler.resolve_request_max_body_size() or 0
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await self.receive()
            if message["type"] != "http.request":
                raise Disconnected
            part, more = message.get("body", b""), message.get("more_body", False)
            size += len(part)
            if size > most:
                raise RequestEntityTooLarge
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def at_the_table(*roles: Role) -> Guard:
    """Ask for a token of the session in the path, or of the whole server, with one of these roles.

    A missing, wrong, revoked or foreign token is answered alike, whether or not there is such a session.
    """

    async def guard(request: Asked) -> None:
        seat = _seat(request)
        if seat is None or (seat.session or request.path_params["session"]) != request.path_params["session"]:
            raise NotIdentified
        _take(request, seat, roles)
        await check_query(request)

    return guard


def watching(*roles: Role) -> Guard:
    """Like `at_the_table`. An overlay may also bring its token as `?token=`, since it cannot send a header."""

    async def guard(request: Asked) -> None:
        seat = _seat(request) or _overlay(request)
        if seat is None or (seat.session or request.path_params["session"]) != request.path_params["session"]:
            raise NotIdentified(ONLY_AN_OVERLAY if _addressed(request) else ASK_THE_GM)
        _take(request, seat, roles)
        await check_query(request)

    return guard


def at_the_server(*roles: Role, whole_machine: bool = False) -> Guard:
    """Ask for a token of the whole server. `whole_machine` also lets in whoever sits at an open server on loopback."""
    roles = roles or ADMIN

    async def guard(request: Asked) -> None:
        seat = _seat(request)
        opened = request.app.state.desk.settings.open_to_this_machine
        if seat is None and whole_machine and opened and not _secret(request):
            seat = THIS_MACHINE
        if seat is None:
            raise NotIdentified
        _take(request, seat, roles if seat.session is None else ADMIN)
        await check_query(request)

    return guard


def is_seated_still(request: Asked) -> bool:
    """Whether the token a request came with is still good: for answers that go on for a while."""
    return (_seat(request) or _overlay(request)) == request.user


def _take(request: Asked, seat: Seat, roles: tuple[Role, ...]) -> None:
    request.scope["user"] = seat
    if seat.role not in roles:
        raise Forbidden(seat.role, roles)


def _seat(request: Asked) -> Seat | None:
    secret = _secret(request)
    return request.app.state.desk.tokens.seat(secret) if secret else None


def _overlay(request: Asked) -> Seat | None:
    """The seat of a token in the address; nobody but an overlay may have one there."""
    secret = _addressed(request)
    seat = request.app.state.desk.tokens.seat(secret.encode()) if secret else None
    return seat if seat is not None and seat.role == "overlay" else None


def _addressed(request: Asked) -> str:
    """The token in the address, which counts only where none is in a header."""
    return "" if _secret(request) else request.query_params.get("token", "")


def _secret(request: Asked) -> bytes:
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, secret = value.partition(b" ")
            return secret.strip() if scheme.lower() == b"bearer" else b"?"
    return b""
