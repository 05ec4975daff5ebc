"""Which lines of the timeline an action touches: its own, the one it answers, those it corrects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from eventlog.codec import core_type
from eventlog.core import TextRedacted
from eventlog.envelope import Envelope
from eventlog.store import Store
from projections.telling import name_of

UNDONE, AMENDED = "core.action-undone", "core.action-amended"
CORRECTIONS = {
    UNDONE: "undone by",
    "core.action-redone": "restored by",
    AMENDED: "amended by",
    "core.action-inserted": "changed by an insertion of",
}
"""Events that change lines written before, and what the changed lines say."""
REDACTED = core_type(TextRedacted)


class Touch(msgspec.Struct, frozen=True, kw_only=True):
    """A line that an action makes or changes, by its number.

    `own` is the action's own, made where it is not there. `struck` and `changed` are what it is from now on,
    `None` where that stays as it was.
    """

    line: int
    own: bool = False
    struck: bool | None = None
    changed: str | None = None


class Change(msgspec.Struct, frozen=True):
    """A slot that a correction changed; without an `after` it was emptied."""

    slot: int
    after: int | None = None


class Correction(msgspec.Struct, frozen=True):
    """What a correction changed: what it was about, and what followed from that."""

    targets: tuple[Change, ...] = ()
    consequences: tuple[Change, ...] = ()


def touched(store: Store, seen: Sequence[Envelope]) -> Iterator[Touch]:
    """The lines touched by what may be seen of one action, its own last, so that it is read last.

    A correction has no line of its own here: the lines it changed say so.
    """
    corrections = [event for event in seen if event.type in CORRECTIONS]
    if corrections:
        for event in corrections:
            yield from _corrected(event)
        return
    for event in seen:
        if event.type == REDACTED and event.data is not None:
            yield from _redacted(store, event)
    first = seen[0]
    yield Touch(line=first.action if first.slot is None else first.slot, own=True)


def _corrected(event: Envelope) -> Iterator[Touch]:
    """The lines of the slots that changed. One that was made by the correction is its own."""
    correction = msgspec.json.decode(event.data or b"{}", type=Correction)
    words = f"{CORRECTIONS[event.type]} {name_of(event.by)}"
    for change in (*correction.targets, *correction.consequences):
        emptied = change.after is None
        yield Touch(
            line=change.slot,
            own=change.slot == event.action and not emptied,
            struck=emptied,
            changed=f"{CORRECTIONS[UNDONE]} {name_of(event.by)}" if emptied else words,
        )


def _redacted(store: Store, event: Envelope) -> Iterator[Touch]:
    """The line whose words were removed: they go there, too."""
    seq = msgspec.json.decode(event.data or b"{}", type=TextRedacted).seq
    for worded in store.envelopes(event.session, seq - 1, 1):
        yield Touch(line=worded.action if worded.slot is None else worded.slot)
