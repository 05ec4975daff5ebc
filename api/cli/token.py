"""`tabletape token`: a way in for a game master who lost theirs, or for a tool that reads every session."""

from __future__ import annotations

import click
import msgspec

from api.cli import options
from api.cli.database import writing
from api.cli.exits import Ended, Exit
from api.cli.screen import print_json, print_line
from eventlog.store import Store
from rulesets.contract import Name
from rulesets.writing import in_words
from tabletape.client import Client


@click.command("token")
@click.argument("session", required=False, metavar="[ID]")
@click.option("--tool", metavar="NAME", help="Instead of a session: a tool that reads all of them.")
@options.db
@options.url
@options.admin_key
@options.as_json
def command(  # noqa: PLR0913 - whose token, and where it is kept
    session: str | None, tool: str | None, db: str, url: str | None, admin_key: str | None, *, as_json: bool
) -> None:
    """Replace the game master's token of the session ID. The lost one stops working at once.

    With --tool instead of ID, a token for a bot, an overlay or a bridge that reads every session, as far as
    everybody at the table may see it. Given again, it replaces the tool's older one.

    While a server runs on the database, go through it with --url and its admin key.
    """
    if (session is None) == (tool is None):
        raise click.UsageError("Say whose token: the ID of a session for its game master, or --tool NAME.")
    if url is not None:
        secret = _from_server(url, admin_key, session, tool)
    else:
        with writing(db) as store:
            secret = _from_file(store, session, tool)
    if as_json:
        print_json({"session": session, "gm_token": secret} if session else {"tool": tool, "token": secret})
    else:
        whose = f"The game master's token of {session}" if session else f"The token of the tool {tool}"
        print_line(f"{whose}, shown only now:")
        print_line(secret, style="bold")


def _from_file(store: Store, session: str | None, tool: str | None) -> str:
    from api.seating import check_not_reserved
    from api.tokens import issue_gm_token, issue_tool_token

    if session is not None:
        return issue_gm_token(store, session)
    try:
        name = msgspec.convert(tool, Name)
    except msgspec.ValidationError as error:
        raise click.UsageError(f"--tool takes the name of a tool: {in_words(error)}") from error
    check_not_reserved(name)
    return issue_tool_token(store, name)


def _from_server(url: str, admin_key: str | None, session: str | None, tool: str | None) -> str:
    if not admin_key:
        raise Ended(
            "a running server gives out a new token only to its keeper: give its --admin-key, "
            "or stop the server and leave --url out",
            Exit.USAGE,
        )
    with Client(url, admin_key, patience=options.AT_A_PROMPT) as client:
        return _tools(client, str(tool)) if session is None else _game_masters(client, session)


def _game_masters(client: Client, session: str) -> str:
    seats = client.invites(session).invites
    gm = next((seat.id for seat in seats if seat.role == "gm"), None)
    if gm is None:
        raise Ended(f"session {session} has no game master's token to replace", Exit.NOT_FOUND)
    return client.rotate_invite(session, gm).token


def _tools(client: Client, name: str) -> str:
    older = next((tool.id for tool in client.tools().tools if tool.name == name), None)
    issued = client.add_tool(name) if older is None else client.rotate_tool(older)
    return issued.token
