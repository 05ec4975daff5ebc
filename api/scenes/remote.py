"""A table behind an HTTP server: everybody of the scene gets a seat and acts through it."""

from __future__ import annotations

from typing import Any

import msgspec

from api.scenes.client import Client, ServerRefused
from api.scenes.steps import CommandStep, Scene
from api.scenes.table import Opened, Refused
from projections.entries import Entry
from projections.timeline import TimelinePage
from rulesets.people import Viewer

LINES_AT_ONCE = 500


class RemoteTable:
    """Plays scenes at a server. `admin_key` is needed where not everybody may open sessions."""

    def __init__(self, client: Client, admin_key: str | None = None) -> None:
        self._client = client
        self._admin_key = admin_key
        self._path = ""
        self._tokens: dict[tuple[str, str], str] = {}

    async def open(self, scene: Scene) -> Opened:
        """Open the session of a scene. Raises `ServerRefused` or `ServerUnreachable`."""
        wanted = {
            "ruleset": scene.ruleset,
            "title": scene.title,
            "parameters": msgspec.Raw(scene.parameters),
            "settings": scene.settings,
        }
        opened = await self._client.post("/sessions", wanted, self._admin_key)
        session, token = opened["id"], opened["gm_token"]
        self._path = f"/sessions/{session}"
        self._tokens = {("gm", "gm"): token}
        return Opened(session=session, gm_token=token)

    async def act(self, step: CommandStep) -> Refused | None:
        """Ask for what the step says, with the token of whoever asks."""
        token = await self._token(step.issuer)
        wanted = {
            "command": msgspec.Raw(step.command),
            "answers": [msgspec.Raw(answer) for answer in step.answers],
            "dice": step.dice,
            "text": step.text,
            "overrule": step.overrule,
            "visible_to": step.visible_to,
        }
        try:
            await self._client.post(f"{self._path}/actions", wanted, token)
        except ServerRefused as refused:
            return Refused(code=refused.code, message=refused.message)
        return None

    async def version(self) -> int:
        """How many events the session has."""
        shown = await self._client.get(self._path, self._gm)
        return int(shown["version"])

    async def state(self, viewer: Viewer) -> dict[str, Any]:
        """The table as this person may see it."""
        document = await self._client.get(f"{self._path}/state", await self._token(viewer))
        state: dict[str, Any] = document["state"]
        return state

    async def timeline(self) -> tuple[Entry, ...]:
        """What has happened so far, page by page."""
        entries: tuple[Entry, ...] = ()
        after: dict[str, int] = {}
        while True:
            answer = await self._client.get(f"{self._path}/actions", self._gm, limit=LINES_AT_ONCE, **after)
            page = msgspec.convert(answer, TimelinePage)
            entries += page.actions
            if page.next is None:
                return entries
            after = {"after": page.next}

    @property
    def _gm(self) -> str:
        return self._tokens["gm", "gm"]

    async def _token(self, viewer: Viewer) -> str:
        """The token of somebody's seat; whoever has none yet is invited."""
        who = (viewer.role, viewer.name)
        if who not in self._tokens:
            seat = {
                "role": viewer.role,
                "name": viewer.name or viewer.role,
                "characters": viewer.characters,
            }
            invited = await self._client.post(f"{self._path}/invites", seat, self._gm)
            self._tokens[who] = invited["token"]
        return self._tokens[who]
