"""Whether a part of a table, as somebody wrote it down, is what the whole table says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec


class Misfit(msgspec.Struct, frozen=True, kw_only=True):
    """One place where the whole is not what the part says: its path with dots, empty for all of it."""

    path: str
    expected: Any
    found: Any
    """What stands there; where nothing does, the object that has no such key."""
    missing: bool = False


def misfits(part: Any, whole: Any, path: str = "") -> Iterator[Misfit]:
    """Every place where `whole` is not what `part` says; both are plain values, as they come from JSON.

    Objects may have more keys than the part. Lists have the same length and are compared item by item. 2 is
    2.0, but no truth value is a number.
    """
    if isinstance(part, Mapping) and isinstance(whole, Mapping):
        for key, value in part.items():
            here = f"{path}.{key}" if path else str(key)
            if key in whole:
                yield from misfits(value, whole[key], here)
            else:
                yield Misfit(path=here, expected=value, found=whole, missing=True)
    elif isinstance(part, list | tuple) and isinstance(whole, list | tuple) and len(part) == len(whole):
        for index, (one, other) in enumerate(zip(part, whole, strict=True)):
            yield from misfits(one, other, f"{path}[{index}]")
    elif isinstance(part, bool) is not isinstance(whole, bool) or part != whole:
        yield Misfit(path=path, expected=part, found=whole)


def shown(value: Any) -> str:
    """A value on one line, as a person would nearly write it."""
    return json.dumps(value, ensure_ascii=False)
