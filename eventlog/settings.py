"""How a table plays with its recorder: settings of one session, changed by the GM, each change an event."""

from __future__ import annotations

from typing import Annotated, Literal, get_args, get_type_hints

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a session. They change what the recorder takes, never what the rules say."""

    undo: Annotated[
        Literal["off", "gm", "own_last", "request"],
        msgspec.Meta(
            description="Who may undo: nobody, the GM, players their own last action, or players by asking"
        ),
    ] = "request"
    rulings: Annotated[
        Literal["ask", "default"],
        msgspec.Meta(
            description="What the rules leave open: ask the GM, or take the recommended reading at once"
        ),
    ] = "ask"
    table_dice: Annotated[
        Literal["off", "gm", "all"],
        msgspec.Meta(description="Who may type in faces thrown at a real table"),
    ] = "gm"
    redraw_after_undo: Annotated[
        Literal["same", "fresh"],
        msgspec.Meta(description="Whether an undone command done again meets the same dice or new ones"),
    ] = "same"


def values(name: str) -> tuple[str, ...]:
    """What a setting can be."""
    return get_args(get_type_hints(Settings)[name])
