"""The commands by name. Each lives in a module of its own, which is loaded when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import click


class Entry(NamedTuple):
    """Where a command is, and the line the overview shows for it."""

    module: str
    help: str


COMMANDS = {
    "serve": Entry("serve", "Start the server and print its links."),
    "play": Entry("play", "Play scene files and check what they expect."),
    "sessions": Entry("sessions", "List the sessions, newest first."),
    "timeline": Entry("timeline", "Tell what happened in a session."),
    "state": Entry("state", "Show the table, now or after an action."),
    "diff": Entry("diff", "Show what is otherwise on the table between two actions, or in a fork."),
    "audit": Entry("audit", "Show every die, ruling and correction of a session."),
    "replay": Entry("replay", "Play a session again, step by step."),
    "undo": Entry("undo", "Take an action back."),
    "redo": Entry("redo", "Bring an undone action back."),
    "amend": Entry("amend", "Let an action go on otherwise."),
    "insert": Entry("insert", "Put a forgotten action in before another."),
    "ask-undo": Entry("ask_undo", "Ask the GM to undo an action, as a player."),
    "settle": Entry("settle", "Answer a player's request for an undo."),
    "verify": Entry("verify", "Check that a log is whole."),
    "fork": Entry("fork", "Go on from a session as another one."),
    "export": Entry("export", "Write a session to a file."),
    "import": Entry("importing", "Take in a session from a file."),
    "backup": Entry("backup", "Copy the database, also while the server runs."),
    "token": Entry("token", "Replace a lost game master's token, or give one to a tool."),
    "webhooks": Entry("webhooks", "List, add and remove those who are told what happens."),
    "rulesets": Entry("rulesets", "List the games that can be played here."),
}


class Commands(click.Group):
    """A group that knows its commands by name before it loads them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's form
        """The names, in the order of an evening."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's form
        """The command of that name."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = import_module(f"api.cli.{entry.module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's form
        """The overview, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


def _version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's form
    if wanted:
        from importlib.metadata import version

        click.echo(f"tabletape {version('tabletape')}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Say which version."
)
def tabletape() -> None:
    """Tabletape, a flight recorder for tabletop conflicts.

    Every die, gift, wound and goal is written down and never changed; the table can be rebuilt at any point
    of the story.
    """
