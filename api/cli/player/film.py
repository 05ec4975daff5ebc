"""A replay laid down where it takes no memory: its frames in a file without a name, a few of them at hand."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from tempfile import TemporaryFile
from typing import overload

import msgspec

from projections.replay import ReplayFrame

AT_HAND = 16
"""Frames kept ready: those around the present one, which every look at the screen shows again."""

_frame = msgspec.json.Decoder(ReplayFrame).decode


class Film(Sequence[ReplayFrame]):
    """The frames of a replay, any of which can be looked at. `close` it when it was seen.

    However long the session, it holds in memory the `numbers` of the actions, their `times`, and a few frames.
    """

    def __init__(self, frames: Iterable[ReplayFrame]) -> None:
        self.numbers: list[int] = []
        self.times: list[str] = []
        self._file = TemporaryFile()  # noqa: SIM115 - it is there for as long as this is
        self._ends = array("Q", [0])
        self._seen = lru_cache(AT_HAND)(self._read)
        for frame in frames:
            self._lay_down(frame)

    def close(self) -> None:
        """Let go of the file."""
        self._seen.cache_clear()
        self._file.close()

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> ReplayFrame: ...

    @overload
    def __getitem__(self, place: slice) -> list[ReplayFrame]: ...

    def __getitem__(self, place: int | slice) -> ReplayFrame | list[ReplayFrame]:
        places = range(len(self))[place]
        return self._seen(places) if isinstance(places, int) else [self._seen(each) for each in places]

    def _lay_down(self, frame: ReplayFrame) -> None:
        self._ends.append(self._ends[-1] + self._file.write(msgspec.json.encode(frame)))
        self.numbers.append(frame.action)
        self.times.append(frame.at)

    def _read(self, place: int) -> ReplayFrame:
        begin, end = self._ends[place : place + 2]
        self._file.seek(begin)
        return _frame(self._file.read(end - begin))
