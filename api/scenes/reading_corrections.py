"""From a `[[step]]` that corrects what happened to the correction it asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from api.correcting import Correction
from api.scenes.checking import Checks
from api.scenes.steps import CommandStep, CorrectionStep
from eventlog.corrections import UNCHANGED, Amend, CorrectionCommand, Insert, Mode, Otherwise, Redo, Undo

KINDS = ("undo", "redo", "amend")
"""The keys that make a step a correction; a command with `before` is one too."""


class With(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a later action goes on with where the correction changes it."""

    action: int
    answers: tuple[dict[str, Any], ...] | None = None
    dice: tuple[int, ...] | None = None


class Amendment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an action goes on with; what is left out stays as it was."""

    action: int
    command: dict[str, Any] | None = None
    answers: tuple[dict[str, Any], ...] | None = None
    dice: tuple[int, ...] | None = None
    overrule: tuple[str, ...] | None = None


class Touching(msgspec.Struct, frozen=True, kw_only=True, rename={"others": "with"}):
    """The keys of any correction: what becomes of later actions, and which of them it has to touch."""

    mode: Mode = "strict"
    others: tuple[With, ...] = ()
    touched: tuple[int, ...] | None = None
    falls: tuple[int, ...] | None = None


class Correcting(Touching, frozen=True, kw_only=True, rename={"issuer": "as", "others": "with"}):
    """The keys of a step that undoes, redoes or amends."""

    undo: int | Literal["last"] | None = None
    redo: int | None = None
    amend: Amendment | None = None
    through: bool = False
    reason: str = ""
    issuer: str = "gm"
    refused: str | None = None


class Inserting(Touching, frozen=True, kw_only=True, rename={"others": "with"}):
    """The keys of a command that was forgotten: the action it goes before."""

    before: int


CORRECTING = frozenset(Correcting.__struct_encode_fields__)
INSERTING = frozenset(Inserting.__struct_encode_fields__)


def read_correction(checks: Checks, number: int, step: Mapping[str, Any]) -> CorrectionStep:
    """The step with that number, which undoes, redoes or amends."""
    kinds = [kind for kind in KINDS if kind in step]
    if len(kinds) > 1:
        raise checks.error(number, kinds[1], f"one step corrects one thing: {kinds[0]} or {kinds[1]}")
    kind = kinds[0]
    checks.refuse_unknown(number, step, CORRECTING - (set(KINDS) - {kind}), f"a step that corrects ({kind})")
    read = checks.converted(number, step, Correcting)
    if read.through and not isinstance(read.undo, int):
        raise checks.error(number, "through", "`through` goes with the number of the action to undo to")
    dice = read.amend.dice if read.amend else None
    return CorrectionStep(
        number=number,
        line=checks.lines.of_step(number),
        type=kind,
        correction=Correction(command=_asked(checks, number, read), dice=dice, reason=read.reason),
        issuer=checks.issuer(number, read.issuer),
        refused=read.refused,
        touched=read.touched,
        falls=read.falls,
    )


def _asked(checks: Checks, number: int, read: Correcting) -> CorrectionCommand:
    others = _others(checks, number, read.others)
    if read.redo is not None:
        return Redo(target=read.redo, mode=read.mode, others=others)
    if read.amend is None:
        target = read.undo if isinstance(read.undo, int) else None
        return Undo(target=target, through=read.through, mode=read.mode, others=others)
    amend, command = read.amend, UNCHANGED
    if amend.command is not None:
        command = msgspec.Raw(checks.command(number, amend.command, "amend", "command"))
    return Amend(
        target=amend.action,
        command=command,
        answers=_answers(checks, number, amend.answers),
        overrule=amend.overrule,
        mode=read.mode,
        others=others,
    )


def read_insertion(checks: Checks, step: Mapping[str, Any], read: CommandStep) -> CorrectionStep:
    """A command that was forgotten, from the step and what was read of its command already."""
    if read.visible_to != "everyone":
        message = "what is put in between is as visible as the rules make it"
        raise checks.error(read.number, "visible_to", message)
    keys = checks.converted(read.number, {key: step[key] for key in step.keys() & INSERTING}, Inserting)
    insert = Insert(
        before=keys.before,
        command=msgspec.Raw(read.command),
        answers=tuple(map(msgspec.Raw, read.answers)),
        overrule=read.overrule,
        mode=keys.mode,
        others=_others(checks, read.number, keys.others),
    )
    return CorrectionStep(
        number=read.number,
        line=read.line,
        type=read.type,
        correction=Correction(command=insert, dice=read.dice, reason=read.text),
        issuer=read.issuer,
        refused=read.refused,
        touched=keys.touched,
        falls=keys.falls,
    )


def _others(checks: Checks, number: int, withs: Sequence[With]) -> tuple[Otherwise, ...]:
    return tuple(
        Otherwise(action=each.action, answers=_answers(checks, number, each.answers), dice=each.dice)
        for each in withs
    )


def _answers(
    checks: Checks, number: int, given: Sequence[Mapping[str, Any]] | None
) -> tuple[msgspec.Raw, ...] | None:
    return None if given is None else tuple(map(msgspec.Raw, checks.answers(number, given)))
