"""Reading: a rebuild beside bare reading and decoding, any point beside the latest, bytes an event takes."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from bench.measured import Figure, percentile, seconds
from eventlog.codec import codec_for
from eventlog.envelope import Row
from eventlog.sqlite import SqliteStore
from eventlog.tape import fold, tape_at
from projections.table import state_document
from rulesets.contract import GM
from rulesets.installed import ruleset_named


class Counted(msgspec.Struct, frozen=True):
    """The trivial state of the trivial fold."""

    events: int = 0


def trivial_fold(rows: Iterable[Row]) -> Counted:
    """Read and decode every event, then only count: what no rebuild can be faster than."""
    read, state = codec_for(ruleset_named("anima-prime")).read, Counted()
    for row in rows:
        if row.data is not None:
            read(row.type, row.v, row.data)
        state = Counted(state.events + 1)
    return state


def rebuilding(store: SqliteStore, session: str) -> Figure:
    """Rebuilding a session from disk, without checkpoints, against the trivial fold of the same rows."""
    ruleset = ruleset_named("anima-prime")
    bare = seconds(lambda: trivial_fold(store.rows(session)))
    whole = seconds(lambda: fold(ruleset, session, store.rows(session)))
    head = store.head(session)
    return Figure(
        name=f"rebuild of {head.action} actions / read, decode, trivial fold",
        value=100 * bare / whole,
        limit=35,
        unit="%",
        at_least=True,
        detail=f"{head.version} events, {whole / head.version * 1e6:.1f} us an event",
    )


def any_point(store: SqliteStore, session: str, times: int = 1000) -> Figure:
    """The table at random points of the story against the latest, p99 both."""
    last = store.head(session).action
    points = random.Random(1).sample(range(last), min(times, last))  # noqa: S311 - which points are looked at is no secret

    def reading(actions: Iterable[int]) -> list[float]:
        return [_time_of_state(store, session, action) for action in actions]

    reading(points[:50])
    latest, anywhere = reading([last] * times), reading(points)
    return Figure(
        name=f"state?at=n anywhere in {last} actions, p99 / the latest's p99",
        value=percentile(anywhere, 0.99) / percentile(latest, 0.99),
        limit=2,
        unit="x",
        detail=f"p50 {percentile(anywhere, 0.5) * 1e6:.0f} us against {percentile(latest, 0.5) * 1e6:.0f} us",
    )


def _time_of_state(store: SqliteStore, session: str, action: int) -> float:
    started = perf_counter()
    document: Any = state_document(tape_at(store, session, action), GM)
    msgspec.json.encode(document)
    return perf_counter() - started


def event_size(store: SqliteStore, session: str, path: Path) -> Figure:
    """Bytes on disk for an event, everything included: indexes, checkpoints, keys."""
    version = store.head(session).version
    store.close()
    size = sum(file.stat().st_size for file in path.parent.glob(path.name + "*"))
    return Figure(
        name="bytes on disk an event, all included",
        value=size / version,
        limit=600,
        unit="bytes",
        detail=f"{size / 1e6:.1f} MB for {version} events",
    )
