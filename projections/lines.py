"""The line of an entry: what the game and the recorder say of what somebody may see of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from eventlog.codec import is_core
from eventlog.core import ActionTaken, NoteAdded, RulingMade
from eventlog.corrections import ActionRevised
from eventlog.envelope import By, Envelope
from projections.passages import Passage
from projections.telling import WORDS_REMOVED, as_one, name_of, ruled, told
from rulesets.contract import Event, Ruleset


class EntryRewording(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction made of the line of an action that it was asked for; null where there was or is none."""

    number: int
    was: str | None
    now: str | None


def in_words(reworded: Sequence[EntryRewording]) -> str:
    """Lines that were made others, as the line of the correction goes on: `: “Ada hides a dagger” is now “…”`."""
    several = len(reworded) > 1
    parts = [
        (f"action {each.number} " if several else "") + _was_and_is(each.was, each.now) for each in reworded
    ]
    return f": {'; '.join(parts)}" if parts else ""


def _was_and_is(was: str | None, now: str | None) -> str:
    if was is None:
        return f"“{now}”"
    return f"“{was}”" + ("" if now is None else f" is now “{now}”")


def line_of(  # noqa: PLR0913, PLR0917 - what happened, what of it is seen, by whom, and what it made of others
    ruleset: Ruleset[Any],
    passage: Passage,
    seen: Sequence[Envelope],
    events: Sequence[Event | None],
    by: By,
    reworded: str,
) -> str:
    """What the events of an entry say to somebody who sees these of them; `reworded` follows what a correction did."""
    game = [
        event
        for envelope, event in zip(seen, events, strict=True)
        if event is not None and not is_core(envelope.type)
    ]
    words = [ruleset.record.describe(passage.after, game)] if game else []
    words += _core_words(seen, events, by, reworded)
    words += [ruled(event) for event in events if isinstance(event, RulingMade)]
    return "; ".join(word for word in words if word) or f"{name_of(by)} acts"


def _core_words(seen: Sequence[Envelope], events: Sequence[Event | None], by: By, reworded: str) -> list[str]:
    """What the recorder's own events say, but for words sent along: those are notes of the entry."""
    if only_removed(events):
        return [f"{name_of(by)} notes: {WORDS_REMOVED}"]
    said = [
        (event, by if envelope.action == seen[0].action else envelope.by)
        for envelope, event in zip(seen, events, strict=True)
        if event is not None and is_core(envelope.type) and not is_sent_along(envelope, event)
    ]
    return _in_one_breath([(told(event, whose, reworded), name_of(whose)) for event, whose in as_one(said)])


def _in_one_breath(said: Sequence[tuple[str, str]]) -> list[str]:
    """Whoever does several things is named once: `The GM undoes action 5; settles …`."""
    words: list[str] = []
    named = ""
    for told_of, who in said:
        words.append(told_of.removeprefix(f"{who} ") if who == named else told_of)
        named = who if told_of.startswith(f"{who} ") else named
    return words


def only_removed(events: Sequence[Event | None]) -> bool:
    """Whether all there was to an action were words that are gone."""
    return [event for event in events if not isinstance(event, ActionTaken | ActionRevised)] == [None]


def is_sent_along(envelope: Envelope, event: Event) -> bool:
    """Whether these are words that came with the action itself."""
    return isinstance(event, NoteAdded) and event.about == envelope.action
