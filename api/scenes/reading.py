"""From a TOML text to a scene, strictly: a key nobody reads is a mistake worth pointing at."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from api.scenes.errors import SceneError
from api.scenes.lines import Lines
from api.scenes.people import People
from api.scenes.reading_steps import StepReader
from api.scenes.steps import Scene
from api.scenes.vocabulary import did_you_mean, vocabulary
from eventlog.settings import Settings
from rulesets.contract import Ruleset
from rulesets.errors import RulesetNotInstalled
from rulesets.installed import ruleset_named

KEYS = frozenset({"ruleset", "title", "parameters", "settings", "step"})

TYPED_UP = Settings(table_dice="all")
"""The settings of a scene: everybody's dice are typed in, since it may have been played on paper."""


def read_scene(path: Path | str) -> Scene:
    """Read a scene file. Raises `SceneError`, naming the line."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SceneError(f"the file cannot be read: {_why(error)}", path=str(path)) from error
    return parse_scene(text, str(path))


def parse_scene(text: str, path: str) -> Scene:
    """The scene of a TOML text; `path` names it in messages. Raises `SceneError`."""
    table = _toml(text, path)
    steps = table.get("step", [])
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise SceneError("`step` is not a list of steps: begin each with [[step]]", path=path)
    lines = Lines(text, len(steps))
    unknown = next((key for key in table if key not in KEYS), None)
    if unknown is not None:
        raise SceneError(
            f"a scene has no {unknown!r}: {did_you_mean(unknown, KEYS)}",
            path=path,
            line=lines.of_key(unknown),
        )
    ruleset = _ruleset(table, path, lines)
    reader = StepReader(path=path, lines=lines, people=People(steps), known=vocabulary(ruleset))
    return Scene(
        path=path,
        ruleset=ruleset.slug,
        title=_title(table, path, lines),
        parameters=_parameters(table, ruleset, path, lines),
        settings=_settings(table, path, lines),
        steps=tuple(reader.read(number, step) for number, step in enumerate(steps, 1)),
    )


def _toml(text: str, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else None
        raise SceneError(f"this is not TOML: {error}", path=path, line=line) from error


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
    if not isinstance(title, str):
        raise SceneError("`title` is some words in quotes", path=path, line=lines.of_key("title"))
    return title


def _parameters(table: dict[str, Any], ruleset: Ruleset[Any], path: str, lines: Lines) -> bytes:
    given = table.get("parameters", {})
    try:
        msgspec.convert(given, ruleset.record.parameters)
    except msgspec.ValidationError as error:
        raise SceneError(f"[parameters]: {error}", path=path, line=lines.of_key("parameters")) from error
    return msgspec.json.encode(given)


def _settings(table: dict[str, Any], path: str, lines: Lines) -> Settings:
    try:
        given = msgspec.convert(table.get("settings", {}), dict[str, Any])
        return msgspec.convert({**msgspec.structs.asdict(TYPED_UP), **given}, Settings)
    except msgspec.ValidationError as error:
        raise SceneError(f"[settings]: {error}", path=path, line=lines.of_key("settings")) from error


def _why(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"
