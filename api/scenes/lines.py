"""Where things stand in a TOML text, which the reader of the standard library does not tell."""

from __future__ import annotations

import re

_STEP = re.compile(r"\s*\[\[\s*step\s*\]\]\s*(#.*)?")


class Lines:
    """The lines of a scene file, to point at a step or at a key in it; line numbers count from 1.

    Steps written in another way than `[[step]]` on a line of its own cannot be pointed at: then `None`.
    """

    def __init__(self, text: str, steps: int) -> None:
        self._lines = text.splitlines()
        starts = [number for number, line in enumerate(self._lines, 1) if _STEP.fullmatch(line)]
        self._starts = starts if len(starts) == steps else []

    def of_step(self, number: int) -> int | None:
        """Where the step with that number begins."""
        return self._starts[number - 1] if self._starts else None

    def of_key(self, key: str, step: int | None = None) -> int | None:
        """Where a key of a step stands, or a key above all steps; the step's own line where it hides."""
        first, last = self._span(step)
        if first is None:
            return None
        pattern = re.compile(rf"""\s*(\[\s*)?["']?{re.escape(key)}["']?\s*([.=\]]).*""")
        for number in range(first, last + 1):
            if pattern.fullmatch(self._lines[number - 1]):
                return number
        return self.of_step(step) if step else None

    def _span(self, step: int | None) -> tuple[int | None, int]:
        ends = [*(start - 1 for start in self._starts), len(self._lines)]
        if step is None:
            return 1, ends[0]
        return self.of_step(step), ends[step] if self._starts else 0
