"""Replay: a session told again action by action, each with the table right after it, as one person may see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from eventlog.envelope import Envelope, row_of
from eventlog.errors import ActionUnknown
from eventlog.history.points import rewound, tape_at
from eventlog.history.reading import Past
from eventlog.logs import Log
from eventlog.tape import Tape, fold, unwrap
from projections.entries import Entry, entry
from projections.passages import Passage
from projections.reading import Reader
from projections.rewording import put_in_before
from projections.standing import standing_steps
from projections.steps import CORRECTIONS
from projections.table import state_document
from rulesets.people import Viewer

ACTIONS_AT_ONCE = 64
"""Actions read from the log at once: what a frame costs does not depend on how long the session is."""


class ReplayFrame(msgspec.Struct, frozen=True, kw_only=True):
    """One action of a replay: when it was taken, its line and entry in the timeline, and the table right after it.

    `version` is the session's last `seq` at that point; of the history as it stands, that of today. `state_hash`
    is the SHA-256 of `state`.
    """

    action: int
    at: str
    line: str
    entry: Entry
    version: int
    state: dict[str, Any]
    state_hash: str


def replay(  # noqa: PLR0913 - where, for whom, from and to, and in which telling
    log: Log,
    session: str,
    viewer: Viewer,
    *,
    first: int = 0,
    last: int | None = None,
    corrected: bool = False,
) -> Iterator[ReplayFrame]:
    """The actions numbered first to last (the latest when `None`), a frame each.

    As the session was known then: every action in the order it was taken, undone ones and corrections too.
    `corrected` tells the history as it stands instead: what was undone is left out, what was amended is told as
    it goes now, and what was forgotten in its place; corrections and requests for them are no part of it. What is
    hidden from the viewer has no frame. Raises `SessionUnknown`, `ActionUnknown` or `RulesetNotInstalled` at once.
    """
    tape = tape_at(log, session)
    end = tape.action if last is None else last
    for number in (first, end):
        if not 0 <= number <= tape.action:
            raise ActionUnknown.of(number)
    told = _as_it_stands if corrected else _as_known_then
    return told(Past(log, tape), viewer, first, end)


def _frame(told: Entry, tape: Tape[Any], viewer: Viewer) -> ReplayFrame:
    table = state_document(tape, viewer)
    return ReplayFrame(
        action=told.number,
        at=told.at,
        line=told.line,
        entry=told,
        version=table.version,
        state=table.state,
        state_hash=table.state_hash,
    )


# --- as it was known then -------------------------------------------------------------------------------------


def _as_known_then(past: Past, viewer: Viewer, first: int, last: int) -> Iterator[ReplayFrame]:
    reader = Reader.of(past)
    answering = reader.answering() or frozenset()
    tape = tape_at(past.log, past.tape.session, first - 1) if first else None
    for envelopes in _actions(past, first, last):
        before = tape.state if tape else None
        tape = _wound(past, tape, envelopes)
        corrects = any(each.type in CORRECTIONS for each in envelopes)
        told = entry(
            past.ruleset,
            Passage(
                number=envelopes[0].action,
                slot=envelopes[0].slot,
                envelopes=tuple(each for each in envelopes if each.slot is None or not corrects),
                before=before,
                after=tape.state,
                origin=envelopes[0],
                answering=answering,
                reworded=reader.reworded(envelopes),
            ),
            viewer,
        )
        if told is not None:
            yield _frame(told, tape, viewer)


def _actions(past: Past, first: int, last: int) -> Iterator[list[Envelope]]:
    """The events of one action after the other."""
    for start in range(first, last + 1, ACTIONS_AT_ONCE):
        found: dict[int, list[Envelope]] = {}
        for each in past.log.actions(past.tape.session, start, min(last, start + ACTIONS_AT_ONCE - 1)):
            found.setdefault(each.action, []).append(each)
        yield from found.values()


def _wound(past: Past, tape: Tape[Any] | None, envelopes: list[Envelope]) -> Tape[Any]:
    """The tape after one more action."""

    def rewind(corrected: Tape[Any]) -> tuple[Any, int]:
        kept = past.log.checkpoint(corrected.session, corrected.action)
        if kept is not None and kept.action == corrected.action:
            known = unwrap(past.ruleset, corrected.session, kept.tape)
            if known is not None:
                return known.state, known.slot
        return rewound(past.log, corrected)

    return fold(past.ruleset, past.tape.session, map(row_of, envelopes), tape, rewind)


# --- as it stands ---------------------------------------------------------------------------------------------


def _as_it_stands(past: Past, viewer: Viewer, first: int, last: int) -> Iterator[ReplayFrame]:
    answering = Reader.of(past).answering() or frozenset()
    for step in standing_steps(past, first, last):
        told = entry(
            past.ruleset,
            Passage(
                number=step.number,
                slot=step.slot,
                inserted=step.inserted,
                put_in=put_in_before(past, step.number) if step.inserted else None,
                envelopes=step.envelopes,
                before=step.before,
                after=step.after,
                origin=step.origin,
                changed_by=step.changed_by,
                answering=answering,
            ),
            viewer,
        )
        if told is not None:
            tape = msgspec.structs.replace(past.tape, state=step.after, action=step.number)
            yield _frame(told, tape, viewer)
