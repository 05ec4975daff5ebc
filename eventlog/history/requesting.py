"""A player's request for an undo, and the verdict on it, as they are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from eventlog.corrections import (
    AskUndo,
    Otherwise,
    SettleRequest,
    Undo,
    UndoRequestClosed,
    UndoRequested,
)
from eventlog.history.permission import may_ask, may_settle
from eventlog.history.reading import Past
from eventlog.history.slots import everybody_of
from eventlog.history.touching import Told
from eventlog.playing import Draft
from eventlog.tape import Tape
from rulesets.people import EVERYONE, Audience, Viewer


def asked_undo(past: Past, command: AskUndo, issuer: Viewer) -> Draft:
    """A player's request, as it is recorded: seen by whoever sees anything of its target."""
    audience = asked_before(past, command, issuer)
    may_ask(past, command, issuer)
    return Draft(event=UndoRequested(target=command.target, by=issuer.name), audience=audience)


def asked_before(past: Past, command: AskUndo, issuer: Viewer) -> Audience:
    """Who sees a request. Raises `ActionUnknown`."""
    found = past.action(command.target)
    return everybody_of([*(each.audience for each in found), (f"player:{issuer.name}", "gm")])


def asked_by(past: Past) -> Audience:
    """Whoever may see the request that is open."""
    return past.action(past.tape.request.number)[0].audience if past.tape.request else EVERYONE


def settled(tape: Tape[Any], command: SettleRequest, issuer: Viewer) -> UndoRequestClosed:
    """The verdict on a request as it is recorded."""
    may_settle(tape, command, issuer)
    return closed_by(command)


def closed_by(command: SettleRequest) -> UndoRequestClosed:
    """The end a verdict puts to a request."""
    words = {"approve": "approved", "deny": "denied", "cancel": "cancelled"}
    return msgspec.convert({"request": command.request, "outcome": words[command.verdict]}, UndoRequestClosed)


def approved_undo(tape: Tape[Any], command: SettleRequest) -> Undo:
    """The undo an approved request comes to."""
    target = tape.request.target if tape.request else None
    others: tuple[Otherwise, ...] = command.others
    return Undo(target=target, mode=command.mode, others=others)


def superseded(past: Past, told: Told) -> Iterator[UndoRequestClosed]:
    """The end of a request whose action a correction takes out of the story otherwise."""
    asked = past.tape.request
    slot = past.slot(asked.target) if asked else None
    change = next((each for each in told.changes if each.slot == slot), None)
    if asked is None or change is None:
        return
    revised = next((each for each in told.revised if each.slot == slot), None)
    standing = [] if revised is None else [retold.step.action for retold in revised.again.steps]
    if change.after is None or (revised is not None and asked.target not in standing):
        yield UndoRequestClosed(request=asked.number, outcome="superseded")
