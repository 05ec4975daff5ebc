"""Scene files as plays for the contract kit: their commands, up to the first step only a recorder understands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union

import msgspec

from api.scenes.reading import read_scene
from api.scenes.steps import CommandStep, Scene
from rulesets.contract import Ruleset
from rulesets.testing import Example, Step, step

CORRECTION = re.compile(r"^(undo|redo|amend|before)\b", re.MULTILINE)
"""A step that changes history: the recorder's affair, not the rules'."""

FIXTURES = Path(__file__).parents[2] / "fixtures"


def scene_plays(ruleset: Ruleset[Any]) -> Iterator[Example]:
    """The scenes of a ruleset that correct nothing, each as a play with the faces it was written with."""
    for path in sorted((FIXTURES / ruleset.slug.replace("-", "_")).glob("*.toml")):
        if not CORRECTION.search(path.read_text()):
            yield _play(ruleset, read_scene(path))


def _play(ruleset: Ruleset[Any], scene: Scene) -> Example:
    commands = ruleset.rules[ruleset.current]().commands
    decoder = msgspec.json.Decoder(Union[commands])  # noqa: UP007 - the members are known at run time
    known = {str(command.__struct_config__.tag) for command in commands}
    parameters = msgspec.json.decode(scene.parameters, type=ruleset.record.parameters)
    return Example(steps=tuple(_steps(scene, decoder, known)), parameters=parameters)


def _steps(scene: Scene, decoder: msgspec.json.Decoder[Any], known: set[str]) -> Iterator[Step]:
    for each in scene.steps:
        if not isinstance(each, CommandStep):
            continue
        if each.answers or each.type not in known:
            return
        yield step(
            decoder.decode(each.command),
            each.dice,
            by=each.issuer,
            overrule=each.overrule,
            source="server" if each.dice is None else "table",
            refused=each.refused,
        )
