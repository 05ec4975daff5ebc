"""Changing one reading by its dotted name."""

from __future__ import annotations

from typing import Any

import msgspec

from rulesets.anima_prime.parameters import Parameters


class ReadingUnknown(Exception):
    """No reading has this name."""


class ReadingUnsound(Exception):
    """The reading cannot have this value."""


def reading_before(parameters: Parameters, name: str) -> Any:
    """The value of a reading. Raises `ReadingUnknown` for a name that is none, or that names a whole chapter."""
    value: Any = parameters
    for part in name.split("."):
        if not isinstance(value, msgspec.Struct) or part not in value.__struct_fields__:
            raise ReadingUnknown(name)
        value = getattr(value, part)
    if isinstance(value, msgspec.Struct):
        raise ReadingUnknown(name)
    return value


def reading_set(parameters: Parameters, name: str, value: object) -> Any:
    """The value as it will stand. Raises `ReadingUnknown`, or `ReadingUnsound` when it does not fit."""
    reading_before(parameters, name)
    tree = msgspec.to_builtins(parameters)
    *path, last = name.split(".")
    branch = tree
    for part in path:
        branch = branch[part]
    branch[last] = value
    try:
        return reading_before(msgspec.convert(tree, Parameters), name)
    except msgspec.ValidationError as fault:
        raise ReadingUnsound(str(fault)) from None
