"""Corrections decided again: the same plan, told through the history as it was, gives the same changes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from eventlog.audience import visible
from eventlog.corrections import (
    ActionRevised,
    ActionUndone,
    Amend,
    AskUndo,
    CorrectionCommand,
    HistoryCommand,
    SettleRequest,
    Undo,
    UndoRequested,
)
from eventlog.history.reading import Past
from eventlog.history.recording import carried_out, planned, planner_of, read_by
from eventlog.history.requesting import approved_undo, asked_before, asked_by, closed_by, superseded
from eventlog.history.stock import address_of
from eventlog.history.stock_dice import Draw
from eventlog.verification.expected import Decided, Expected
from eventlog.verification.stored import Stored
from rulesets.dice import Roll


def corrected_again(past: Past, command: HistoryCommand, stored: Sequence[Stored]) -> Decided:
    """What a correction or a request leads to now.

    Raises `ValueError` where dice are wanted that were never thrown, and whatever refuses the correction now.
    """
    by = stored[0].envelope.by
    if isinstance(command, AskUndo):
        readers = asked_before(past, command, by.signer)
        return Decided([Expected(UndoRequested(target=command.target, by=by.name), readers)], [readers])
    if isinstance(command, SettleRequest):
        closed = Expected(closed_by(command), asked_by(past), corrects=command.verdict == "approve")
        if command.verdict != "approve":
            return Decided([closed], [asked_by(past)])
        decided = _carried_out(past, approved_undo(past.tape, command), stored)
        return Decided([*decided.events, closed], decided.asked)
    return _carried_out(past, command, stored, closes=True)


def _carried_out(
    past: Past, command: CorrectionCommand, stored: Sequence[Stored], *, closes: bool = False
) -> Decided:
    rolls = [roll for each in stored if isinstance(roll := getattr(each.event, "roll", None), Roll)]
    command = _as_taken(past, command, stored)
    issuer, typed = stored[0].envelope.by.signer, _typed(command, stored)
    plan = planned(planner_of(past), command, issuer, typed)
    corrected = carried_out(past, command, plan, _as_thrown(rolls))
    ended = superseded(past, corrected.told) if closes else ()
    events = [
        *(
            Expected(draft.event, draft.audience, draft.slot, draft.revision, corrects=True)
            for draft in corrected.drafts
        ),
        *(Expected(event, asked_by(past), corrects=True) for event in ended),
    ]
    return Decided(events, [read_by(corrected, issuer)])


def _as_taken(past: Past, command: CorrectionCommand, stored: Sequence[Stored]) -> CorrectionCommand:
    """An undo of the last action names what it took: what its maker saw of it only their characters told.

    Older logs hold some that took back what nobody but its player saw.
    """
    taken = (
        change.slot
        for each in stored
        if isinstance(each.event, ActionUndone)
        for change in each.event.targets
    )
    slot = next(taken, None)
    if not isinstance(command, Undo) or command.target is not None or slot is None:
        return command
    if past.history.revision(slot) is None:
        return command
    viewer, later = stored[0].envelope.by.signer, past.line(slot)[1:]
    return command if visible(viewer, later) else msgspec.structs.replace(command, target=slot)


def _typed(command: CorrectionCommand, stored: Sequence[Stored]) -> tuple[int, ...] | None:
    """The faces that were typed in with the correction: all that its target threw, step by step as it lies there."""
    if getattr(stored[0].event, "source", None) != "table":
        return None
    target = command.target if isinstance(command, Amend) else stored[0].envelope.action
    faces: list[int] = []
    step: int | None = None
    for each in stored:
        if isinstance(each.event, ActionRevised):
            step = each.event.action
        elif step == target and isinstance(roll := getattr(each.event, "roll", None), Roll):
            faces += (die.face for die in roll.dice)
    return tuple(faces)


def _as_thrown(rolls: Sequence[Roll]) -> Draw:
    faces = {address_of(roll, place): die.face for roll in rolls for place, die in enumerate(roll.dice, 1)}

    def draw(roll: int, index: int, sides: int) -> int:
        del sides
        if (roll, index) not in faces:
            raise ValueError("the rules want a die that was not thrown")
        return faces[roll, index]

    return draw
