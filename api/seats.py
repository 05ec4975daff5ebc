"""Seats: who a request comes from, and the guards that ask for one before anything else is looked at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler

from api.problems import Forbidden, NotIdentified
from rulesets.contract import Role, Viewer

Guard: TypeAlias = Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], Awaitable[None]]

READS: tuple[Role, ...] = ("gm", "player", "observer", "tool", "admin")
"""Everybody with a seat reads what they may see."""
ACTS: tuple[Role, ...] = ("gm", "player")
GAME_MASTER: tuple[Role, ...] = ("gm",)
SEATS_PEOPLE: tuple[Role, ...] = ("gm", "admin")
ADMIN: tuple[Role, ...] = ("admin",)


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
        """How this person sees a table. The admin sees what a game master sees."""
        role = "gm" if self.role == "admin" else self.role
        return Viewer(role=role, name=self.name, characters=self.characters)

    @property
    def issuer(self) -> Viewer:
        """How this person signs what they do; the admin is nobody at the table."""
        return Viewer(role=self.role, name=self.name, characters=self.characters)


THIS_MACHINE = Seat(session=None, role="admin", name="this machine", invite="this-machine")
"""Whoever reaches a server that has no admin key and listens to its own machine only: they open sessions."""

Asked: TypeAlias = Request[Seat, None, State]
"""A request whose guard found a seat: `request.user`."""


def at_the_table(*roles: Role) -> Guard:
    """Ask for a token of the session in the path, or of the whole server, with one of these roles.

    A missing, wrong, revoked or foreign token is answered alike, whether or not there is such a session.
    """

    async def guard(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
        seat = _seat(connection)
        if (
            seat is None
            or (seat.session or connection.path_params["session"]) != connection.path_params["session"]
        ):
            raise NotIdentified
        _take(connection, seat, roles)

    return guard


def at_the_server(*, whole_machine: bool = False) -> Guard:
    """Ask for the admin. `whole_machine` also lets in whoever sits at an open server on loopback."""

    async def guard(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
        seat = _seat(connection)
        opened = connection.app.state.desk.settings.open_to_this_machine
        if seat is None and whole_machine and opened and not _secret(connection):
            seat = THIS_MACHINE
        if seat is None:
            raise NotIdentified
        _take(connection, seat, ADMIN)

    return guard


def _take(connection: ASGIConnection[Any, Any, Any, Any], seat: Seat, roles: tuple[Role, ...]) -> None:
    connection.scope["user"] = seat
    if seat.role not in roles:
        raise Forbidden(seat.role, roles)


def _seat(connection: ASGIConnection[Any, Any, Any, Any]) -> Seat | None:
    secret = _secret(connection)
    return connection.app.state.desk.tokens.seat(secret) if secret else None


def _secret(connection: ASGIConnection[Any, Any, Any, Any]) -> bytes:
    for name, value in connection.scope["headers"]:
        if name == b"authorization":
            scheme, _, secret = value.partition(b" ")
            return secret.strip() if scheme.lower() == b"bearer" else b"?"
    return b""
