"""Reading: a rebuild beside bare reading and decoding, and the bytes an event takes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from bench.measured import Figure, seconds
from eventlog.codec import codec_for
from eventlog.envelope import Row
from eventlog.sqlite.store import SqliteStore
from eventlog.tape import fold
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
