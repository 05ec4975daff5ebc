"""Finds in the code which refusals the GM may overrule: every `RuleViolation(…)` that is written there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCES = (
    *sorted((ROOT / "rulesets" / "anima_prime").rglob("*.py")),
    ROOT / "rulesets" / "deciding.py",
    ROOT / "eventlog" / "dice.py",
)


class Refused(NamedTuple):
    """A place where a command is refused: with a code, or with the parameter of a function that says it."""

    code: str | None
    parameter: int | None
    function: str
    overrulable: bool | None


def overrulable() -> dict[str, str]:
    """`yes`, `no` or `at times` for every code of Anima Prime and of the dice."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES]
    places = list(chain.from_iterable(map(_places, trees)))
    calls = list(chain.from_iterable(map(_calls, trees)))
    found: dict[str, set[bool | None]] = {}
    for place in places:
        for code in [place.code] if place.code else _handed_over(place, calls):
            found.setdefault(code, set()).add(place.overrulable)
    return {code: _word(ways) for code, ways in found.items()}


def _word(ways: set[bool | None]) -> str:
    return {frozenset({True}): "yes", frozenset({False}): "no"}.get(frozenset(ways), "at times")


def _places(tree: ast.Module) -> Iterator[Refused]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            names = [argument.arg for argument in function.args.args]
            for call in _named(function, "RuleViolation"):
                first = call.args[0]
                code = first.value if isinstance(first, ast.Constant) else None
                place = names.index(first.id) if isinstance(first, ast.Name) else None
                yield Refused(code, place, function.name, _overrulable(call))


def _overrulable(call: ast.Call) -> bool | None:
    """What the call says: yes, no, or (None) that it depends."""
    said = next((each.value for each in call.keywords if each.arg == "overrulable"), None)
    if said is None:
        return False
    return said.value if isinstance(said, ast.Constant) else None


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _named(within: ast.AST, name: str) -> Iterator[ast.Call]:
    calls = (node for node in ast.walk(within) if isinstance(node, ast.Call))
    return (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name)


def _handed_over(place: Refused, calls: list[ast.Call]) -> Iterator[str]:
    """The codes a function is called with."""
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id == place.function and place.parameter is not None:
            said = call.args[place.parameter]
            if isinstance(said, ast.Constant):
                yield said.value
