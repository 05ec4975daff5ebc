"""One measured figure, its limit, and how it is printed."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure beside its limit. `at_least` says which side of the limit is good; `detail` shows what it is made of."""

    name: str
    value: float
    limit: float
    unit: str = ""
    at_least: bool = False
    detail: str = ""

    @property
    def held(self) -> bool:
        """Whether the limit is kept."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def line(self) -> str:
        """The figure as a line of the report."""
        sign = ">=" if self.at_least else "<="
        mark = "ok  " if self.held else "OVER"
        return (
            f"{mark}  {self.name:<58} {self.value:>9.2f} {sign} {self.limit:g} {self.unit:<6} {self.detail}"
        )


def machine() -> str:
    """The machine the figures were taken on."""
    return (
        f"{platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The median time of some runs after one that is not counted."""
    work()
    times = []
    for _ in range(runs):
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return median(times)


def percentile(values: list[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def resident_kilobytes(process: int) -> int:
    """What a process holds in memory."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
