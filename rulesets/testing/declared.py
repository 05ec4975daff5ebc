"""Checks of what a ruleset declares: names, tags, types and parameters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Union

import msgspec
from msgspec import inspect

from rulesets.contract import kebab
from rulesets.testing.plays import Subject

EVENT_NAME = re.compile(r"([A-Z][a-z0-9]+)+")
COMMAND_TAG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
SLUG = re.compile(r"[a-z][a-z0-9-]{0,39}")


def names(subject: Subject) -> Iterator[str]:
    """Event classes make distinct kebab-case names, commands carry distinct snake_case tags."""
    if not SLUG.fullmatch(subject.ruleset.slug):
        yield f"the slug {subject.ruleset.slug!r} is not of a-z, 0-9 and -"
    events = [event.__name__ for event in subject.ruleset.record.events]
    yield from (
        f"the event {name} has no name in CamelCase" for name in events if not EVENT_NAME.fullmatch(name)
    )
    yield from (f"two events are named {name}" for name in _twice(map(kebab, events)))
    for number, half in _halves(subject):
        if half.number != number:
            yield f"rules {number} call themselves number {half.number}"
        tags = [_tag(command) for command in half.commands]
        for command, tag in zip(half.commands, tags, strict=True):
            if not COMMAND_TAG.fullmatch(tag):
                yield f"the command {command.__name__} needs a snake_case tag in its field 'type', has {tag!r}"
        yield from (f"two commands are tagged {tag!r}" for tag in _twice(tags))
        for kind in (*half.answers, *half.at_any_time):
            if kind not in half.commands:
                yield f"{kind.__name__} is not among the commands of rules {number}"


def structs(subject: Subject) -> Iterator[str]:
    """Events, commands and state are frozen, commands forbid unknown fields, all can be read from JSON."""
    for kind in _kinds(subject):
        if not kind.__struct_config__.frozen:
            yield f"{kind.__name__} is not frozen"
        yield from _unreadable(kind, kind.__name__)
    for command in _commands(subject):
        if not command.__struct_config__.forbid_unknown_fields:
            yield f"the command {command.__name__} accepts unknown fields"
    for number, half in _halves(subject):
        together: Any = Union[half.commands]  # noqa: UP007 - the members are known at run time
        yield from _unreadable(together, f"the commands of rules {number}, taken together,")


def no_floats(subject: Subject) -> Iterator[str]:
    """No event, command or state has room for a fraction: amounts are whole, halves are counted in halves."""
    for kind in _kinds(subject):
        for place in _floats(inspect.type_info(kind), kind.__name__, set()):
            yield f"{place} can hold a fraction"


def parameters(subject: Subject) -> Iterator[str]:
    """Every parameter has a recommended value and says what it decides."""
    kind = subject.ruleset.record.parameters
    yield from _unexplained(inspect.type_info(kind), kind.__name__)
    try:
        chosen = kind()
    except TypeError as error:
        yield f"there is no table without settings: {error}"
        return
    if msgspec.json.decode(msgspec.json.encode(chosen), type=kind) != chosen:
        yield "the recommended parameters do not survive JSON"
    subject.ruleset.record.start(chosen)


def upcasters(subject: Subject) -> Iterator[str]:
    """Every version an event ever had can be lifted to the present one."""
    known: dict[tuple[str, int], str] = {}
    for event in subject.ruleset.record.events:
        name = kebab(event.__name__)
        for version in range(1, getattr(event, "schema_version", 1)):
            known[name, version] = event.__name__
            if (name, version) not in subject.ruleset.record.upcasters:
                yield f"{event.__name__} version {version} has no upcaster"
    for name, version in subject.ruleset.record.upcasters:
        if (name, version) not in known:
            yield f"the upcaster of {name!r} version {version} lifts nothing"


def by_hand(subject: Subject) -> Iterator[str]:
    """What the game master sets by hand is recorded by events of the ruleset, each named once."""
    record = subject.ruleset.record
    for event in record.by_hand:
        if event not in record.events:
            yield f"{event.__name__} is set by hand and is no event of the ruleset"
    yield from (f"{name} is set by hand twice" for name in _twice(each.__name__ for each in record.by_hand))


def _halves(subject: Subject) -> Iterator[tuple[int, Any]]:
    return ((number, load()) for number, load in subject.ruleset.rules.items())


def _commands(subject: Subject) -> list[type[msgspec.Struct]]:
    return [command for _, half in _halves(subject) for command in half.commands]


def _kinds(subject: Subject) -> tuple[type[msgspec.Struct], ...]:
    """Every type that is stored or sent."""
    record = subject.ruleset.record
    return (*record.events, *_commands(subject), record.state, record.parameters)


def _tag(command: type[msgspec.Struct]) -> str:
    config = command.__struct_config__
    return str(config.tag) if config.tag_field == "type" else ""


def _twice(words: Iterable[str]) -> list[str]:
    return [word for word, count in Counter(words).items() if count > 1]


def _unreadable(kind: Any, name: str) -> Iterator[str]:
    try:
        msgspec.json.Decoder(kind)
    except TypeError as error:
        yield f"{name} cannot be read from JSON: {error}"


def _floats(info: Any, place: str, seen: set[type]) -> Iterator[str]:
    """Every place below a type where msgspec would take a float."""
    match info:
        case inspect.FloatType():
            yield place
        case inspect.StructType(cls=cls) if cls not in seen:
            seen.add(cls)
            for each in info.fields:
                yield from _floats(each.type, f"{cls.__name__}.{each.name}", seen)
        case inspect.Metadata():
            yield from _floats(info.type, place, seen)
        case inspect.UnionType(types=types):
            yield from (found for each in types for found in _floats(each, place, seen))
        case inspect.DictType():
            yield from _floats(info.value_type, place, seen)
        case inspect.TupleType(item_types=types):
            yield from (found for each in types for found in _floats(each, place, seen))
        case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
            yield from _floats(info.item_type, place, seen)
        case _:
            return


def _unexplained(info: Any, place: str) -> Iterator[str]:
    """Every field of the parameters, groups apart, that has no default or no description."""
    for each in info.fields:
        here, kind, words = f"{place}.{each.name}", each.type, None
        if isinstance(kind, inspect.Metadata):
            words, kind = (kind.extra_json_schema or {}).get("description"), kind.type
        if each.required:
            yield f"{here} has no recommended value"
        if isinstance(kind, inspect.StructType):
            yield from _unexplained(kind, here)
        elif not words:
            yield f"{here} does not say what it decides: give it msgspec.Meta(description=…)"
