"""Makes a golden log: plays a scene, closes the session and writes its copy and its last table.

    python tests/golden/recording.py fixtures/anima_prime/caravan.toml fixtures/golden/anima-prime-1-caravan

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
from eventlog.sqlite import SqliteStore
from rulesets.people import GM


async def record(scene_file: str) -> tuple[bytes, bytes]:
    scene, store = read_scene(scene_file), SqliteStore.open(":memory:")
    recorder = Recorder(store)
    table = LocalTable(store, recorder)
    session = (await table.open(scene)).session
    failure = await run_steps(scene, table)
    if failure:
        raise SystemExit(f"The scene fails: {failure}")
    await recorder.record(session, Request(command=b'{"type":"close","text":"Good night."}'))
    tape = await recorder.tape(session)
    copy = b"".join(line.rstrip(b"\n") + b"\n" for line in export_lines(store, session, GM))
    state = msgspec.json.format(msgspec.json.encode(tape.state, order="sorted")) + b"\n"
    await recorder.aclose()
    store.close()
    return copy, state


if __name__ == "__main__":
    copy, state = asyncio.run(record(sys.argv[1]))
    Path(f"{sys.argv[2]}.jsonl").write_bytes(copy)
    Path(f"{sys.argv[2]}.state.json").write_bytes(state)
