"""Passages: what belongs together in a log, an action with the answers that joined its place in the story.

Of a slot that corrections touched, the revision that stands is shown, or the last that did; steps that have no
part in it any more are passages of their own.
"""

from __future__ import annotations

from typing import Any

import msgspec

from eventlog.audience import visible
from eventlog.codec import codec_for
from eventlog.envelope import Envelope
from projections.naming import Game, names
from projections.steps import ACTION_TAKEN, REVISED, type_of
from rulesets.contract import Ruleset
from rulesets.people import Viewer


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """The events of one entry with the tables around them.

    `envelopes` are those of the revision that is shown, `earlier` those of other revisions of the same steps.
    `origin` is the first event of the action as it was taken, `answering` the commands that answer a question,
    `inserted` tells that it was put in between others (`put_in` says where). `reworded` is what a correction made of
    the actions it was asked for. `once` are earlier revisions for those who may not see the one that is shown.
    """

    number: int
    slot: int | None
    inserted: bool = False
    envelopes: tuple[Envelope, ...]
    before: Any
    after: Any
    origin: Envelope
    standing: bool = True
    changed_by: tuple[int, ...] = ()
    earlier: tuple[Envelope, ...] = ()
    answering: frozenset[str] = frozenset()
    put_in: PutIn | None = None
    reworded: tuple[Rewording, ...] = ()
    once: tuple[Passage, ...] = ()


class PutIn(msgspec.Struct, frozen=True, kw_only=True):
    """Where a forgotten action was put in: the number of the action it goes before and the events of that.

    `said` is the event of the correction that tells so.
    """

    said: Envelope
    before: int
    there: tuple[Envelope, ...]


class Rewording(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction made of one entry that it was asked for: what it was, and what it came to; none where it was not there.

    `said` is the event of the correction that tells so.
    """

    said: Envelope
    number: int
    was: Passage | None
    now: Passage | None


def as_seen(passage: Passage, viewer: Viewer) -> Passage | None:
    """The passage as this person knows it: struck out where what became of it is hidden from them."""
    return next((each for each in (passage, *passage.once) if visible(viewer, each.envelopes)), None)


def kinds(ruleset: Ruleset[Any], passage: Passage, viewer: Viewer) -> set[str | None]:
    """The command types this person may see in an entry: the action's own and those of its answers."""
    codec = codec_for(ruleset)
    return {
        type_of(codec.event(envelope))
        for envelope in visible(viewer, passage.envelopes)
        if envelope.type in (ACTION_TAKEN, REVISED)
    }


def mentions(passage: Passage, viewer: Viewer, who: str, game: Game) -> bool:
    """Whether what this person may see of an entry names that id."""
    return any(names(envelope, who, lambda: game) for envelope in visible(viewer, passage.envelopes))
