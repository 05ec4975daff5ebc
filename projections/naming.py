"""Whom an event names: the ids in what it says, in the command it tells of, and on its dice.

What an event is made of names nobody: a duellist called `dice` is not in every roll, nor one called `type` in every
command. A fact is therefore read as its game reads it, where the game is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

import msgspec

from eventlog.codec import Codec, codec_for
from eventlog.commands import read_command
from eventlog.core import CORE, SessionOpened
from eventlog.envelope import Envelope
from eventlog.errors import CommandMalformed, EventUnreadable, SessionUnknown, UnknownEventType
from rulesets.dice import Roll
from rulesets.errors import RulesetError
from rulesets.installed import ruleset_named


class Game(NamedTuple):
    """The game a session plays, by which its commands are read: the ruleset's slug and its number of the rules."""

    ruleset: str
    rules: int


_Command: TypeAlias = Callable[[msgspec.Raw], Iterator[str]]
"""The words of a command, which an event holds as it was sent."""


def names(event: Envelope, who: str, game: Callable[[], Game]) -> bool:
    """Whether an event names that id. `game` is asked only for a command that may; it may raise `SessionUnknown`."""
    if event.data is None or who.encode() not in event.data:
        return False
    return who in _said(event, lambda raw: _commanded(raw, game))


def _said(event: Envelope, command: _Command) -> Iterator[str]:
    try:
        return _words(_codec(event).read(event.type, event.v, event.data or b"", event.seq), command)
    except (RulesetError, UnknownEventType, EventUnreadable):
        return _loose(msgspec.json.decode(event.data or b"null"))


def _codec(event: Envelope) -> Codec:
    slug = event.type.partition(".")[0]
    return _CORE if slug == CORE else codec_for(ruleset_named(slug))


_CORE = Codec(CORE, (), {})


def _commanded(raw: msgspec.Raw, game: Callable[[], Game]) -> Iterator[str]:
    try:
        return _words(read_command(*game(), bytes(raw)), _nothing)
    except (RulesetError, CommandMalformed, SessionUnknown):  # the last: removed since the event was read
        said = msgspec.json.decode(raw)
        return _loose({field: value for field, value in said.items() if field != "type"})


def _nothing(_: msgspec.Raw) -> Iterator[str]:
    return iter(())


def _words(value: object, command: _Command) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.split(":")
    elif isinstance(value, msgspec.Raw):
        yield from command(value)
    else:
        for part in _parts(value):
            yield from _words(part, command)


def _parts(value: object) -> Iterable[object]:
    """What a fact or a command is made of: what its fields say, and whom a table of amounts has amounts for."""
    match value:
        case Roll(dice=dice):
            return [die.origin.partition(":")[2] for die in dice]
        case SessionOpened():
            return ()
        case msgspec.Struct():
            return [getattr(value, field) for field in _speaking(type(value))]
        case dict():
            return (*value, *value.values())
        case tuple() | list() | set() | frozenset():
            return value
        case _:
            return ()


@cache
def _speaking(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields that may name somebody: not those with a few fixed words to choose from, such as a pool."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if not _is_fixed(field.type))


def _is_fixed(kind: Any) -> bool:
    if get_origin(kind) in (Union, UnionType):
        return all(each is type(None) or _is_fixed(each) for each in get_args(kind))
    return get_origin(kind) is Literal


def _loose(value: object) -> Iterator[str]:
    """The words in what nobody here can read: of the keys those with an amount each, as in `{"ada": 2, "ben": 1}`."""
    if isinstance(value, str):
        yield from value.split(":")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _loose(part)
        if isinstance(part, dict) and all(isinstance(amount, int) for amount in part.values()):
            yield from part
