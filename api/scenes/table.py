"""The table a scene is played at: in this process, or behind somebody's HTTP server."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from api.scenes.effects import Effect
from api.scenes.steps import CommandStep, CorrectionStep, ForkStep, Scene
from projections.entries import Entry
from rulesets.people import Viewer


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """The table took nothing: the code of the refusal and its words.

    `effect` is what a correction would do that was refused for what it touches.
    """

    code: str
    message: str
    effect: Effect = Effect()


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """The session a scene is played in, and the game master's token where one was made."""

    session: str
    gm_token: str | None = None


class TableUnderTest(Protocol):
    """What a scene needs of a table."""

    @property
    def opened(self) -> Opened:
        """The session the scene is played in now: the one it opened, or its last fork."""
        ...

    async def open(self, scene: Scene) -> Opened:
        """Open the session the scene is played in; everything after is about this one."""
        ...

    async def fork(self, step: ForkStep) -> Refused | None:
        """Fork the session as the step says; everything after is about the fork. `None` when it was made."""
        ...

    async def act(self, step: CommandStep) -> Refused | None:
        """Ask for what the step says; `None` when it was accepted."""
        ...

    async def correct(self, step: CorrectionStep) -> Effect | Refused:
        """Correct what the step says."""
        ...

    async def version(self) -> int:
        """How many events the session has."""
        ...

    async def state(self, viewer: Viewer) -> dict[str, Any]:
        """The table as this person may see it."""
        ...

    async def timeline(self) -> tuple[Entry, ...]:
        """What has happened so far, in the eyes of the game master."""
        ...
