"""A long evening of Anima Prime, recorded as fast as it goes: what the benchmarks read and write."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec

from eventlog.recorder import Recorder
from eventlog.requests import OpenRequest, Recorded, Request
from eventlog.sqlite.store import SqliteStore

PCS = ("zadie", "rasheem", "mira", "tomo")

SETUP: tuple[dict[str, Any], ...] = (
    *(
        {
            "type": "add_character", "id": who, "name": who.capitalize(), "side": "pcs", "kind": "pc",
            "action": 5000, "action_max": 9000, "defense": 2, "max_wounds": 3,
            "traits": [{"name": "Sharpshooter", "marked": False}],
        }
        for who in PCS
    ),
    {
        "type": "add_character", "id": "bull", "name": "Demonic bull", "side": "adversity", "kind": "individual",
        "action": 5000, "action_max": 9000, "defense": 3, "max_wounds": 9000,
    },
    {"type": "start_conflict", "first": "pcs", "title": "The caravan"},
)  # fmt: skip


def story() -> Iterator[dict[str, Any]]:
    """Round after round: each player character maneuvers or strikes, then the bull moves."""
    turn = 0
    while True:
        turn += 1
        for index, who in enumerate(PCS):
            giver = PCS[(index + 1) % len(PCS)]
            if (turn + index) % 2:
                yield {"type": "maneuver", "actor": who, "action_dice": 1, "gifts": [giver]}
            else:
                yield {"type": "strike", "actor": who, "targets": ["bull"], "strike_dice": 1}
        yield {"type": "end_turn"}
        yield {"type": "maneuver", "actor": "bull", "action_dice": 2}
        yield {"type": "end_turn"}
        if turn % 100 == 0:
            for who in (*PCS, "bull"):
                yield {
                    "type": "adjust", "character": who,
                    "changes": {"action": 150}, "reason": "a breath between rounds",
                }  # fmt: skip


class Evening:
    """One session that goes on for as long as it is asked to."""

    def __init__(self, recorder: Recorder, session: str) -> None:
        self.recorder = recorder
        self.session = session
        self._story = story()

    @classmethod
    async def begin(cls, recorder: Recorder, title: str = "A long evening") -> Evening:
        """Open a session and set the table."""
        opened = await recorder.open(OpenRequest(ruleset="anima-prime", title=title))
        evening = cls(recorder, opened.tape.session)
        for command in SETUP:
            await evening.send(command)
        return evening

    async def send(self, command: dict[str, Any]) -> Recorded:
        """Record one command."""
        return await self.recorder.record(self.session, Request(command=msgspec.json.encode(command)))

    async def play(self, actions: int) -> AsyncIterator[Recorded]:
        """Go on until the session has this many actions."""
        recorded = await self.next()
        while recorded.tape.action < actions:
            yield recorded
            recorded = await self.next()
        yield recorded

    async def next(self) -> Recorded:
        """The next thing that happens. A strike without dice for it becomes a maneuver; questions are settled."""
        tape = await self.recorder.tape(self.session)
        roll = tape.state.open_roll
        if roll is not None:
            return await self.send(answer(roll.asks, tape.state))
        command = next(self._story)
        if command["type"] == "strike" and tape.state.characters[command["actor"]].strike == 0:
            command = {"type": "maneuver", "actor": command["actor"], "action_dice": 1}
        return await self.send(command)


def answer(asks: str, state: Any) -> dict[str, Any]:
    """Settle a roll, keeping as many strike dice as it has."""
    if asks != "keep":
        return {"type": "settle"}
    charge = sum(die.face == 6 for die in state.open_roll.dice)
    strike = min(5, sum(3 <= die.face <= 5 for die in state.open_roll.dice))
    return {"type": "keep", "strike": strike, "charge": min(charge, 5 - strike)}


async def recorded_evening(path: Path, actions: int) -> tuple[SqliteStore, str]:
    """A database file with one session of this many actions."""
    store = SqliteStore.open(path)
    recorder = Recorder(store)
    evening = await Evening.begin(recorder)
    async for _ in evening.play(actions):
        pass
    await recorder.aclose()
    return store, evening.session
