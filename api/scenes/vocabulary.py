"""Which commands a game has, and which fields each takes: what tells a step's own keys from a command's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from eventlog.commands import rules_of
from eventlog.core import CORE_COMMANDS
from rulesets.contract import Command, Ruleset

Vocabulary = dict[str, frozenset[str]]
"""For each command type, the fields it takes."""


def vocabulary(ruleset: Ruleset[Any]) -> Vocabulary:
    """The commands of a game by type, and those every session has."""
    commands: Iterable[type[Command]] = (*rules_of(ruleset.slug, ruleset.current).commands, *CORE_COMMANDS)
    return {_type(command): frozenset(command.__struct_encode_fields__) for command in commands}


def _type(command: type[Command]) -> str:
    return str(command.__struct_config__.tag)
