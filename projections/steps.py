"""Steps: the events of a log cut where somebody asked for something, and the tables they lead along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from eventlog.codec import codec_for, core_type, is_core
from eventlog.commands import command_type
from eventlog.core import ActionTaken, NoteAdded, SessionOpened
from eventlog.corrections import CORRECTION_EVENTS, ActionRevised
from eventlog.envelope import Envelope
from eventlog.folding import with_fact
from eventlog.tape import first_table
from rulesets.contract import Event, Ruleset

ACTION_TAKEN, OPENED, REVISED = core_type(ActionTaken), core_type(SessionOpened), core_type(ActionRevised)
NOTE = core_type(NoteAdded)
CORRECTIONS = frozenset(core_type(event) for event in CORRECTION_EVENTS)


@dataclass(slots=True)
class Step:
    """One action's events in one revision of a slot; all of an action that has no slot."""

    number: int
    slot: int | None
    revision: int
    envelopes: list[Envelope] = field(default_factory=list)


def split(envelopes: Iterable[Envelope]) -> Iterator[Step]:
    """Events cut into steps, each beginning with what was asked."""
    step: Step | None = None
    for each in envelopes:
        key = (each.slot, each.revision)
        begins = each.type in (ACTION_TAKEN, REVISED, OPENED)
        if step is None or begins or (step.slot, step.revision) != key or _is_other(step, each):
            if step is not None:
                yield step
            step = Step(_number(each), *key)
        step.envelopes.append(each)
    if step is not None:
        yield step


def _is_other(step: Step, envelope: Envelope) -> bool:
    return step.envelopes[0].action != envelope.action


def _number(envelope: Envelope) -> int:
    if envelope.type != REVISED or envelope.data is None:
        return envelope.action
    return msgspec.json.decode(envelope.data, type=ActionRevised).action


def evolved(ruleset: Ruleset[Any], state: Any, envelope: Envelope) -> Any:
    """The table after one more event of the log; the recorder's own change nothing, but for the opening."""
    if is_core(envelope.type) and envelope.type != OPENED:
        return state
    match codec_for(ruleset).event(envelope):
        case None:
            return state
        case SessionOpened() as opened:
            return first_table(ruleset, opened)
        case event:
            return with_fact(ruleset, state, event, envelope.seq)


def type_of(begun: Event | None) -> str | None:
    """The command's type, where the event says what was asked."""
    return command_type(begun.command) if isinstance(begun, ActionTaken | ActionRevised) else None
