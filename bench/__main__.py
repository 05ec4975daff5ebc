"""`python -m bench`: every figure beside its limit. Takes a few minutes; exits 1 when a limit is missed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.commands import cost_over_time
from bench.deciding import decided_again
from bench.evening import recorded_evening
from bench.feeds import a_crowd, catching_up
from bench.history import far_back, last_action, verifying
from bench.measured import Figure, machine
from bench.reading import event_size, rebuilding
from bench.serving import any_point, durable_commands, resident_memory

ACTIONS = 10_000
LONG = 26_000
"""Actions of more than a hundred thousand events."""


def figures(folder: Path) -> Iterator[Figure]:
    """All figures, one after the other."""
    path = folder / "evening.db"
    store, session = asyncio.run(recorded_evening(path, ACTIONS))
    yield rebuilding(store, session)
    yield event_size(store, session, path)
    yield any_point(path, session)
    yield decided_again()
    yield asyncio.run(cost_over_time(folder / "cost.db", ACTIONS))
    yield from asyncio.run(far_back(folder / "corrected.db"))
    yield asyncio.run(last_action(folder / "last.db", ACTIONS))
    yield from durable_commands(folder / "served.db")
    yield resident_memory(folder / "memory.db")
    yield from a_crowd(folder / "crowd.db")
    path = folder / "long.db"
    store, session = asyncio.run(recorded_evening(path, LONG))
    yield verifying(store, session)
    store.close()
    yield catching_up(path, session)


def main() -> int:
    """Print every figure as it is taken."""
    print(machine())
    with TemporaryDirectory(prefix="tabletape-bench-") as folder:
        held = True
        for figure in figures(Path(folder)):
            print(figure.line(), flush=True)
            held = held and figure.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
