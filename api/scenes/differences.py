"""Where a table is not what a scene says it should be."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

NOTHING = "nothing"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One place that differs: its path with dots, what was expected there and what was found."""

    path: str
    expected: str
    found: str


def differences(expected: Any, found: Any, path: str = "") -> Iterator[Difference]:
    """Every place where `found` is not what `expected` says.

    Objects may have more keys than expected. Lists have the same length and are compared item by item. 2 is
    2.0, but no truth value is a number.
    """
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            here = f"{path}.{key}" if path else str(key)
            if key in found:
                yield from differences(value, found[key], here)
            else:
                yield Difference(path=here, expected=shown(value), found=NOTHING)
    elif (
        isinstance(expected, list | tuple) and isinstance(found, list | tuple) and len(expected) == len(found)
    ):
        for index, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    elif isinstance(expected, bool) is not isinstance(found, bool) or expected != found:
        yield Difference(path=path or "the table", expected=shown(expected), found=shown(found))


def present(absent: Iterable[str], found: Any) -> Iterator[Difference]:
    """Every path that leads to something although nothing should be there; `null` and empty are nothing."""
    for path in absent:
        value = found
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if value not in (None, [], {}, ""):
            yield Difference(path=path, expected=NOTHING, found=shown(value))


def shown(value: Any) -> str:
    """A value as a scene file would nearly write it, on one line."""
    return json.dumps(value, ensure_ascii=False)
