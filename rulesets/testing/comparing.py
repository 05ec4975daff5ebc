"""Differences a person can read: between lists of events, and between a view and the part of it one names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Any

import msgspec

from rulesets.contract import Event


def plain(value: Any) -> Any:
    """A value as it would travel: structs as objects, tuples as lists."""
    return msgspec.json.decode(msgspec.json.encode(value))


def events_differ(expected: Sequence[Event], actual: Sequence[Event]) -> str:
    """A unified diff from the expected events to the actual ones; empty when they are the same, in order."""
    if tuple(expected) == tuple(actual):
        return ""
    lines = unified_diff(_lines(expected), _lines(actual), "expected", "actual", lineterm="", n=20)
    return "\n".join(lines) or "They print alike, but their types or hidden fields differ"


def _lines(events: Sequence[Event]) -> list[str]:
    return [line for event in events for line in _told(event).splitlines()]


def _told(event: Event) -> str:
    return f"{type(event).__name__} {json.dumps(plain(event), indent=2, ensure_ascii=False)}"


def subset_differs(part: Any, whole: Any, path: str = "") -> Iterator[str]:
    """Every place where `whole` is not what `part` says: objects may have more keys, all else is equal.

    Both are plain values (`plain`). Lists have the same length and are compared item by item; 2 equals 2.0,
    but no truth value is a number.
    """
    if isinstance(part, Mapping) and isinstance(whole, Mapping):
        for key, value in part.items():
            yield from _entry_differs(str(key), value, whole, path)
    elif isinstance(part, list) and isinstance(whole, list) and len(part) == len(whole):
        for index, (value, found) in enumerate(zip(part, whole, strict=True)):
            yield from subset_differs(value, found, f"{path}[{index}]")
    elif isinstance(part, bool) is not isinstance(whole, bool) or part != whole:
        yield f"{path or 'all of it'}: expected {_shown(part)}, found {_shown(whole)}"


def _entry_differs(key: str, value: Any, whole: Mapping[str, Any], path: str) -> Iterator[str]:
    here = f"{path}.{key}" if path else key
    if key in whole:
        yield from subset_differs(value, whole[key], here)
    else:
        yield f"{here}: expected {_shown(value)}, but there is only {', '.join(map(str, whole)) or 'nothing'}"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
