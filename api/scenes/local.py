"""A table in this process: the recorder and a store, without any server between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from api.scenes.effects import Effect, effect_of, would_touch
from api.scenes.steps import CommandStep, CorrectionStep, ForkStep, Scene
from api.scenes.table import Opened, Refused
from eventlog.errors import EventLogError
from eventlog.recorder import Recorder, new_id
from eventlog.requests import ForkRequest, OpenRequest, Request
from eventlog.store import Store
from projections.entries import Entry
from projections.story import every_entry
from projections.table import state_document
from rulesets.contract import RuleViolation
from rulesets.people import GM, Viewer


class LocalTable:
    """Plays scenes into a store. `seat` makes a game master's token for a session that is to be kept."""

    def __init__(
        self, store: Store, recorder: Recorder, seat: Callable[[Store, str], str] | None = None
    ) -> None:
        self._store = store
        self._recorder = recorder
        self._seat = seat
        self._session = new_id()
        self.opened = Opened(session=self._session)

    async def open(self, scene: Scene, session: str | None = None) -> Opened:
        """Open the session of a scene, under an id of its own unless one is given."""
        self._session = session or new_id()
        await self._recorder.open(
            OpenRequest(
                ruleset=scene.ruleset,
                title=scene.title,
                parameters=scene.parameters,
                settings=scene.settings,
                session=self._session,
            )
        )
        return self._seated()

    def _seated(self) -> Opened:
        token = self._seat(self._store, self._session) if self._seat else None
        self.opened = Opened(session=self._session, gm_token=token)
        return self.opened

    async def fork(self, step: ForkStep) -> Refused | None:
        """Go on in a fork, as the step says."""
        request = ForkRequest(parent=self._session, at=step.at, title=step.title, kind=step.kind)
        try:
            self._session = (await self._recorder.fork(request)).tape.session
        except EventLogError as error:
            return Refused(code=error.code, message=error.message)
        self._seated()
        return None

    async def act(self, step: CommandStep) -> Refused | None:
        """Ask for what the step says."""
        request = Request(
            command=step.command,
            answers=step.answers,
            dice=step.dice,
            text=step.text,
            overrule=step.overrule,
            visible_to=step.visible_to,
            issuer=step.issuer,
        )
        try:
            await self._recorder.record(self._session, request)
        except (RuleViolation, EventLogError) as error:
            return Refused(code=error.code, message=error.message)
        return None

    async def correct(self, step: CorrectionStep) -> Effect | Refused:
        """Correct what the step says."""
        try:
            recorded = await self._recorder.record(self._session, step.correction.request(step.issuer))
        except (RuleViolation, EventLogError) as error:
            touched = error.fields.get("touched", ())
            return Refused(code=error.code, message=error.message, effect=would_touch(touched))
        return effect_of((each.type, msgspec.json.decode(each.data or b"{}")) for each in recorded.events)

    async def version(self) -> int:
        """How many events the session has."""
        return self._store.head(self._session).version

    async def state(self, viewer: Viewer) -> dict[str, Any]:
        """The table as this person may see it."""
        return state_document(await self._recorder.tape(self._session), viewer).state

    async def timeline(self) -> tuple[Entry, ...]:
        """What has happened so far."""
        return tuple(every_entry(self._store, self._session, GM))
