"""Scene files as plays for the contract kit: their commands, up to the first step only a recorder understands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union

import msgspec

from rulesets.contract import GM, Ruleset, Viewer
from rulesets.testing import Example, Step, step

FIXTURES = Path(__file__).parents[2] / "fixtures"

SAYS_MORE = {"dice", "as", "overrule", "refused"}
"""What a step may say beside its command."""


def scene_plays(ruleset: Ruleset[Any]) -> Iterator[Example]:
    """The scenes of a ruleset, each as a play with the faces it was written with."""
    for path in sorted((FIXTURES / ruleset.slug.replace("-", "_")).glob("*.toml")):
        yield _play(ruleset, tomllib.loads(path.read_text()))


def _play(ruleset: Ruleset[Any], scene: dict[str, Any]) -> Example:
    commands = ruleset.rules[ruleset.current]().commands
    decoder = msgspec.json.Decoder(Union[commands])  # noqa: UP007 - the members are known at run time
    parameters = msgspec.convert(scene.get("parameters", {}), ruleset.record.parameters)
    return Example(steps=tuple(_steps(scene["step"], decoder)), parameters=parameters)


def _steps(written: list[dict[str, Any]], decoder: msgspec.json.Decoder[Any]) -> Iterator[Step]:
    for each in written:
        if "expect" in each:
            continue
        if "type" not in each or "answers" in each:
            return
        command = {name: value for name, value in each.items() if name not in SAYS_MORE}
        yield step(
            decoder.decode(msgspec.json.encode(command)),
            each.get("dice"),
            by=Viewer(role="player", name=each["as"], characters=(each["as"],)) if "as" in each else GM,
            overrule=each.get("overrule", ()),
            source="table" if "dice" in each else "server",
            refused=each.get("refused"),
        )
