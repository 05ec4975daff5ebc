"""Makes a golden log: plays a scene, closes the session and writes its copy and its last table.

    python tests/golden/recording.py fixtures/anima_prime/caravan.toml fixtures/golden/anima-prime-1-caravan

A third name is that of a list of corrections, made one after the other when the scene is over:

    python tests/golden/recording.py fixtures/anima_prime/caravan.toml fixtures/golden/anima-prime-1-corrected \
        fixtures/golden/anima-prime-1-corrected.corrections.json

Run once for each release of a ruleset's rules number; the files are then kept as they are, for ever.
"""

import asyncio
import sys
from pathlib import Path

import msgspec

from api.scenes.local import LocalTable
from api.scenes.reading import read_scene
from api.scenes.running import run_steps
from eventlog.archive import export_lines
from eventlog.recorder import Recorder
from eventlog.requests import Request
from eventlog.sqlite.store import SqliteStore
from rulesets.people import GM


class Correction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command of the recorder's, and faces typed in with it."""

    command: msgspec.Raw
    dice: tuple[int, ...] | None = None


async def record(scene_file: str, corrections: bytes = b"[]") -> tuple[bytes, bytes]:
    scene, store = read_scene(scene_file), SqliteStore.open(":memory:")
    recorder = Recorder(store)
    table = LocalTable(store, recorder)
    session = (await table.open(scene)).session
    failure = await run_steps(scene, table)
    if failure:
        raise SystemExit(f"The scene fails: {failure}")
    for each in msgspec.json.decode(corrections, type=list[Correction]):
        await recorder.record(session, Request(command=bytes(each.command), dice=each.dice))
    await recorder.record(session, Request(command=b'{"type":"close","text":"Good night."}'))
    tape = await recorder.tape(session)
    copy = b"".join(line.rstrip(b"\n") + b"\n" for line in export_lines(store, session, GM))
    state = msgspec.json.format(msgspec.json.encode(tape.state, order="sorted")) + b"\n"
    await recorder.aclose()
    store.close()
    return copy, state


if __name__ == "__main__":
    corrections = [Path(file).read_bytes() for file in sys.argv[3:4]]
    copy, state = asyncio.run(record(sys.argv[1], *corrections))
    Path(f"{sys.argv[2]}.jsonl").write_bytes(copy)
    Path(f"{sys.argv[2]}.state.json").write_bytes(state)
