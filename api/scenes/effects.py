"""What a correction did to actions nobody asked to change, or would do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from eventlog.codec import core_type
from eventlog.corrections import CORRECTION_EVENTS

CORRECTIONS = frozenset(core_type(event) for event in CORRECTION_EVENTS)


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """All later actions that are touched, and those of them that fall out of the story, by number."""

    touched: tuple[int, ...] = ()
    falls: tuple[int, ...] = ()


class _Consequence(msgspec.Struct, frozen=True, kw_only=True):
    slot: int
    after: int | None = None


class _Recorded(msgspec.Struct, frozen=True, kw_only=True):
    consequences: tuple[_Consequence, ...] = ()


class _Touched(msgspec.Struct, frozen=True, kw_only=True):
    action: int
    outcome: str


def effect_of(events: Iterable[tuple[str, Any]]) -> Effect:
    """What a recorded correction did, from the types and the data of its events."""
    found = [
        each
        for name, document in events
        if name in CORRECTIONS
        for each in msgspec.convert(document, _Recorded).consequences
    ]
    return _effect([each.slot for each in found], [each.slot for each in found if each.after is None])


def would_touch(touched: Any) -> Effect:
    """What a correction would have done that was refused for it, from the `touched` of the refusal."""
    found = msgspec.convert(touched, list[_Touched], from_attributes=True)
    return _effect(
        [each.action for each in found], [each.action for each in found if each.outcome == "falls"]
    )


def _effect(touched: Iterable[int], falls: Iterable[int]) -> Effect:
    return Effect(touched=tuple(sorted(touched)), falls=tuple(sorted(falls)))
