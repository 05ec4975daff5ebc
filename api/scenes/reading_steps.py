"""From one `[[step]]` to what it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from api.scenes.checking import Checks
from api.scenes.reading_corrections import INSERTING, KINDS, read_correction, read_insertion
from api.scenes.steps import CommandStep, CorrectionStep, ExpectStep, ForkStep, Step
from eventlog.core import ForkKind, VisibleTo
from eventlog.corrections import ActionNumber
from rulesets.contract import Name


class Around(msgspec.Struct, frozen=True, kw_only=True, rename={"issuer": "as"}):
    """The keys of a step that go around its command: who, with which dice, and whether it is refused."""

    issuer: str = "gm"
    dice: tuple[int, ...] | None = None
    answers: tuple[dict[str, Any], ...] = ()
    overrule: tuple[str, ...] = ()
    visible_to: VisibleTo = "everyone"
    refused: str | None = None


class Expectation(msgspec.Struct, frozen=True, kw_only=True, rename={"viewer": "as"}):
    """The keys of a step that looks at the table."""

    expect: dict[str, Any] = {}
    absent: tuple[str, ...] = ()
    viewer: str = "gm"


class Forking(msgspec.Struct, frozen=True, kw_only=True, rename={"at": "fork", "kind": "as"}):
    """The keys of a step after which the scene goes on in a fork."""

    at: ActionNumber | Literal["last"]
    title: Name | None = None
    kind: ForkKind = "fork"
    refused: str | None = None


AROUND = frozenset(Around.__struct_encode_fields__)
EXPECTATION = frozenset(Expectation.__struct_encode_fields__)
FORKING = frozenset(Forking.__struct_encode_fields__)
WORDS = ("text", "reason")
"""Keys that belong to the command where it has such a field, and otherwise are the words sent along with it."""
BEFORE = "before"
"""Makes a command one that was forgotten, unless the command has such a field itself."""


@dataclass(frozen=True, slots=True)
class StepReader:
    """Reads the steps of one scene file; mistakes are `SceneError`s that name the line."""

    checks: Checks

    def read(self, number: int, step: Mapping[str, Any]) -> Step:
        """The step with that number."""
        if "type" in step:
            return self._command(number, step)
        if "fork" in step:
            return self._fork(number, step)
        if any(kind in step for kind in KINDS):
            return read_correction(self.checks, number, step)
        if not EXPECTATION.isdisjoint(step.keys() - {"as"}):
            return self._expectation(number, step)
        raise self.checks.error(
            number,
            None,
            'a step is a command (type = "…"), a correction (undo, redo or amend), or an expectation '
            f"(expect = {{…}}); this one has {', '.join(step) or 'nothing'}",
        )

    def _fork(self, number: int, step: Mapping[str, Any]) -> ForkStep:
        self.checks.refuse_unknown(number, step, FORKING, "a fork")
        read = self.checks.converted(number, step, Forking)
        return ForkStep(
            number=number,
            line=self.checks.lines.of_step(number),
            at=None if read.at == "last" else read.at,
            title=read.title or "",
            kind=read.kind,
            refused=read.refused,
        )

    def _expectation(self, number: int, step: Mapping[str, Any]) -> ExpectStep:
        self.checks.refuse_unknown(number, step, EXPECTATION, "an expectation")
        read = self.checks.converted(number, step, Expectation)
        return ExpectStep(
            number=number,
            line=self.checks.lines.of_step(number),
            state=read.expect,
            absent=read.absent,
            viewer=self.checks.person(number, read.viewer),
        )

    def _command(self, number: int, step: Mapping[str, Any]) -> CommandStep | CorrectionStep:
        checks, asked = self.checks, step["type"]
        fields = checks.fields(number, asked)
        words = {key for key in WORDS if key not in fields}
        inserted = BEFORE in step and BEFORE not in fields
        known = fields | AROUND | words | {"type"} | ((INSERTING - fields) if inserted else set())
        checks.refuse_unknown(number, step, known, f"{asked!r}")
        around = checks.converted(number, {key: step[key] for key in step.keys() & AROUND}, Around)
        command = {key: value for key, value in step.items() if key in fields - AROUND or key == "type"}
        read = CommandStep(
            number=number,
            line=checks.lines.of_step(number),
            type=asked,
            answers=checks.answers(number, around.answers),
            command=msgspec.json.encode(command),
            dice=around.dice,
            text=self._sent_along(number, step, words),
            overrule=around.overrule,
            visible_to=around.visible_to,
            issuer=checks.issuer(number, around.issuer),
            refused=around.refused,
        )
        return read_insertion(checks, step, read) if inserted else read

    def _sent_along(self, number: int, step: Mapping[str, Any], words: set[str]) -> str:
        given = [key for key in WORDS if key in words and key in step]
        if len(given) > 1:
            raise self.checks.error(number, given[1], "`text` and `reason` are the same here: keep one")
        said = step[given[0]] if given else ""
        if not isinstance(said, str):
            raise self.checks.error(number, given[0], f"`{given[0]}` is some words in quotes")
        return said
