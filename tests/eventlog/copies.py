"""Logs to check and to copy: a duel with everything in it, the worked examples, and forgeries of both."""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from dueling import Table

from api.scenes.local import LocalTable
from api.scenes.reading import read_scene
from api.scenes.steps import CommandStep
from eventlog.archive import Imported, checked_copy, take_in
from eventlog.chain import digest, genesis, link
from eventlog.envelope import Envelope
from eventlog.recorder import Recorder
from rulesets.people import Viewer

ADA = Viewer(role="player", name="Ada's player", characters=("ada",))
BEN = Viewer(role="player", name="Ben's player", characters=("ben",))
CORRECTS = re.compile(r"^(undo|redo|amend|before)\b", re.MULTILINE)
SCENES = [
    path
    for path in sorted((Path(__file__).parents[2] / "fixtures").glob("*/*.toml"))
    if not CORRECTS.search(path.read_text())
]


def an_evening(table: Table) -> None:
    """A duel with answers, rolls, secrets, notes, rulings, settings, words removed, and sixty turns."""
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
    table.act("roll", count=2, sides=20, purpose="the weather")
    table.act("defend", question="q1", defense="none", request={"issuer": BEN, "text": "bravely"})
    table.act("throw_damage", question="q2", request={"dice": (2,)})
    table.act("note", text="He smiled.", about=4, request={"issuer": BEN, "visible_to": "self"})
    table.act(
        "attack", attacker="ben", target="ada", request={"overrule": ("not-your-turn",), "dice": (6, 6, 6)}
    )
    table.act("add_duellist", id="canary", side="blue", skill=9, secret=True)
    for name, value in (("rulings", "default"), ("table_dice", "all")):
        table.act("change_setting", name=name, value=value)
    for _ in range(4):
        table.act("end_turn")
    table.act("attack", attacker="ada", target="ben", low=True, request={"dice": (1, 1, 1)})
    question = msgspec.to_builtins(table.do(lambda: table.recorder.tape(table.session)).state.waiting)[
        "question"
    ]
    table.act("defend", question=question, defense="dodge", request={"issuer": BEN, "dice": (1, 1, 1)})
    noted = table.act("note", text="a real name")
    table.act("redact", seq=noted.events[1].seq, reason="private")
    for _ in range(60):
        table.act("end_turn")
    table.act("roll", count=3, purpose="luck", request={"issuer": ADA, "visible_to": "self+gm"})


def play(table: Table, path: Path) -> None:
    """Play a scene file into the table's store, as far as it corrects nothing."""
    scene = read_scene(path)
    local = LocalTable(table.store, table.recorder)
    table.session = table.do(lambda: local.open(scene)).session
    for step in scene.steps:
        if isinstance(step, CommandStep):
            table.do(lambda step=step: local.act(step))


def forged(events: Sequence[Envelope], change: Callable[[Envelope], Envelope]) -> list[Envelope]:
    """The log as somebody would leave it who owns the store: changed, and its chain made anew."""
    previous, made = genesis(events[0].session), []
    for event in map(change, events):
        previous = link(previous, event.seq, digest(event))
        made.append(msgspec.structs.replace(event, hash=previous))
    return made


def saying(seq: int, change: Callable[[dict[str, Any]], None]) -> Callable[[Envelope], Envelope]:
    """A change of what one event says."""

    def changed(event: Envelope) -> Envelope:
        if event.seq != seq:
            return event
        said = json.loads(event.data or b"")
        change(said)
        data = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        return msgspec.structs.replace(event, data=data)

    return changed


def of_type(events: Sequence[Envelope], name: str) -> Iterator[Envelope]:
    """The events of one type, in order."""
    return (event for event in events if event.type == name)


async def import_log(recorder: Recorder, lines: Iterable[bytes]) -> Imported:
    """Take in a complete copy of a log as the server does: checked aside, then stored."""
    return await take_in(recorder, await asyncio.to_thread(checked_copy, lines))
