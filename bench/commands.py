"""Writing: what one command costs early and late in a long session."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import process_time

from bench.evening import Evening
from bench.measured import Figure
from eventlog.recorder import Recorder
from eventlog.sqlite.store import SqliteStore


async def cost_over_time(path: Path, late: int = 10_000, window: int = 300) -> Figure:
    """Processor time of a command around action 10,000 against around action 100, in one session."""
    store = SqliteStore.open(path)
    recorder = Recorder(store)
    evening = await Evening.begin(recorder)
    early = await _cost(evening, 100, window)
    async for _ in evening.play(late):
        pass
    after = await _cost(evening, late, window)
    await recorder.aclose()
    store.close()
    return Figure(
        name=f"cost of a command at {late} actions / at 100",
        value=after / early,
        limit=1.2,
        unit="x",
        detail=f"{after * 1e6:.0f} us against {early * 1e6:.0f} us of processor time",
    )


async def _cost(evening: Evening, start: int, window: int) -> float:
    async for _ in evening.play(start):
        pass
    rounds = []
    for _ in range(5):
        began = process_time()
        for _ in range(window // 5):
            await evening.next()
        rounds.append((process_time() - began) / (window // 5))
    return median(rounds)
