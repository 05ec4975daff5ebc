"""How long a client goes on trying."""

from __future__ import annotations

import random

import msgspec


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """How often something is sent at most (`tries`), and how long to wait in between, in seconds.

    Each pause is about twice the one before, from `first` up to `most`; they differ by chance, so that many
    clients of a server that comes back do not all knock at once.
    """

    tries: int = 5
    first: float = 0.2
    most: float = 3.0

    def pause(self, failed: int) -> float:
        """How long to wait after this many failures in a row, counted from 1."""
        longest = min(self.most, self.first * float(2 ** min(failed - 1, 30)))
        return longest * random.uniform(0.5, 1)  # noqa: S311 - spreads knocks at a door, guards nothing
