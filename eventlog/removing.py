"""Words on their way out of a log: while they are, nothing is decided that could write them again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from eventlog.store import Append, Outcome


class Removals:
    """The removals of words that are being stored; `gone` is called with the session after each, done or failed."""

    def __init__(self, gone: Callable[[str, bool], None]) -> None:
        self._gone = gone
        self._under_way = set[asyncio.Task[Outcome]]()

    async def settled(self) -> None:
        """Wait until none is under way, in any session: a correction of a fork would write its words again."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def store(self, item: Append, append: Callable[[Append], Awaitable[Outcome]]) -> Outcome:
        """Store a removal to its end, also when nobody waits for it any more."""

        async def stored() -> Outcome:
            return await append(item)

        removal = asyncio.create_task(stored())
        self._under_way.add(removal)
        removal.add_done_callback(lambda done: self._done(done, item.session))
        return await asyncio.shield(removal)

    def _done(self, removal: asyncio.Task[Outcome], session: str) -> None:
        self._under_way.discard(removal)
        self._gone(session, not removal.cancelled() and removal.exception() is None)
