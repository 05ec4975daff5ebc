"""Commands as they are sent: JSON texts, read by the rules half of a session's ruleset."""

from __future__ import annotations

from functools import cache
from typing import Any, Union

import msgspec

from eventlog.core import CORE_COMMANDS
from eventlog.errors import CommandMalformed, EventUnreadable
from rulesets.contract import Command, Rules
from rulesets.errors import RulesNotDecided
from rulesets.installed import ruleset_named
from rulesets.writing import in_words


def tag_of(kind: type[Command]) -> str:
    """What a type of command is called in the JSON: its `type`."""
    return str(kind.__struct_config__.tag)


@cache
def rules_of(slug: str, number: int) -> Rules[Any]:
    """The rules half a session is decided by. Raises `RulesNotDecided` where the package has forgotten it, or is older."""
    ruleset = ruleset_named(slug)
    load = ruleset.rules.get(number)
    if load is None:
        raise RulesNotDecided(slug, number, newer=ruleset.is_newer(number))
    return load()


@cache
def _decoder(slug: str, number: int) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[(*CORE_COMMANDS, *rules_of(slug, number).commands)])


_CORE_ONLY: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[(*CORE_COMMANDS,)])
CORE_TYPES = frozenset(map(tag_of, CORE_COMMANDS))
"""What the recorder's own commands are called."""


def read_command(slug: str, number: int, raw: bytes) -> Command:
    """The command of a JSON text. Raises `CommandMalformed`, naming the field.

    Where the rules are forgotten the recorder's own are still read; a game's raise `RulesNotDecided`.
    """
    try:
        command: Command = _decoder_for(slug, number, raw).decode(raw)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise CommandMalformed(f"This command cannot be read: {in_words(error)}", ruleset=slug) from error
    return command


def _decoder_for(slug: str, number: int, raw: bytes) -> msgspec.json.Decoder[Any]:
    try:
        return _decoder(slug, number)
    except RulesNotDecided:
        if _typed(raw).type not in CORE_TYPES:
            raise
        return _CORE_ONLY


class _Typed(msgspec.Struct, frozen=True):
    type: str


_typed = msgspec.json.Decoder(_Typed).decode


def command_type(command: bytes | msgspec.Raw) -> str:
    """The type of a stored command, whatever ruleset it is of. Raises `EventUnreadable` where it says none."""
    try:
        return _typed(command).type
    except (msgspec.MsgspecError, ValueError) as error:
        raise EventUnreadable(f"A command of the log cannot be read: {error}") from error
