"""Where a correction is made: in a database file nobody serves, or through the server that does."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from api.cli import options
from api.cli.database import looking_at, writing
from api.correcting import Correction
from api.foresight import Foreseen, Touched, foreseen, with_lines
from api.recording import Accepted, accepted
from eventlog.audience import visible
from eventlog.history.errors import HistoryConflict
from eventlog.history.points import tape_at
from eventlog.recorder import Recorder
from projections.difference import difference
from projections.table import state_document
from projections.timeline import timeline_entry
from rulesets.people import GM
from tabletape.client import AsyncClient, Problem
from tabletape.client.shapes.corrections import OpenUndoRequest


class TouchesOthers(Exception):
    """A strict correction would touch later actions, and nothing was changed."""

    def __init__(self, message: str, touched: tuple[Touched, ...]) -> None:
        super().__init__(message)
        self.message = message
        self.touched = touched


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """A correction that was made: its number, the answer to it, its line in the timeline, what is otherwise now."""

    action: int
    answer: Any
    line: str
    changes: tuple[str, ...]


class Place(Protocol):
    """Where the session is."""

    async def asked(self) -> OpenUndoRequest | None:
        """The request for an undo that waits for the GM."""
        ...

    async def foresee(self, correction: Correction) -> Foreseen:
        """What a correction would do. Nothing is drawn and nothing recorded."""
        ...

    async def correct(self, correction: Correction, version: int | None) -> Done:
        """Make a correction, on that version alone if one is given. Raises `TouchesOthers`."""
        ...


class InFile:
    """A session in a database file."""

    def __init__(self, db: str, session: str) -> None:
        self._db = db
        self._session = session

    async def asked(self) -> OpenUndoRequest | None:
        """The request that is open, as the game master may see it."""
        with looking_at(self._db) as store:
            tape = tape_at(store, self._session)
            asked = None if tape.closed else tape.request
            if asked is None or not visible(GM, store.actions(self._session, asked.number, asked.number)):
                return None
        return OpenUndoRequest(number=asked.number, target=asked.target, by=asked.by)

    async def foresee(self, correction: Correction) -> Foreseen:
        """What it would do, also while a server writes the file."""
        with looking_at(self._db) as store:
            recorder = Recorder(store)
            try:
                tape, told = await recorder.foresee(self._session, correction.request())
            finally:
                await recorder.aclose()
            return foreseen(store, tape, told, GM)

    async def correct(self, correction: Correction, version: int | None) -> Done:
        """Make it, as the file's only writer."""
        with writing(self._db) as store:
            recorder = Recorder(store)
            try:
                recorded = await recorder.record(self._session, correction.request(expected=version))
            except HistoryConflict as conflict:
                tape = tape_at(store, self._session)
                touched = with_lines(store, tape, GM, conflict.fields["touched"], conflict.revised)
                raise TouchesOthers(conflict.message, touched) from conflict
            finally:
                await recorder.aclose()
            answer: Accepted = accepted(recorded, GM)
            before = state_document(tape_at(store, self._session, answer.action - 1), GM)
            return Done(
                action=answer.action,
                answer=answer,
                line=timeline_entry(store, self._session, GM, answer.action).line,
                changes=difference(before, state_document(recorded.tape, GM)).lines,
            )


class AtServer:
    """A session at a running server, corrected with a token of it."""

    def __init__(self, url: str, session: str, token: str | None) -> None:
        self._url = url
        self._session = session
        self._token = token

    def _connected(self) -> AsyncClient:
        """A connection for one call: between a look ahead and the correction somebody may think for long."""
        return AsyncClient(self._url, self._token, patience=options.AT_A_PROMPT)

    async def asked(self) -> OpenUndoRequest | None:
        """The request that is open, as the owner of the token may see it."""
        async with self._connected() as client:
            return (await client.undo_requests(self._session)).request

    async def foresee(self, correction: Correction) -> Foreseen:
        """What it would do."""
        async with self._connected() as client:
            return await client.send(correction.call(self._session, Foreseen, dry_run=True))

    async def correct(self, correction: Correction, version: int | None) -> Done:
        """Make it."""
        async with self._connected() as client:
            try:
                call = correction.call(self._session, dict[str, Any], expected=version)
                answer = await client.send(call)
            except Problem as refused:
                if refused.code != HistoryConflict.code:
                    raise
                touched = msgspec.convert(refused.fields["touched"], tuple[Touched, ...])
                raise TouchesOthers(refused.message, touched) from refused
            number = int(answer["action"])
            entry = await client.action(self._session, number)
            told = await client.difference(self._session, number - 1, to=number)
        return Done(action=number, answer=answer, line=entry.line, changes=told.lines)
