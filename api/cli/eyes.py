"""Whose eyes a reader looks through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from api.cli.exits import Ended, Exit
from api.scenes.people import People
from eventlog.core import ActionTaken
from eventlog.logs import Log
from eventlog.store import Store
from rulesets.people import GM, OBSERVER, Viewer


def viewer_named(store: Store, session: str, name: str) -> Viewer:
    """The game master, an observer, somebody with a seat at the table, or whoever plays a character.

    Raises `SessionUnknown`, and ends the command where nobody is called that.
    """
    for token in () if name in (GM.role, OBSERVER.role) else store.tokens(session):
        if token.role == "player" and not token.revoked_at and name in (token.name, *token.characters):
            return Viewer(role="player", name=token.name, characters=token.characters)
    return viewer_in_story(store, session, name)


def viewer_in_story(log: Log, session: str, name: str) -> Viewer:
    """The same where there is a log and nobody has a seat, as in a copy."""
    if name in (GM.role, OBSERVER.role):
        return GM if name == GM.role else OBSERVER
    viewer = People(_commands(log, session)).viewer(name)
    if viewer is None:
        raise Ended(
            f"nobody called {name!r} is in this session: give a player's name or a character's id, gm or observer",
            Exit.NOT_FOUND,
        )
    return viewer


def _commands(log: Log, session: str) -> Iterator[dict[str, Any]]:
    """What was asked for in a session, from its beginning."""
    for row in log.rows(session):
        if row.type == "core.action-taken" and row.data is not None:
            taken = msgspec.json.decode(row.data, type=ActionTaken)
            command: dict[str, Any] = msgspec.json.decode(taken.command)
            yield command
