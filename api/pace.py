"""The pace of a replay: how long to wait between two actions."""

from __future__ import annotations

from datetime import datetime

LONGEST_GAP = 10
"""Seconds that count at most between two actions, however long the table thought."""
LONGEST_PAUSE = 60
"""Seconds a slow replay waits at most between two frames."""


def pause(before: str, at: str, speed: float) -> float:
    """Seconds between two frames at a speed; none before the first, and none where all is told at once."""
    if not before or not speed:
        return 0
    gap = (datetime.fromisoformat(at) - datetime.fromisoformat(before)).total_seconds()
    return min(max(0, min(gap, LONGEST_GAP)) / speed, LONGEST_PAUSE)
