"""Who may correct what: the GM anything, a player their own last action as long as no die was shown in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eventlog.corrections import AskUndo, CorrectionCommand, Insert, SettleRequest, Undo
from eventlog.envelope import By, Envelope
from eventlog.errors import (
    ActedSince,
    DiceShown,
    NoSuchRequest,
    NotAllowed,
    NothingToUndo,
    NotYours,
    RequestOpen,
    UndoOff,
)
from eventlog.history.correcting import Proposal, rolls_in_facts
from eventlog.history.proposing import Plan
from eventlog.history.reading import Past
from eventlog.history.slots import Content, Step
from eventlog.tape import Tape
from rulesets.people import Viewer

ASK = "ask the GM for it (an undo request)"


def may_correct(tape: Tape[Any], command: CorrectionCommand, issuer: Viewer) -> None:
    """Refuse a correction this person may not make at all, whatever it names. Raises `UndoOff`, `NotAllowed`."""
    setting = tape.settings.undo
    if setting == "off":
        raise UndoOff(
            "Undo is off in this session; the GM can set `undo` to gm, own_last or request", undo=setting
        )
    if issuer.role == "gm":
        return
    if setting == "gm":
        raise UndoOff("Only the GM corrects anything in this session", undo=setting, needs="gm")
    if isinstance(command, Insert):
        raise NotAllowed("Only the GM puts a forgotten action in between", needs="gm")
    if command.mode != "strict" or (isinstance(command, Undo) and command.through):
        raise NotAllowed("Only the GM corrects what later actions stand on", needs="gm")


def own_last(past: Past, plan: Plan, issuer: Viewer) -> None:
    """Refuse a player's correction of anything but their own last action without dice.

    Raises `NotYours`, `ActedSince`, `DiceShown`, each saying who can.
    """
    if issuer.role == "gm":
        return
    if plan.correction is not None:
        _own_correction(past, plan.correction, issuer)
        return
    slot, proposal = next(iter(plan.proposals.items()))
    content = past.content(slot, past.history.revision(slot) or 1)
    steps = _taken_out(content, proposal)
    others = [step for step in steps if step.by != By.viewer(issuer)]
    if others:
        raise NotYours(
            f"Action {others[0].action} is not yours: {_who(past.tape, 'its player')}",
            action=others[0].action,
        )
    last = past.last_filled()
    if last != slot or steps[-1].action != content.steps[-1].action:
        since = last if last != slot else content.steps[-1].action
        raise ActedSince(
            f"Action {since} came after action {steps[0].action}: {_who(past.tape)}",
            action=steps[0].action,
            since=since,
        )
    shown = next((step for step in steps if rolls_in_facts(step.facts)), None)
    if shown is not None:
        raise DiceShown(
            f"Dice were shown in action {shown.action}; decisions are taken back, dice are not: {_who(past.tape)}",
            action=shown.action,
        )


def _taken_out(content: Content, proposal: Proposal) -> Sequence[Step]:
    """The steps a correction would take out or change."""
    if proposal.content is None:
        return content.steps
    kept = proposal.content.steps
    return [step for step in content.steps if step not in kept] or content.steps


def _own_correction(past: Past, number: int, issuer: Viewer) -> None:
    found = past.action(number)
    if found[0].by != By.viewer(issuer):
        raise NotYours(
            f"Correction {number} is not yours: {_who(past.tape, 'whoever made it')}", action=number
        )
    last = past.last_filled()
    if last is not None and last > number:
        raise ActedSince(
            f"Action {last} came after correction {number}: {_who(past.tape)}", action=number, since=last
        )


def _who(tape: Tape[Any], also: str = "") -> str:
    whom = f"{also} or the GM can undo it" if also else "only the GM can undo it now"
    return f"{whom}; {ASK}" if tape.settings.undo == "request" else whom


# --- requests -------------------------------------------------------------------------------------------------


def may_ask(tape: Tape[Any], command: AskUndo, issuer: Viewer, found: Sequence[Envelope]) -> None:
    """Refuse a request that cannot be made now. Raises `UndoOff`, `NotAllowed`, `RequestOpen`, `NothingToUndo`."""
    if tape.settings.undo != "request":
        raise UndoOff(
            "Requests are off in this session; the GM can set `undo` to request", undo=tape.settings.undo
        )
    if issuer.role == "gm":
        raise NotAllowed("The GM needs nobody's leave: undo it", needs="player")
    if tape.request is not None:
        raise RequestOpen(
            f"Action {tape.request.number} already asks the GM to undo action {tape.request.target}; one at a time",
            request=tape.request.number,
            target=tape.request.target,
        )
    if found[0].slot is None:
        raise NothingToUndo(
            f"Action {command.target} is not part of the story, so nobody can undo it", action=command.target
        )


def may_settle(tape: Tape[Any], command: SettleRequest, issuer: Viewer) -> None:
    """Refuse a verdict on a request. Raises `NoSuchRequest`, `NotAllowed`."""
    asked = tape.request
    if asked is None or asked.number != command.request:
        raise NoSuchRequest(f"No request {command.request} is open", request=command.request)
    if command.verdict == "cancel" and issuer.role != "gm" and issuer.name != asked.by:
        raise NotAllowed("Only whoever asked cancels a request", needs="player")
    if command.verdict != "cancel" and issuer.role != "gm":
        raise NotAllowed("Only the GM settles a request", needs="gm")
