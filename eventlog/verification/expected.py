"""An event as deciding again expects it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from rulesets.contract import Event
from rulesets.people import Audience


class Decided(NamedTuple):
    """What an action comes to, decided again: its events, and who may see what was asked and words sent along.

    Where a narrower circle may have been asked for, `asked` are all of which it can be one.
    """

    events: list[Expected]
    asked: Collection[Audience]


class Expected(NamedTuple):
    """What should be stored: the event, who may see it where that can be told (`None`: it cannot), and its place.

    `corrects` marks what a correction wrote: each such event has a place of its own.
    """

    event: Event
    audience: Audience | None = None
    slot: int | None = None
    revision: int = 1
    corrects: bool = False
