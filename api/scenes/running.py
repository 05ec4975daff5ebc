"""Playing a scene step by step, until it ends or something is not as it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import msgspec

from api.scenes.differences import Difference, differences, present
from api.scenes.steps import CommandStep, ExpectStep, ForkStep, Scene, Step
from api.scenes.table import Refused, TableUnderTest


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
    match step:
        case ExpectStep():
            return await _expect(step, table)
        case CommandStep() | ForkStep():
            if step.refused is None:
                return await _accepted(step, table)
            return await _refused(step, step.refused, table)
        case _:
            assert_never(step)


async def _expect(step: ExpectStep, table: TableUnderTest) -> Failure | None:
    found = await table.state(step.viewer)
    differ = (*differences(step.state, found), *present(step.absent, found))
    if not differ:
        return None
    eyes = "" if step.viewer.role == "gm" else f" in the eyes of {step.viewer.name or step.viewer.role}"
    return Failure(step=step, message=f"the table{eyes} is not as expected", differences=differ)


async def _asked(step: CommandStep | ForkStep, table: TableUnderTest) -> Refused | None:
    return await (table.act(step) if isinstance(step, CommandStep) else table.fork(step))


async def _accepted(step: CommandStep | ForkStep, table: TableUnderTest) -> Failure | None:
    refused = await _asked(step, table)
    if refused is None:
        return None
    return Failure(step=step, message=f"{step.type} was refused ({refused.code}): {refused.message}")


async def _refused(step: CommandStep | ForkStep, code: str, table: TableUnderTest) -> Failure | None:
    before = await table.version()
    refused = await _asked(step, table)
    if refused is None:
        return Failure(step=step, message=f"{step.type} should be refused ({code}), but it was accepted")
    if refused.code != code:
        return Failure(
            step=step,
            message=f"{step.type} should be refused ({code}), but it was refused ({refused.code}): {refused.message}",
        )
    added = await table.version() - before
    if added:
        return Failure(
            step=step, message=f"{step.type} was refused ({code}), but {added} events were recorded"
        )
    return None
