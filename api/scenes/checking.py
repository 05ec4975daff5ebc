"""Checks that every kind of step shares; each mistake is a `SceneError` that names the line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from api.plain import plainly
from api.scenes.errors import SceneError
from api.scenes.lines import Lines
from api.scenes.people import People
from api.scenes.vocabulary import Vocabulary
from api.words import did_you_mean
from rulesets.people import Viewer

_Keys = TypeVar("_Keys", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What one scene file knows: its lines, its people, and the commands of its game."""

    path: str
    lines: Lines
    people: People
    known: Vocabulary

    def fields(self, number: int, asked: object, key: str = "type") -> frozenset[str]:
        """The fields a command takes."""
        if isinstance(asked, str) and asked in self.known:
            return self.known[asked]
        hint = did_you_mean(str(asked), self.known)
        raise self.error(number, key, f"there is no command {asked!r} in this game: {hint}")

    def answers(self, number: int, given: Iterable[Mapping[str, Any]]) -> tuple[bytes, ...]:
        """Answers as JSON."""
        return tuple(self.command(number, each, "answers", "answer") for each in given)

    def command(self, number: int, given: Mapping[str, Any], key: str, what: str) -> bytes:
        """A command that stands in a table of its own, as JSON."""
        if "type" not in given:
            article = "an" if what == "answer" else "a"
            raise self.error(number, key, f'{article} {what} says what it is: {{ type = "…" }}')
        fields = self.fields(number, given["type"], key)
        unknown = next((name for name in given if name not in fields and name != "type"), None)
        if unknown is not None:
            hint = did_you_mean(unknown, fields)
            raise self.error(number, key, f"the {what} {given['type']!r} has no {unknown!r}: {hint}")
        return msgspec.json.encode(given)

    def refuse_unknown(self, number: int, step: Mapping[str, Any], known: frozenset[str], what: str) -> None:
        """Refuse a key nobody reads."""
        unknown = next((key for key in step if key not in known), None)
        if unknown is not None:
            raise self.error(number, unknown, f"{what} has no {unknown!r}: {did_you_mean(unknown, known)}")

    def converted(self, number: int, step: Mapping[str, Any], kind: type[_Keys]) -> _Keys:
        """The keys of a step as values."""
        try:
            return msgspec.convert(step, kind)
        except msgspec.ValidationError as error:
            key = str(error).partition("`$.")[2].partition("`")[0].partition("[")[0].partition(".")[0]
            raise self.error(number, key or None, plainly(kind, error)) from error

    def person(self, number: int, name: str) -> Viewer:
        """Somebody at the table."""
        viewer = self.people.viewer(name)
        if viewer is None:
            hint = did_you_mean(name, self.people.names)
            raise self.error(number, "as", f"nobody called {name!r} is in this scene: {hint}")
        return viewer

    def issuer(self, number: int, name: str) -> Viewer:
        """Somebody who may ask for things."""
        viewer = self.person(number, name)
        if viewer.role == "observer":
            raise self.error(number, "as", "an observer only looks on and asks for nothing")
        return viewer

    def error(self, number: int, key: str | None, message: str) -> SceneError:
        """A mistake in a step, with the line to look at."""
        line = self.lines.of_key(key, number) if key else self.lines.of_step(number)
        return SceneError(f"step {number}: {message}", path=self.path, line=line)
