"""What is allowed where one of a few words is taken: said in every refusal of another one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

NONE_OF_THEM = "Invalid enum value"
"""How msgspec begins what it says of a word that is none of those."""

_place = re.compile(r" - at `\$(?P<path>[^`]*)`")


def words_of(kind: Any) -> tuple[str, ...]:
    """The words a type takes; none where it takes others."""
    if get_origin(kind) is Literal:
        return tuple(each for each in get_args(kind) if isinstance(each, str))
    return tuple(word for part in get_args(kind) for word in words_of(part))


def with_allowed(said: str, words: Iterable[str]) -> str:
    """A refusal with what is allowed instead, where it is of one that is not."""
    named = ", ".join(f"`{word}`" for word in words)
    return f"{said}: it is one of {named}" if named and said.startswith(NONE_OF_THEM) else said


def of_a_body(kind: Any, said: str) -> str:
    """The same of a body of that type, by the place the refusal names."""
    found = _place.search(said) if said.startswith(NONE_OF_THEM) else None
    if found is None:
        return said
    for name in re.findall(r"\.(\w+)", found["path"]):
        kind = next((hints[name] for hints in _fields_of(kind) if name in hints), None)
    return with_allowed(said, words_of(kind))


def _fields_of(kind: Any) -> Iterable[dict[str, Any]]:
    """The types of the fields of every struct in a type."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield get_type_hints(kind)
    for part in get_args(kind):
        yield from _fields_of(part)
