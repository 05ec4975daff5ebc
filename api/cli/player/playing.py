"""What the keys do: where the replay is, how fast it goes, and when the next frame comes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeAlias

from api.pace import pause

Key: TypeAlias = str
"""A key by what it does: `space`, `forward`, `back`, `first`, `last`, `go`, `faster`, `slower`, `quit`; or as it is
typed: a digit, `enter`, `erase`, `escape`."""

FASTEST, SLOWEST = 64.0, 0.125
LONGEST_NUMBER = 9


class Playing:
    """A replay under way. `now` is seconds of any clock that goes on."""

    def __init__(self, numbers: Sequence[int], times: Sequence[str], speed: float, now: float) -> None:
        self._numbers = numbers
        self._times = times
        self.at = 0
        self.speed = speed
        self.typed: str | None = None
        self.over = False
        self._runs = len(numbers) > 1
        self._since = now

    @property
    def runs(self) -> bool:
        """Whether the next frame comes by itself."""
        return self._runs and not self.is_last

    @property
    def is_last(self) -> bool:
        """Whether there is nothing after this."""
        return self.at == len(self._numbers) - 1

    def left(self, now: float) -> float | None:
        """Seconds until the next frame comes by itself; `None` where none does."""
        if not self.runs or self.typed is not None:
            return None
        wait = pause(self._times[self.at], self._times[self.at + 1], self.speed)
        return max(0.0, self._since + wait - now)

    def tick(self, now: float) -> bool:
        """Go on where it is time to; whether it did."""
        left = self.left(now)
        if left is None or left > 0:
            return False
        self._move(self.at + 1, now)
        return True

    def press(self, key: Key, now: float) -> None:
        """Do what a key says; one that says nothing does nothing."""
        if key == "quit":
            self.over = True
        elif self.typed is not None:
            self._type(key, now)
        elif key == "go":
            self.typed = ""
        elif key == "space":
            self._toggle(now)
        elif key in ("faster", "slower"):
            self._change_speed(2 if key == "faster" else 0.5, now)
        elif key in ("forward", "back", "first", "last"):
            self._runs = False
            ends = {"forward": self.at + 1, "back": self.at - 1, "first": 0, "last": len(self._numbers) - 1}
            self._move(ends[key], now)

    def _toggle(self, now: float) -> None:
        if self.is_last:  # play it again
            self._runs = len(self._numbers) > 1
            self._move(0, now)
            return
        self._runs = not self._runs
        self._since = now

    def _change_speed(self, by: float, now: float) -> None:
        self.speed = min(FASTEST, max(SLOWEST, self.speed * by))
        self._since = now

    def _type(self, key: Key, now: float) -> None:
        typed = self.typed or ""
        if key.isdigit() and len(typed) < LONGEST_NUMBER:
            self.typed = typed + key
        elif key == "erase":
            self.typed = typed[:-1]
        elif key in ("escape", "go"):
            self.typed = None
        elif key == "enter":
            self.typed = None
            if typed:
                self._runs = False
                self._move(self._place_of(int(typed)), now)

    def _place_of(self, number: int) -> int:
        """Where an action is told; where it has no frame, the next one that has."""
        if number in self._numbers:
            return self._numbers.index(number)
        return bisect_left(sorted(self._numbers), number)

    def _move(self, at: int, now: float) -> None:
        self.at = min(max(0, at), len(self._numbers) - 1)
        self._since = now
