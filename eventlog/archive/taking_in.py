"""Taking in a copy: everything is checked first, then all of it is stored at once, or nothing."""

from __future__ import annotations

import asyncio

from eventlog.archive.already_here import Imported, already_here, removed
from eventlog.archive.preparing import CheckedCopy
from eventlog.recorder import Recorder
from eventlog.store import Store, Stored


def foreseen(store: Store, copy: CheckedCopy) -> Imported:
    """What `take_in` would do, as the store is now. Nothing is stored; raises what `take_in` raises."""
    header, events = copy.header, copy.item.events
    known = already_here(store, copy)
    if known is None and store.removed(header.session):
        raise removed(header.session)
    return known or Imported(session=header.session, version=events[-1].seq, added=len(events))


async def take_in(recorder: Recorder, copy: CheckedCopy) -> Imported:
    """Store a copy that was checked.

    A log that still runs goes on under a new seed, since the old one stays where it was recorded; this is an
    event of its own. Raises `OlderThanHead`, `NewerThanHead` or `LogDiverged` where another log of that id is
    here (`KeyReused`, for a fork of that id), and `ImportRefused` where it was removed.
    """
    item = copy.item
    known = await asyncio.to_thread(already_here, recorder.store, copy)
    if known is None and isinstance(await recorder.take_in(item), Stored):
        return Imported(session=item.session, version=item.events[-1].seq, added=len(item.events))
    known = known or await asyncio.to_thread(already_here, recorder.store, copy)
    if known is None:
        raise removed(item.session)
    return known
