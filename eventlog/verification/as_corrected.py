"""The tables kept of the history as it stands: each is what the log tells, or a correction would begin with another."""

from __future__ import annotations

from typing import Any

import msgspec

from eventlog.history.copied import AsLogged
from eventlog.history.points import folded, tape_at
from eventlog.history.reading import Past
from eventlog.logs import Checkpoint, Logs
from eventlog.tape import Tape, unwrap
from eventlog.verification.report import Fault


def spoilt_table(logs: Logs, session: str) -> Fault | None:
    """The first kept table that is not what the log tells; ask where everything else holds.

    Tables from before the first correction are never read, and those of another shape of the table are told anew.
    """
    kept = logs.corrected_checkpoints(session)
    if not kept:
        return None
    log = AsLogged(logs)
    tape = tape_at(log, session)
    past, start = Past(log, tape), tape.history.earliest
    if start is None:
        return None
    state, line = tape_at(log, session, start - 1).state, iter(past.between(start, tape.action))
    content = next(line, None)
    for each in kept:
        if each.action < start:
            continue
        while content is not None and past.history.place(content.slot) <= past.history.place(each.action):
            state = folded(past.ruleset, state, [content])
            content = next(line, None)
        if not _holds(past, each, state):
            return _spoilt(tape, each)
    return None


def _holds(past: Past, kept: Checkpoint, state: Any) -> bool:
    try:
        known = unwrap(past.ruleset, past.tape.session, kept.tape)
    except (msgspec.MsgspecError, ValueError):
        return False
    return known is None or known.state == state


def _spoilt(tape: Tape[Any], kept: Checkpoint) -> Fault:
    return Fault(
        seq=tape.version,
        action=tape.action,
        field="corrected",
        message=f"The table that is kept of the corrected history after action {kept.action} is not what the log tells; "
        "the events themselves are whole",
    )
