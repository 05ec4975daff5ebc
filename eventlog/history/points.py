"""Any point of a session: the tape as it was known then, and the table of the history as it is known now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from eventlog.core import CORE_EVENTS
from eventlog.errors import ActionUnknown, HistoryDoesNotFold
from eventlog.folding import with_fact
from eventlog.history.reading import Past
from eventlog.history.slots import Content
from eventlog.history.standing import History
from eventlog.logs import Log
from eventlog.tape import Tape, fold, unwrap
from rulesets.contract import Ruleset
from rulesets.installed import ruleset_named

_CORE = frozenset(CORE_EVENTS)


def tape_at(log: Log, session: str, action: int | None = None, latest: Tape[Any] | None = None) -> Tape[Any]:
    """The tape after an action (the last one when `None`), as it was known then.

    `latest` spares whoever has the session's last tape to look where it stands. Raises `SessionUnknown`,
    `ActionUnknown`, or `RulesetNotInstalled` where the game is not here.
    """
    head = latest or log.head(session)
    if action is None:
        action = head.action
    elif not 0 <= action <= head.action:
        raise ActionUnknown.of(action)
    ruleset = ruleset_named(head.ruleset)
    kept, rows = log.since_checkpoint(session, action)
    tape = unwrap(ruleset, session, kept.tape) if kept else None
    if kept and tape is None:
        rows = log.rows(session, 0, action)
    return fold(ruleset, session, rows, tape, lambda corrected: rewound(log, corrected))


def rewound(log: Log, tape: Tape[Any]) -> tuple[Any, int]:
    """The table at the end of a tape's history, told anew from the log, and the last slot filled there."""
    past = Past(log, tape)
    start = past.history.earliest
    if start is None or not 0 < start <= tape.action:
        raise HistoryDoesNotFold("There is no action of that number to correct", seq=tape.version)
    line = past.between(start, tape.action)
    _recorded(past.history, line, tape.version)
    before = tape_at(log, tape.session, start - 1).state
    return folded(past.ruleset, before, line), (line[-1].slot if line else past.last_filled(start) or 0)


def _recorded(history: History, line: Iterable[Content], seq: int) -> None:
    """Whatever a correction says stands was recorded once: else it would count as taken out, and nobody would know."""
    found = {content.slot for content in line}
    for touched in history.touched:
        if touched.revision is not None and touched.slot not in found:
            message = f"A correction lets revision {touched.revision} of action {touched.slot} stand, and there is none"
            raise HistoryDoesNotFold(message, seq=seq)


def table_before(past: Past, slot: int) -> Any:
    """The table before a slot in the history as it stands."""
    anchor, place = past.history.anchor(slot), past.history.place(slot)
    state, start = known_before(past, anchor)
    line = [each for each in past.between(start, anchor) if past.history.place(each.slot) < place]
    return folded(past.ruleset, state, line)


def corrected_at(log: Log, tape: Tape[Any], action: int) -> Tape[Any]:
    """The tape with the table of what stands up to an action, as it is known now. Raises `ActionUnknown`.

    An action that was put in is met at its place in the story.
    """
    past = Past(log, tape)
    past.action(action)
    known = table_in_place if past.history.is_inserted(action) else table_up_to
    return msgspec.structs.replace(tape, state=known(past, action), action=action)


def table_in_place(past: Past, slot: int) -> Any:
    """The table after a slot that was put in, in the history as it stands."""
    state, revision = table_before(past, slot), past.history.revision(slot)
    return state if revision is None else folded(past.ruleset, state, [past.content(slot, revision)])


def table_up_to(past: Past, action: int) -> Any:
    """The table of what stands of the actions up to that number, with what was put in before them."""
    log, tape, history = past.log, past.tape, past.history
    if action == tape.action:
        return tape.state
    if history.earliest is None or not history.earliest <= action < history.latest:
        return tape_at(log, tape.session, action).state
    # Told from where its slot begins: a table after the whole slot may hold answers that came later.
    state, start = known_before(past, past.slot_by(action))
    line = [_until(content, action) for content in past.between(start, action)]
    return folded(past.ruleset, state, line)


def folded(ruleset: Ruleset[Any], state: Any, line: Iterable[Content]) -> Any:
    """The table after these contents, from the one before them. Raises `HistoryDoesNotFold`, naming the event."""
    for content in line:
        for fact in content.facts:
            if fact.event is not None and type(fact.event) not in _CORE:
                state = with_fact(ruleset, state, fact.event, fact.seq)
    return state


def known_before(past: Past, action: int) -> tuple[Any, int]:
    """A table of the history as it stands, the nearest known before an action, and the number it goes on from."""
    log, tape, history = past.log, past.tape, past.history
    if history.earliest is None or action <= history.earliest or action > history.latest:
        return tape_at(log, tape.session, action - 1).state, action
    kept = log.corrected_checkpoint(tape.session, action - 1)
    known = unwrap(past.ruleset, tape.session, kept.tape) if kept else None
    if kept is not None and known is not None and kept.action >= history.earliest:
        return known.state, kept.action + 1
    return tape_at(log, tape.session, history.earliest - 1).state, history.earliest


def _until(content: Content, action: int) -> Content:
    steps = tuple(step for step in content.steps if step.action <= action or content.slot > action)
    return msgspec.structs.replace(content, steps=steps)
