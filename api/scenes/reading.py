"""From a TOML text to a scene, strictly: a key nobody reads is a mistake worth pointing at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from api.plain import plainly
from api.scenes.checking import Checks
from api.scenes.errors import SceneError
from api.scenes.lines import Lines
from api.scenes.people import People
from api.scenes.reading_steps import StepReader
from api.scenes.steps import Scene
from api.scenes.toml import foreign, table_of, text_of
from api.scenes.vocabulary import vocabulary
from api.words import did_you_mean
from eventlog.settings import Settings
from rulesets.contract import Name, Ruleset
from rulesets.errors import RulesetNotInstalled
from rulesets.installed import ruleset_named
from rulesets.writing import in_words

KEYS = frozenset({"ruleset", "title", "parameters", "settings", "step"})

TYPED_UP = Settings(table_dice="all")
"""The settings of a scene: everybody's dice are typed in, since it may have been played on paper."""


def read_scene(path: Path | str) -> Scene:
    """Read a scene file. Raises `SceneError`, naming the line."""
    return parse_scene(text_of(path), str(path))


def parse_scene(text: str, path: str) -> Scene:
    """The scene of a TOML text; `path` names it in messages. Raises `SceneError`."""
    table = table_of(text, path)
    steps = table.get("step", [])
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise SceneError("`step` is not a list of steps: begin each with [[step]]", path=path)
    lines = Lines(text, len(steps))
    _refuse_foreign(table, path, lines)
    unknown = next((key for key in table if key not in KEYS), None)
    if unknown is not None:
        raise SceneError(
            f"a scene has no {unknown!r}: {did_you_mean(unknown, KEYS)}",
            path=path,
            line=lines.of_key(unknown),
        )
    ruleset = _ruleset(table, path, lines)
    reader = StepReader(Checks(path=path, lines=lines, people=People(steps), known=vocabulary(ruleset)))
    return Scene(
        path=path,
        ruleset=ruleset.slug,
        title=_title(table, path, lines),
        parameters=_parameters(table, ruleset, path, lines),
        settings=_settings(table, path, lines),
        steps=tuple(reader.read(number, step) for number, step in enumerate(steps, 1)),
    )


def _refuse_foreign(table: dict[str, Any], path: str, lines: Lines) -> None:
    place = next(foreign(table), None)
    if place is None:
        return
    step = int(place[1]) + 1 if place[0] == "step" else None
    key = str(place[2] if step else place[0])
    raise SceneError(
        f"{key!r} holds a date, a time, or a number that is none: a scene has words, numbers, yes and no",
        path=path,
        line=lines.of_key(key, step),
    )


def _ruleset(table: dict[str, Any], path: str, lines: Lines) -> Ruleset[Any]:
    slug = table.get("ruleset")
    if not isinstance(slug, str):
        raise SceneError('a scene says which game it is: ruleset = "anima-prime"', path=path)
    try:
        return ruleset_named(slug)
    except RulesetNotInstalled as error:
        raise SceneError(str(error), path=path, line=lines.of_key("ruleset")) from error


def _title(table: dict[str, Any], path: str, lines: Lines) -> str:
    title = table.get("title", Path(path).stem)
    try:
        return msgspec.convert(title, Name)
    except msgspec.ValidationError as error:
        raise SceneError(
            f"`title` is a few words in quotes, on one line: {in_words(error)}",
            path=path,
            line=lines.of_key("title"),
        ) from error


def _parameters(table: dict[str, Any], ruleset: Ruleset[Any], path: str, lines: Lines) -> bytes:
    given = table.get("parameters", {})
    try:
        msgspec.convert(given, ruleset.record.parameters)
    except msgspec.ValidationError as error:
        raise SceneError(
            f"[parameters]: {plainly(ruleset.record.parameters, error)}",
            path=path,
            line=lines.of_key("parameters"),
        ) from error
    return msgspec.json.encode(given)


def _settings(table: dict[str, Any], path: str, lines: Lines) -> Settings:
    try:
        given = msgspec.convert(table.get("settings", {}), dict[str, Any])
        return msgspec.convert({**msgspec.structs.asdict(TYPED_UP), **given}, Settings)
    except msgspec.ValidationError as error:
        raise SceneError(
            f"[settings]: {plainly(Settings, error)}", path=path, line=lines.of_key("settings")
        ) from error
