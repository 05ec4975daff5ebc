"""From one `[[step]]` to what it asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import msgspec

from api.scenes.errors import SceneError
from api.scenes.lines import Lines
from api.scenes.people import People
from api.scenes.steps import CommandStep, ExpectStep, ForkStep, Step
from api.scenes.vocabulary import Vocabulary
from api.words import did_you_mean
from eventlog.core import ForkKind, VisibleTo
from eventlog.corrections import ActionNumber
from rulesets.contract import Name
from rulesets.people import Viewer
from rulesets.writing import in_words

_Keys = TypeVar("_Keys", bound=msgspec.Struct)


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
CORRECTIONS = ("undo", "redo", "amend")
WORDS = ("text", "reason")
"""Keys that belong to the command where it has such a field, and otherwise are the words sent along with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReader:
    """Reads the steps of one scene file; mistakes are `SceneError`s that name the line."""

    path: str
    lines: Lines
    people: People
    known: Vocabulary

    def read(self, number: int, step: dict[str, Any]) -> Step:
        """The step with that number."""
        if "type" in step:
            return self._command(number, step)
        if "fork" in step:
            return self._fork(number, step)
        if not EXPECTATION.isdisjoint(step.keys() - {"as"}):
            return self._expectation(number, step)
        later = next((key for key in CORRECTIONS if key in step), None)
        if later is not None:
            raise self._error(
                number,
                later,
                f"this version of Tabletape records and checks; it cannot {later} in a scene yet",
            )
        raise self._error(
            number,
            None,
            'a step is a command (type = "…") or an expectation (expect = {…}); '
            f"this one has {', '.join(step) or 'nothing'}",
        )

    def _fork(self, number: int, step: dict[str, Any]) -> ForkStep:
        self._refuse_unknown(number, step, FORKING, "a fork")
        read = self._converted(number, step, Forking)
        return ForkStep(
            number=number,
            line=self.lines.of_step(number),
            at=None if read.at == "last" else read.at,
            title=read.title or "",
            kind=read.kind,
            refused=read.refused,
        )

    def _expectation(self, number: int, step: dict[str, Any]) -> ExpectStep:
        self._refuse_unknown(number, step, EXPECTATION, "an expectation")
        read = self._converted(number, step, Expectation)
        return ExpectStep(
            number=number,
            line=self.lines.of_step(number),
            state=read.expect,
            absent=read.absent,
            viewer=self._person(number, read.viewer),
        )

    def _command(self, number: int, step: dict[str, Any]) -> CommandStep:
        asked = step["type"]
        fields = self._fields(number, asked)
        words = {key for key in WORDS if key not in fields}
        self._refuse_unknown(number, step, fields | AROUND | words | {"type"}, f"{asked!r}")
        around = self._converted(number, {key: step[key] for key in step.keys() & AROUND}, Around)
        for answer in around.answers:
            self._check_answer(number, answer)
        command = {key: value for key, value in step.items() if key in fields - AROUND or key == "type"}
        issuer = self._person(number, around.issuer)
        if issuer.role == "observer":
            raise self._error(number, "as", "an observer only looks on and asks for nothing")
        return CommandStep(
            number=number,
            line=self.lines.of_step(number),
            type=asked,
            command=msgspec.json.encode(command),
            answers=tuple(map(msgspec.json.encode, around.answers)),
            dice=around.dice,
            text=self._sent_along(number, step, words),
            overrule=around.overrule,
            visible_to=around.visible_to,
            issuer=issuer,
            refused=around.refused,
        )

    def _sent_along(self, number: int, step: dict[str, Any], words: set[str]) -> str:
        given = [key for key in WORDS if key in words and key in step]
        if len(given) > 1:
            raise self._error(number, given[1], "`text` and `reason` are the same here: keep one")
        said = step[given[0]] if given else ""
        if not isinstance(said, str):
            raise self._error(number, given[0], f"`{given[0]}` is some words in quotes")
        return said

    def _check_answer(self, number: int, answer: dict[str, Any]) -> None:
        asked = answer.get("type")
        if asked is None:
            raise self._error(number, "answers", 'an answer says what it is: { type = "…" }')
        fields = self._fields(number, asked, "answers")
        unknown = next((key for key in answer if key not in fields and key != "type"), None)
        if unknown is not None:
            hint = did_you_mean(unknown, fields)
            raise self._error(number, "answers", f"the answer {asked!r} has no {unknown!r}: {hint}")

    def _fields(self, number: int, asked: object, key: str = "type") -> frozenset[str]:
        if isinstance(asked, str) and asked in self.known:
            return self.known[asked]
        hint = did_you_mean(str(asked), self.known)
        raise self._error(number, key, f"there is no command {asked!r} in this game: {hint}")

    def _refuse_unknown(self, number: int, step: dict[str, Any], known: frozenset[str], what: str) -> None:
        unknown = next((key for key in step if key not in known), None)
        if unknown is not None:
            raise self._error(number, unknown, f"{what} has no {unknown!r}: {did_you_mean(unknown, known)}")

    def _converted(self, number: int, step: dict[str, Any], kind: type[_Keys]) -> _Keys:
        try:
            return msgspec.convert(step, kind)
        except msgspec.ValidationError as error:
            key = str(error).partition("`$.")[2].partition("`")[0].partition("[")[0]
            raise self._error(number, key or None, in_words(error)) from error

    def _person(self, number: int, name: str) -> Viewer:
        viewer = self.people.viewer(name)
        if viewer is None:
            hint = did_you_mean(name, self.people.names)
            raise self._error(number, "as", f"nobody called {name!r} is in this scene: {hint}")
        return viewer

    def _error(self, number: int, key: str | None, message: str) -> SceneError:
        line = self.lines.of_key(key, number) if key else self.lines.of_step(number)
        return SceneError(f"step {number}: {message}", path=self.path, line=line)
