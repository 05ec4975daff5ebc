"""A word to those who wait: a session went on. Only a hint, since what counts is what the log says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Ear: TypeAlias = Callable[[str], None]
"""Called with the id of a session that went on, on the event loop; it must not wait."""


class Announcer:
    """Tells everybody who listens in this process which session has something new on disk.

    What another process stored is not announced: whoever must not miss it also looks now and then.
    """

    def __init__(self) -> None:
        self._ears: list[Ear] = []

    def listen(self, ear: Ear) -> Callable[[], None]:
        """Call this from now on; what comes back stops it."""
        self._ears.append(ear)
        return lambda: self._ears.remove(ear)

    def announce(self, session: str) -> None:
        """Say that a session went on, or is gone. Call it after the commit."""
        for ear in tuple(self._ears):
            ear(session)
