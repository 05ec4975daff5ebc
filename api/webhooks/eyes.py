"""Whose eyes a webhook has: everybody's, a player's who sits at the table, or the game master's.

A player's eyes are looked up with each message: who lost their seat sees nothing more, and who plays others now
sees what those see.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from api.faults import BodyMalformed, PlayerUnknown
from api.seats import Seat
from api.tokens import seat_of
from eventlog.hooks import Hook
from eventlog.store import Store
from rulesets.people import OBSERVER

if TYPE_CHECKING:
    from api.desk import Desk
    from api.webhooks.shapes import Audience


async def eyes(desk: Desk, session: str | None, asked: Audience) -> Audience:
    """An audience as it was asked for, once its player is known to sit there.

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
    _check_seat(asked, [seat_of(token) for token in standing if token.role == "player"])
    return asked


def seeing(store: Store, hook: Hook, session: str) -> Hook | None:
    """A webhook with the eyes it has at that session now: all characters of its player, or those it named of them.

    `None` where they are of somebody who has no seat there any more. One of all sessions sees then as everybody.
    """
    viewer = hook.viewer
    if viewer.role != "player":
        return hook
    seats = [
        token
        for token in store.tokens(session)
        if not token.revoked_at and (token.role, token.name) == ("player", viewer.name)
    ]
    if not seats:
        return None if hook.session else replace(hook, viewer=OBSERVER)
    played = dict.fromkeys(character for seat in seats for character in seat.characters)
    named = viewer.characters or tuple(played)
    return replace(hook, viewer=replace(viewer, characters=tuple(each for each in played if each in named)))


def as_now(store: Store, hook: Hook) -> Hook:
    """A webhook as it is shown: with the eyes it has now, and waiting where nobody has that seat."""
    if hook.session is None:
        return hook
    return seeing(store, hook, hook.session) or replace(hook, paused=hook.paused or "no-seat")


def _check_seat(asked: Audience, players: list[Seat]) -> None:
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
