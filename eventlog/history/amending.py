"""From an amendment, or from what was forgotten, to what its slot shall hold."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from eventlog.core import ThrowDice
from eventlog.corrections import UNCHANGED, Amend, Insert
from eventlog.envelope import By
from eventlog.errors import CommandMalformed
from eventlog.history.errors import AlreadyUndone, DiceWereThrown, NothingToUndo
from eventlog.history.proposing import Plan, Planner
from eventlog.history.retold import canonical
from eventlog.history.slots import Content, Step, rolls_in_facts
from eventlog.history.standing import FIRST_INSERTED_REVISION
from eventlog.history.touching import Proposal
from rulesets.people import EVERYONE, Viewer

Typed: TypeAlias = tuple[int, ...] | None
"""Faces that were typed in with a correction."""


def amend(planner: Planner, command: Amend, typed: Typed) -> Plan:
    """Raises `NothingToUndo`, `AlreadyUndone`, `DiceWereThrown`, `CommandMalformed`."""
    found = planner.past.action(command.target)
    slot = planner.slot_of(command.target, found)
    if slot is None:
        raise NothingToUndo(
            f"Action {command.target} is a correction: undo it, then correct otherwise",
            action=command.target,
        )
    content = planner.past.content(slot, planner.filled(slot))
    at = command.target if slot != command.target else content.steps[0].action
    index = next((i for i, step in enumerate(content.steps) if step.action == at), None)
    if index is None:
        raise AlreadyUndone(f"Action {command.target} was undone before", action=command.target)
    step = _amended(planner, content.steps[index], command, typed)
    later = content.steps[index + 1 :]
    if command.answers is not None:
        later = tuple(each for each in later if not planner.is_answer(each))
    proposal = Proposal(
        content=msgspec.structs.replace(content, steps=(*content.steps[:index], step, *later)),
        outcome="amended",
        dice_of=content,
        meant=step.action,
        answered=command.answers is not None,
        typed=typed,
    )
    return Plan(proposals={slot: proposal}, first=slot, history=planner.past.history)


def _amended(planner: Planner, step: Step, command: Amend, typed: Typed) -> Step:
    changed = bytes(command.command) != bytes(UNCHANGED)
    if changed:
        _is_deed(planner, command.command)
    if typed is not None and step.source == "server" and rolls_in_facts(step.facts):
        raise DiceWereThrown(
            f"The server threw the dice of action {step.action}, and they stay what they are: leave `dice` out",
            action=step.action,
        )
    return msgspec.structs.replace(
        step,
        command=canonical(command.command) if changed else step.command,
        answers=step.answers if command.answers is None else tuple(map(canonical, command.answers)),
        overrule=step.overrule if command.overrule is None else command.overrule,
        source="table" if typed is not None else step.source,
        facts=(),
        reason=step.reason if command.overrule is None else "",
    )


def insert(planner: Planner, command: Insert, issuer: Viewer, typed: Typed) -> Plan:
    """Raises `NothingToUndo` where `before` is no place in the story, `CommandMalformed`."""
    slot = planner.past.tape.action + 1
    before = planner.slot_of(command.before, planner.past.action(command.before))
    if before is None:
        raise NothingToUndo(
            f"Action {command.before} is a correction: name the action of the story to go before",
            action=command.before,
        )
    _is_deed(planner, command.command)
    step = Step(
        action=slot,
        by=By.viewer(issuer),
        command=canonical(command.command),
        answers=tuple(map(canonical, command.answers)),
        source="server" if typed is None else "table",
        overrule=command.overrule,
        rulings=planner.past.tape.settings.rulings == "default",
        audience=EVERYONE,
        facts=(),
    )
    content = Content(slot=slot, revision=FIRST_INSERTED_REVISION, steps=(step,))
    proposal = Proposal(content=content, outcome="inserted", meant=slot, answered=True, typed=typed)
    history = planner.past.history.with_inserted(slot, before)
    return Plan(proposals={slot: proposal}, first=before, history=history, before=before)


def _is_deed(planner: Planner, raw: msgspec.Raw) -> None:
    """Refuse what has no place in the story."""
    command = planner.read(raw)
    if not isinstance(command, (ThrowDice, *planner.rules.commands)) if planner.rules else False:
        raise CommandMalformed(
            "Only a command of the game or a roll has a place in the story; notes, settings and corrections "
            "have none"
        )
