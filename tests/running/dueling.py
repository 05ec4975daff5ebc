"""A recorder over a store in memory, and a duel to record."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from eventlog.recorder import Recorder
from eventlog.requests import OpenRequest, Recorded, Request
from eventlog.sqlite import SqliteStore
from eventlog.store import RequestKey
from rulesets.people import GM

T = TypeVar("T")


class Table:
    """A session of the duel, spoken to in plain words; each call waits for its answer."""

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

    def open(self, **fields: Any) -> Recorded:
        request = OpenRequest(ruleset="duel", title="At dawn", **fields)
        recorded = self.do(lambda: self.recorder.open(request))
        self.session = recorded.tape.session
        return recorded

    def act(self, type: str, *, request: dict[str, Any] | None = None, **fields: Any) -> Recorded:  # noqa: A002 - the field's own name
        asked = wanted(type, fields, **(request or {}))
        return self.do(lambda: self.recorder.record(self.session, asked))

    def duellists(self) -> None:
        self.act("add_duellist", id="ada", side="red", skill=12)
        self.act("add_duellist", id="ben", side="blue", skill=11)
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
