"""What is wrong with a value that somebody wrote by hand, in a scene file or on a command line, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import msgspec

from api.allowed import words_of
from rulesets.writing import in_words

KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "words in quotes",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}

_place = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_word = re.compile(r"Invalid enum value (?P<word>.*)", re.DOTALL)
_kind = re.compile(r"Expected `(?P<wanted>[a-z| ]+)`, got `(?P<got>[a-z]+)`")
_bound = re.compile(r"Expected `(?P<wanted>[a-z]+)` (?P<bound>.*)")
_field = re.compile(r"Object (?P<what>contains unknown|missing required) field `(?P<name>[^`]+)`")


def plainly(kind: Any, error: msgspec.ValidationError) -> str:
    """Which key it is, and what it takes, where a value was to be of that type."""
    whole = in_words(error)
    place = _place.search(whole)
    said, path = (whole[: place.start()], place["path"]) if place else (whole, "")
    key = f"`{path}`" if path else "it"
    if found := _word.fullmatch(said):
        return f"{key} cannot be {found['word']}: it takes {_either(_taken(kind, path))}"
    if found := _kind.fullmatch(said):
        wanted = [KINDS.get(each, each) for each in found["wanted"].split(" | ") if each != "null"]
        return f"{key} cannot be {KINDS.get(found['got'], found['got'])}: it takes {_either(wanted)}"
    if found := _bound.fullmatch(said):
        return f"{key} takes {KINDS.get(found['wanted'], found['wanted'])} {found['bound']}"
    if found := _field.fullmatch(said):
        return f"{key} {'has no' if 'unknown' in found['what'] else 'lacks'} `{found['name']}`"
    return f"{key}: {said}" if path else said


def _either(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "something else"


def _taken(kind: Any, path: str) -> list[str]:
    """The words a place takes, and whether a number will do."""
    for name in re.findall(r"[^.\[\]]+(?=$|\.|\[)", path):
        kind = next((fields[name] for fields in _fields(kind) if name in fields), kind)
    number = ["a whole number"] if int in _parts(kind) else []
    return [f"`{word}`" for word in words_of(kind)] + number


def _fields(kind: Any) -> Iterator[dict[str, Any]]:
    """The types of the fields of every struct in a type, by the names they are written with."""
    for part in _parts(kind):
        if isinstance(part, type) and issubclass(part, msgspec.Struct):
            hints = get_type_hints(part)
            yield {
                written: hints[name]
                for written, name in zip(part.__struct_encode_fields__, part.__struct_fields__, strict=True)
            }


def _parts(kind: Any) -> list[Any]:
    """A type and all it is made of."""
    return [kind, *(part for each in get_args(kind) for part in _parts(each))]
