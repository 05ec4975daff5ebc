"""Frames as they are answered: an event the reader may see, or what keeps its place in the chain."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from projections.events import EventFrame, HiddenFrame

FRAMES: tuple[type[msgspec.Struct], ...] = (EventFrame, HiddenFrame)

ShownFrame: TypeAlias = Annotated[
    object,
    msgspec.Meta(
        extra_json_schema={"anyOf": [{"$ref": f"#/components/schemas/{each.__name__}"} for each in FRAMES]}
    ),
]
"""Either kind of frame. They carry no tag, so msgspec can write the union and not describe it."""


class Events(msgspec.Struct, frozen=True, kw_only=True):
    """Some events in order, the session's version, and the cursor of the next page."""

    events: tuple[ShownFrame, ...]
    version: int
    next: str
