"""When a worker looks for something to send."""

from __future__ import annotations

import asyncio
from contextlib import suppress

POLL = 0.25
"""Seconds after which a worker looks by itself: for what was recorded meanwhile, here or by another server."""


async def something_to_send(nudged: asyncio.Event) -> None:
    """Return when something may be there to send: at once after a nudge, otherwise after a short while."""
    with suppress(TimeoutError):
        async with asyncio.timeout(POLL):
            await nudged.wait()
    nudged.clear()
