"""Where a table is not what a scene says it should be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rulesets.subset import misfits, shown

NOTHING = "nothing"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One place that differs: its path with dots, what was expected there and what was found."""

    path: str
    expected: str
    found: str


def differences(expected: Mapping[str, Any], found: Any) -> Iterator[Difference]:
    """Every place where `found` is not what `expected` says; see `misfits`."""
    for each in misfits(expected, found):
        there = NOTHING if each.missing else shown(each.found)
        yield Difference(path=each.path or "the table", expected=shown(each.expected), found=there)


def present(absent: Iterable[str], found: Any) -> Iterator[Difference]:
    """Every path that leads to something although nothing should be there; `null` and empty are nothing."""
    for path in absent:
        value = found
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if value not in (None, [], (), {}, ""):
            yield Difference(path=path, expected=NOTHING, found=shown(value))
