"""Differences a person can read: between lists of events, and between a view and the part of it one names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any

import msgspec

from rulesets.contract import Event
from rulesets.subset import misfits, shown


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


def subset_differs(part: Any, whole: Any) -> Iterator[str]:
    """Every place where `whole` is not what `part` says, in words; see `misfits`."""
    for each in misfits(part, whole):
        expected = f"{each.path or 'all of it'}: expected {shown(each.expected)}"
        if each.missing:
            yield f"{expected}, but there is only {', '.join(map(str, each.found)) or 'nothing'}"
        else:
            yield f"{expected}, found {shown(each.found)}"
