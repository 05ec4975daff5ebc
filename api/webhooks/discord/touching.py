"""Which lines of the timeline an action touches: its own, the one it answers, those it corrects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from eventlog.codec import core_type
from eventlog.core import TextRedacted
from eventlog.corrections import CORRECTION_EVENTS, ActionRedone, CorrectionEvent
from eventlog.envelope import Envelope
from eventlog.hooks import Hook
from eventlog.store import Store

CORRECTIONS: dict[str, type[CorrectionEvent]] = {core_type(event): event for event in CORRECTION_EVENTS}
REDACTED = core_type(TextRedacted)


class Touch(msgspec.Struct, frozen=True, kw_only=True):
    """A line that an action makes or changes, by its number; `own` is the one it makes."""

    line: int
    own: bool = False


def touched(store: Store, hook: Hook, session: str, seen: Sequence[Envelope]) -> Iterator[Touch]:
    """The lines touched by what may be seen of one action, its own last, so that it is read last."""
    for event in seen:
        if event.data is None:
            continue
        if event.type in CORRECTIONS:
            yield from _corrected(store, hook, session, correction_of(event))
        elif event.type == REDACTED:
            yield from _redacted(store, hook, session, event.data)
    yield Touch(line=seen[0].action, own=True)


def correction_of(event: Envelope) -> CorrectionEvent:
    """What a correction changed."""
    return msgspec.json.decode(event.data or b"", type=CORRECTIONS[event.type])


def _corrected(store: Store, hook: Hook, session: str, correction: CorrectionEvent) -> Iterator[Touch]:
    """The lines of the slots that changed, and that of the correction that was taken back."""
    slots = {change.slot for change in (*correction.targets, *correction.consequences)}
    for message in store.hooks.messages(hook.id, session, slots):
        yield Touch(line=message.action)
    if isinstance(correction, ActionRedone):
        yield Touch(line=correction.correction)


def _redacted(store: Store, hook: Hook, session: str, told: bytes) -> Iterator[Touch]:
    """The lines that may repeat the removed words: they go there, too."""
    seq = msgspec.json.decode(told, type=TextRedacted).seq
    for worded in store.envelopes(session, seq - 1, 1):
        yield Touch(line=worded.action)
        slots = () if worded.slot is None else (worded.slot,)
        for message in store.hooks.messages(hook.id, session, slots):
            yield Touch(line=message.action)
        for action in dict.fromkeys(anew.action for anew in store.revised(session, slots)):
            yield Touch(line=action)  # a correction says what it made of the words
