"""A table behind an HTTP server: everybody of the scene gets a seat and acts through it."""

from __future__ import annotations

from typing import Any

import msgspec

from api.scenes.effects import Effect, effect_of, would_touch
from api.scenes.steps import CommandStep, CorrectionStep, ForkStep, Scene
from api.scenes.table import Opened, Refused
from projections.entries import Entry
from projections.timeline import TimelinePage
from rulesets.people import Viewer
from tabletape.client import AsyncClient, Call, Corrected, Problem, Unreachable
from tabletape.client import Opened as NewSession
from tabletape.client.call import path_of, reading

LINES_AT_ONCE = 500


class RemoteTable:
    """Plays scenes at a server. The client's own token opens sessions, where not everybody may."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._session = ""
        self.opened = Opened(session="")
        self._seats: dict[tuple[str, str], AsyncClient] = {}

    async def open(self, scene: Scene) -> Opened:
        """Open the session of a scene. Raises `Problem`."""
        opened = await self._client.open_session(
            scene.ruleset,
            scene.title,
            parameters=msgspec.json.decode(scene.parameters),
            settings=msgspec.to_builtins(scene.settings),
        )
        return self._seated(opened)

    def _seated(self, opened: NewSession) -> Opened:
        """Sit down at a new session, with nobody there but its game master."""
        self._session = opened.id
        self._seats = {("gm", "gm"): self._client.with_token(opened.gm_token)}
        self.opened = Opened(session=opened.id, gm_token=opened.gm_token)
        return self.opened

    async def fork(self, step: ForkStep) -> Refused | None:
        """Go on in a fork, as the step says."""
        try:
            forked = await self._gm.fork(self._session, step.at, title=step.title or None, kind=step.kind)
        except Unreachable:
            raise
        except Problem as refused:
            return Refused(code=refused.code, message=refused.message)
        self._seated(forked)
        return None

    async def act(self, step: CommandStep) -> Refused | None:
        """Ask for what the step says, with the token of whoever asks."""
        seat = await self._seat(step.issuer)
        try:
            await seat.act(
                self._session,
                msgspec.json.decode(step.command),
                answers=[msgspec.json.decode(answer) for answer in step.answers],
                dice=step.dice,
                text=step.text,
                overrule=step.overrule,
                visible_to=step.visible_to,
            )
        except Unreachable:
            raise
        except Problem as refused:
            return Refused(code=refused.code, message=refused.message)
        return None

    async def correct(self, step: CorrectionStep) -> Effect | Refused:
        """Correct what the step says, with the token of whoever asks."""
        seat = await self._seat(step.issuer)
        try:
            corrected = await seat.send(step.correction.call(self._session, Corrected))
        except Unreachable:
            raise
        except Problem as refused:
            effect = would_touch(refused.fields.get("touched", ()))
            return Refused(code=refused.code, message=refused.message, effect=effect)
        return effect_of((each.type, each.data) for each in corrected.events)

    async def version(self) -> int:
        """How many events the session has."""
        return (await self._gm.session(self._session)).version

    async def state(self, viewer: Viewer) -> dict[str, Any]:
        """The table as this person may see it."""
        seat = await self._seat(viewer)
        return (await seat.state(self._session)).state

    async def timeline(self) -> tuple[Entry, ...]:
        """What has happened so far, page by page."""
        entries: tuple[Entry, ...] = ()
        after: int | None = None
        while True:
            page = await self._gm.send(_lines(self._session, after))
            entries += page.actions
            if page.next is None:
                return entries
            after = page.next

    @property
    def _gm(self) -> AsyncClient:
        return self._seats["gm", "gm"]

    async def _seat(self, viewer: Viewer) -> AsyncClient:
        """The client of somebody's seat; whoever has none yet is invited."""
        who = (viewer.role, viewer.name)
        if who not in self._seats:
            name = viewer.name or viewer.role
            invited = await self._gm.invite(self._session, viewer.role, name, characters=viewer.characters)
            self._seats[who] = self._client.with_token(invited.token)
        return self._seats[who]


def _lines(session: str, after: int | None) -> Call[TimelinePage]:
    """A page of the timeline in the shape the command line prints."""
    return Call(
        method="GET",
        path=path_of(session, "actions"),
        read=reading(TimelinePage),
        params={"limit": LINES_AT_ONCE, "after": after},
    )
