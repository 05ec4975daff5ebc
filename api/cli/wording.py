"""Refusals in the words of the command line, where they name what goes over HTTP."""

from __future__ import annotations

import re
from importlib import import_module

import click

from api.cli.commands import COMMANDS

OPTIONS = {"answers": "--answer", "dry_run": "--dry-run"}
"""Fields that an option has another name for than their own."""
ROUTES = {
    "--token": "give a --token of this session (the GM hands them out)",
    "--admin-key": "give the --admin-key that the server was started with",
}
"""How each of these options lets somebody in."""

_field = re.compile(r"`([a-z_]+)`")


def options_of(arguments: list[str]) -> frozenset[str]:
    """The options of the command that was typed."""
    entry = COMMANDS.get(arguments[0]) if arguments else None
    if entry is None:
        return frozenset()
    command: click.Command = import_module(f"api.cli.{entry.module}").command
    return frozenset(option for parameter in command.params for option in parameter.opts)


def in_options(message: str, options: frozenset[str]) -> str:
    """A refusal that names the options of a command, and no fields of a body."""

    def named(field: re.Match[str]) -> str:
        option = OPTIONS.get(field[1], f"--{field[1]}")
        return option if option in options else field[0]

    return _field.sub(named, message)


def how_to_be_let_in(options: frozenset[str]) -> str:
    """What somebody does whom a server did not let in."""
    ways = [words for option, words in ROUTES.items() if option in options]
    unless = "; where it has no admin key, stop it and use --db" if ways == [ROUTES["--admin-key"]] else ""
    return f"the server did not let you in: {', or '.join(ways) or 'it asks for a token'}{unless}"
