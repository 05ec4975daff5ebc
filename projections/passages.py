"""Passages: what belongs together in a log, an action with the answers that joined its place in the story."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from eventlog.audience import visible
from eventlog.codec import codec_for, core_type, is_core
from eventlog.commands import command_type
from eventlog.core import ActionTaken, SessionOpened
from eventlog.envelope import Envelope
from eventlog.tape import Tape, first_table
from rulesets.contract import Event, Ruleset
from rulesets.people import Viewer

ACTION_TAKEN, OPENED = core_type(ActionTaken), core_type(SessionOpened)


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """The events of one entry with the tables around them."""

    envelopes: tuple[Envelope, ...]
    before: Any
    after: Any

    @property
    def number(self) -> int:
        """The action the entry is numbered after."""
        return self.envelopes[0].action


def passages(
    ruleset: Ruleset[Any], tape: Tape[Any] | None, envelopes: Sequence[Envelope]
) -> Iterator[Passage]:
    """Stored events cut into entries: an action, with the answers that joined its slot.

    `tape` is the one right before the first event (`None` before the opening). Events of other actions may
    lie between an action and its answers: notes and book-keeping.
    """
    groups: dict[tuple[str, int], list[Envelope]] = {}
    for envelope in envelopes:
        key = ("slot", envelope.slot) if envelope.slot is not None else ("action", envelope.action)
        groups.setdefault(key, []).append(envelope)
    ends = {group[-1].seq: key for key, group in groups.items()}
    starts = {group[0].seq: key for key, group in groups.items()}
    state, before = tape.state if tape else None, dict[tuple[str, int], Any]()
    finished = dict[tuple[str, int], Passage]()
    for envelope in envelopes:
        if envelope.seq in starts:
            before[starts[envelope.seq]] = state
        state = _evolved(ruleset, state, envelope)
        if envelope.seq in ends:
            key = ends[envelope.seq]
            finished[key] = Passage(envelopes=tuple(groups[key]), before=before[key], after=state)
    yield from sorted(finished.values(), key=lambda passage: passage.number)


def _evolved(ruleset: Ruleset[Any], state: Any, envelope: Envelope) -> Any:
    if is_core(envelope.type) and envelope.type != OPENED:
        return state
    match codec_for(ruleset).event(envelope):
        case None:
            return state
        case SessionOpened() as opened:
            return first_table(ruleset, opened)
        case event:
            return ruleset.record.evolve(state, event)


def type_of(taken: Event | None) -> str | None:
    """The command's type, where the event says what was asked."""
    return command_type(taken.command) if isinstance(taken, ActionTaken) else None


_WORDS = re.compile(rb"[a-z][a-z0-9_-]*")


def kinds(ruleset: Ruleset[Any], passage: Passage, viewer: Viewer) -> set[str | None]:
    """The command types this person may see in an entry: the action's own and those of its answers."""
    codec = codec_for(ruleset)
    return {
        type_of(codec.event(envelope))
        for envelope in visible(viewer, passage.envelopes)
        if envelope.type == ACTION_TAKEN
    }


def mentions(passage: Passage, viewer: Viewer, who: str) -> bool:
    """Whether what this person may see of an entry names that id."""
    wanted = who.encode()
    return any(
        wanted in _WORDS.findall(envelope.data or b"") for envelope in visible(viewer, passage.envelopes)
    )
