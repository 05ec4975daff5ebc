"""Playing a scene step by step, until it ends or something is not as it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

import msgspec

from api.scenes.differences import Difference, differences, present
from api.scenes.effects import Effect
from api.scenes.steps import CommandStep, CorrectionStep, ExpectStep, ForkStep, Scene, Step
from api.scenes.table import Refused, TableUnderTest
from rulesets.subset import shown

Asking: TypeAlias = CommandStep | CorrectionStep | ForkStep
"""Steps that ask for something."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """The step that did not come out as the scene says, in words, and the places that differ."""

    step: Step
    message: str
    differences: tuple[Difference, ...] = ()


async def run_steps(
    scene: Scene, table: TableUnderTest, progress: Callable[[], object] = lambda: None
) -> Failure | None:
    """Play the steps in order at a table where the scene was opened; the first that fails ends it.

    `progress` is called after each step.
    """
    for step in scene.steps:
        failure = await _play(step, table)
        if failure is not None:
            return failure
        progress()
    return None


async def _play(step: Step, table: TableUnderTest) -> Failure | None:
    if isinstance(step, ExpectStep):
        return await _expect(step, table)
    before = await table.version() if step.refused is not None else 0
    effect, refused = await _asked(step, table)
    failure = _accepted(step, refused) if step.refused is None else _refused(step, step.refused, refused)
    if failure is None and step.refused is not None and (added := await table.version() - before):
        message = f"{step.type} was refused ({step.refused}), but {added} events were recorded"
        return Failure(step=step, message=message)
    if failure is None and isinstance(step, CorrectionStep):
        return _effect(step, effect)
    return failure


async def _asked(step: Asking, table: TableUnderTest) -> tuple[Effect, Refused | None]:
    """What a step asks for did to others, and the refusal where there was one."""
    match step:
        case CommandStep():
            return Effect(), await table.act(step)
        case ForkStep():
            return Effect(), await table.fork(step)
        case CorrectionStep():
            answer = await table.correct(step)
            return (answer.effect, answer) if isinstance(answer, Refused) else (answer, None)
        case _:
            assert_never(step)


async def _expect(step: ExpectStep, table: TableUnderTest) -> Failure | None:
    found = await table.state(step.viewer)
    differ = (*differences(step.state, found), *present(step.absent, found))
    if not differ:
        return None
    eyes = "" if step.viewer.role == "gm" else f" in the eyes of {step.viewer.name or step.viewer.role}"
    return Failure(step=step, message=f"the table{eyes} is not as expected", differences=differ)


def _accepted(step: Asking, refused: Refused | None) -> Failure | None:
    if refused is None:
        return None
    return Failure(step=step, message=f"{step.type} was refused ({refused.code}): {refused.message}")


def _refused(step: Asking, code: str, refused: Refused | None) -> Failure | None:
    wanted = f"{step.type} should be refused ({code})"
    if refused is None:
        return Failure(step=step, message=f"{wanted}, but it was accepted")
    if refused.code != code:
        return Failure(step=step, message=f"{wanted}, but it was refused ({refused.code}): {refused.message}")
    return None


def _effect(step: CorrectionStep, effect: Effect) -> Failure | None:
    """Whether a correction touched what the scene says, and nothing else."""
    said = (("touched", step.touched, effect.touched), ("falls", step.falls, effect.falls))
    differ = tuple(
        Difference(path=key, expected=shown(sorted(expected)), found=shown(list(found)))
        for key, expected, found in said
        if expected is not None and sorted(expected) != list(found)
    )
    if not differ:
        return None
    message = f"{step.type} does not touch what the scene says"
    return Failure(step=step, message=message, differences=differ)
