"""How long to wait before a message is tried again, and when to give it up."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import msgspec

JITTER = 0.25
LONGEST_HOLD, SHORTEST_HOLD = 3600.0, 1.0
"""Seconds a receiver may ask to be left alone."""


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """The waits in seconds between the tries; after the last of them comes the last try."""

    waits: tuple[float, ...] = (2.0, 10.0, 60.0, 300.0, 900.0, 3600.0, 7200.0)

    def wait(self, tries: int) -> float | None:
        """How long to wait after so many tries failed, a little more or less so that not all come back at once.

        `None` says to give up.
        """
        if tries > len(self.waits):
            return None
        return self.waits[tries - 1] * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - nothing is kept secret by it


def hold(seconds: float) -> float:
    """A wait that was asked for, within reason."""
    return min(max(seconds, SHORTEST_HOLD), LONGEST_HOLD)


def later(seconds: float) -> str:
    """The time in so many seconds, as the log writes times."""
    at = datetime.now(UTC) + timedelta(seconds=seconds)
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
