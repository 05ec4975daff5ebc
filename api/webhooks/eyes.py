"""Whose eyes a webhook has: everybody's, a player's who sits at the table, or the game master's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from api.faults import BodyMalformed, PlayerUnknown
from api.seats import Seat
from api.tokens import seat_of

if TYPE_CHECKING:
    from api.desk import Desk
    from api.webhooks.shapes import Audience


async def eyes(desk: Desk, session: str | None, asked: Audience) -> Audience:
    """An audience as it was asked for, with all characters of its player where none were named.

    Raises `BodyMalformed` where it says too little or too much, and `PlayerUnknown` where nobody has such a
    seat at the session. Of all sessions it is not asked who sits where: they come and go.
    """
    if asked.role != "player":
        if asked.name or asked.characters:
            raise BodyMalformed(
                f"Only a player's eyes have a name and characters: leave them out of the audience {asked.role!r},"
                " or say `player`"
            )
        return asked
    if not asked.name:
        raise BodyMalformed("Say whose eyes: the audience `player` takes the `name` of their seat")
    if session is None:
        return asked
    standing = await asyncio.to_thread(desk.tokens.standing, session)
    return _as_seated(asked, [seat_of(token) for token in standing if token.role == "player"])


def _as_seated(asked: Audience, players: list[Seat]) -> Audience:
    seat = next((each for each in players if each.name == asked.name), None)
    if seat is None:
        names = [each.name for each in players]
        raise PlayerUnknown(
            f"No player sits here as {asked.name!r}: invite them first (POST …/invites), or name "
            f"{' or '.join(map(repr, names)) or 'somebody who was invited'}",
            players=names,
        )
    others = [each for each in asked.characters if each not in seat.characters]
    if others:
        raise PlayerUnknown(
            f"{seat.name!r} does not play {others[0]!r}, but {' and '.join(seat.characters) or 'nobody'}: leave"
            " `characters` out for all of theirs",
            characters=list(seat.characters),
        )
    return replace(asked, characters=asked.characters or seat.characters)
