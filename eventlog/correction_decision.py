"""Corrections and requests for them as decisions of the recorder, and as a look ahead."""

from __future__ import annotations

from typing import Any

from eventlog.beginning import Decision, allow, begun, takes_neither, words_of
from eventlog.commands import read_command
from eventlog.corrections import (
    AskUndo,
    CorrectionCommand,
    HistoryCommand,
    Redo,
    SettleRequest,
    Undo,
    UndoRequestClosed,
)
from eventlog.errors import CommandMalformed
from eventlog.history.reading import Past
from eventlog.history.recording import Corrected, correct
from eventlog.history.requesting import approved_undo, asked_by, asked_undo, settled, superseded
from eventlog.history.stock_dice import Draw, draw_nothing
from eventlog.history.touching import Told
from eventlog.logs import Log
from eventlog.playing import Draft
from eventlog.requests import Request
from eventlog.tape import Tape
from rulesets.people import Audience


def foresee(tape: Tape[Any], request: Request, log: Log) -> Told:
    """What a correction would come to: nothing is drawn, and nothing is refused that only its mode would refuse.

    Raises like `decide`, and `CommandMalformed` for a command that is no correction.
    """
    command, past = read_command(tape.ruleset, tape.rules, request.command), Past(log, tape)
    allow(tape, request.issuer, typed=request.dice is not None, overrules=bool(request.overrule))
    approves = isinstance(command, SettleRequest) and command.verdict == "approve"
    if isinstance(command, SettleRequest) and approves:
        settled(tape, command, request.issuer)
        command = approved_undo(tape, command)
    if not isinstance(command, CorrectionCommand):
        raise CommandMalformed("Only a correction is looked ahead to")
    return correct(
        past, command, request.issuer, request.dice, draw_nothing, ahead=True, approves=approves
    ).told


def decide_correction(past: Past, request: Request, command: HistoryCommand, draw: Draw) -> Decision:
    """What a correction or a request for one comes to. Raises like `decide`."""
    if request.answers or request.overrule:
        raise CommandMalformed("Answers and overrule of a correction stand in its command")
    tape = past.tape
    if isinstance(command, AskUndo):
        takes_neither(request)
        asked = asked_undo(past, command, request.issuer)
        return _beside(tape, request, (asked,), asked.audience)
    if isinstance(command, SettleRequest):
        return _settle(past, request, command, draw)
    if isinstance(command, Undo | Redo):
        takes_neither(request)
    corrected = correct(past, command, request.issuer, request.dice, draw)
    return _told(past, request, corrected, tuple(superseded(past, corrected.told)))


def _settle(past: Past, request: Request, command: SettleRequest, draw: Draw) -> Decision:
    takes_neither(request)
    closed = settled(past.tape, command, request.issuer)
    if closed.outcome != "approved":
        if command.others:
            raise CommandMalformed("Only an approved undo decides other actions again: leave `with` out")
        audience = asked_by(past)
        return _beside(past.tape, request, (Draft(event=closed, audience=audience),), audience)
    corrected = correct(past, approved_undo(past.tape, command), request.issuer, None, draw, approves=True)
    return _told(past, request, corrected, (closed,))


def _beside(tape: Tape[Any], request: Request, drafts: tuple[Draft, ...], audience: Audience) -> Decision:
    """Something that has a number and no place in the story."""
    return Decision(
        drafts=(begun(tape, request, audience), *words_of(tape, request, audience), *drafts),
        slot=tape.slot,
        state=tape.state,
        next_roll=tape.next_roll,
    )


def _told(
    past: Past, request: Request, corrected: Corrected, closed: tuple[UndoRequestClosed, ...]
) -> Decision:
    tape, told, audience = past.tape, corrected.told, corrected.audience
    return Decision(
        drafts=(
            begun(tape, request, audience),
            *words_of(tape, request, audience),
            *corrected.drafts,
            *(Draft(event=event, audience=asked_by(past)) for event in closed),
        ),
        slot=corrected.last,
        state=told.state,
        next_roll=told.next_roll,
        told=told,
        first=corrected.first,
    )
