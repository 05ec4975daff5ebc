"""People around a table whose session is recorded in memory: who asks, what they ask, what each of them sees."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from eventlog.recorder import Recorder
from eventlog.requests import OpenRequest, Recorded, Request
from eventlog.sqlite.store import SqliteStore
from rulesets.people import GM, OBSERVER, Viewer

T = TypeVar("T")

ADA = Viewer(role="player", name="Ada's player", characters=("ada",))
BEN = Viewer(role="player", name="Ben's player", characters=("ben",))
EVERYBODY = {"ada": ADA, "ben": BEN, "gm": GM, "observer": OBSERVER}


class Sitting:
    """One session; every call waits for its answer."""

    def __init__(self, ruleset: str = "duel") -> None:
        self.store = SqliteStore.open(":memory:")
        self._runner = asyncio.Runner()
        self.recorder = self.do(self._recorder)
        opening = OpenRequest(ruleset=ruleset, title="At dawn")
        self.session = self.do(lambda: self.recorder.open(opening)).tape.session

    async def _recorder(self) -> Recorder:
        return Recorder(self.store)

    def do(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return self._runner.run(work())

    def act(
        self,
        type: str,  # noqa: A002 - the field's own name
        *,
        by: Viewer = GM,
        request: dict[str, Any] | None = None,
        **fields: Any,
    ) -> Recorded:
        asked = Request(command=json.dumps({"type": type, **fields}).encode(), issuer=by, **(request or {}))
        return self.do(lambda: self.recorder.record(self.session, asked))

    @property
    def tape(self) -> Any:
        return self.do(lambda: self.recorder.tape(self.session))

    def duellists(self) -> None:
        """Actions 1 to 3: Ada and Ben stand against each other and Ada begins."""
        self.act("add_duellist", id="ada", side="red", skill=12)
        self.act("add_duellist", id="ben", side="blue", skill=11)
        self.act("begin")

    def blow(self) -> int:
        """Ada strikes Ben at the table: a question to Ben, then one to Ada. The number of the attack."""
        attack = self.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
        self.act("defend", question="q1", defense="none", by=BEN)
        self.act("throw_damage", question="q2", request={"dice": (4,)})
        return attack.tape.action

    def close(self) -> None:
        self.do(self.recorder.aclose)
        self._runner.close()
        self.store.close()


def written(value: Any) -> str:
    """An answer as it would be sent."""
    return msgspec.json.encode(value).decode()
