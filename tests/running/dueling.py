"""A recorder over a store, and a session to record: a duel where nothing else is said."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from eventlog.envelope import Envelope
from eventlog.errors import EventLogError
from eventlog.history.points import tape_at
from eventlog.history.touching import Told
from eventlog.recorder import Recorder
from eventlog.requests import OpenRequest, Recorded, Request
from eventlog.sqlite.store import SqliteStore
from eventlog.store import RequestKey
from eventlog.verification import verify
from rulesets.contract import RuleViolation
from rulesets.people import GM

T = TypeVar("T")


class Table:
    """A session, spoken to in plain words; each call waits for its answer."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.store = SqliteStore.open(path)
        self.runner = asyncio.Runner()
        self.recorder = self.do(self._recorder)
        self.session = ""

    async def _recorder(self) -> Recorder:
        return Recorder(self.store)

    def do(self, work: Callable[[], Awaitable[T]]) -> T:
        async def run() -> T:
            return await work()

        return self.runner.run(run())

    def open(self, ruleset: str = "duel", **fields: Any) -> Recorded:
        request = OpenRequest(ruleset=ruleset, title="At dawn", **fields)
        recorded = self.do(lambda: self.recorder.open(request))
        self.session = recorded.tape.session
        return recorded

    def act(self, type: str, *, request: dict[str, Any] | None = None, **fields: Any) -> Recorded:  # noqa: A002 - the field's own name
        asked = wanted(type, fields, **(request or {}))
        return self.do(lambda: self.recorder.record(self.session, asked))

    def refused(
        self,
        code: str,
        type: str,  # noqa: A002 - as above
        *,
        request: dict[str, Any] | None = None,
        **fields: Any,
    ) -> EventLogError | RuleViolation:
        """The refusal of a request: it has this code, says why, and left the log and the table as they were."""
        before, stood = self.log(), self.tape
        with pytest.raises((EventLogError, RuleViolation)) as refusal:
            self.act(type, request=request, **fields)
        error = refusal.value
        assert (error.code, self.log(), self.tape) == (code, before, stood), error.message
        assert error.message
        return error

    def foreseen(self, type: str, *, request: dict[str, Any] | None = None, **fields: Any) -> Told:  # noqa: A002 - as above
        """What a correction would come to; the log stays as it is."""
        before, asked = self.log(), wanted(type, fields, **(request or {}))
        _, told = self.do(lambda: self.recorder.foresee(self.session, asked))
        assert self.log() == before
        return told

    @property
    def tape(self) -> Any:
        return self.do(lambda: self.recorder.tape(self.session))

    @property
    def state(self) -> Any:
        return self.tape.state

    def at(self, action: int) -> Any:
        """The table after an action, as it was known then."""
        return tape_at(self.store, self.session, action).state

    def log(self) -> list[Envelope]:
        return self.store.envelopes(self.session)

    def holds(self) -> None:
        """The log is whole, leads to what is stored when decided again, and folds to the live table."""
        verified = verify(self.store, self.session)
        assert verified.ok, verified.first_fault
        assert tape_at(self.store, self.session) == self.tape

    def duellists(self, **sheet: Any) -> None:
        """Actions 1 to 3: Ada and Ben, and Ada begins."""
        self.act("add_duellist", **{"id": "ada", "side": "red", "skill": 12, **sheet})
        self.act("add_duellist", **{"id": "ben", "side": "blue", "skill": 11, **sheet})
        self.act("begin")

    def close(self) -> None:
        self.do(self.recorder.aclose)
        self.runner.close()
        self.store.close()


def wanted(type: str, fields: dict[str, Any], **request: Any) -> Request:  # noqa: A002 - as above
    answers = tuple(json.dumps(answer).encode() for answer in request.pop("answers", ()))
    return Request(
        command=json.dumps({"type": type, **fields}).encode(), answers=answers, **{"issuer": GM, **request}
    )


def key(name: str, body: str = "same") -> RequestKey:
    return RequestKey(scope="test", key=name, fingerprint=body.encode())
