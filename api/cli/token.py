"""`tabletape token`: a way in for a game master who lost theirs, or for a tool that reads every session."""

from __future__ import annotations

import asyncio

import click
import msgspec

from api.cli import options
from api.cli.database import writing
from api.cli.exits import Ended, Exit
from api.cli.screen import print_json, print_line
from api.scenes.client import Client
from eventlog.store import Store
from rulesets.contract import Name
from rulesets.writing import in_words


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
        secret = asyncio.run(_from_server(url, admin_key, session, tool))
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


async def _from_server(url: str, admin_key: str | None, session: str | None, tool: str | None) -> str:
    if not admin_key:
        raise Ended(
            "a running server gives out a new token only to its keeper: give its --admin-key, "
            "or stop the server and leave --url out",
            Exit.USAGE,
        )
    async with Client(url) as client:
        if session is None:
            return await _tools(client, admin_key, str(tool))
        return await _game_masters(client, admin_key, session)


async def _game_masters(client: Client, admin_key: str, session: str) -> str:
    path = f"/sessions/{session}/invites"
    invites = (await client.get(path, admin_key))["invites"]
    gm = next((invite["id"] for invite in invites if invite["role"] == "gm"), None)
    if gm is None:
        raise Ended(f"session {session} has no game master's token to replace", Exit.NOT_FOUND)
    issued = await client.post(f"{path}/{gm}/rotate", {}, admin_key)
    return str(issued["token"])


async def _tools(client: Client, admin_key: str, name: str) -> str:
    tools = (await client.get("/tokens", admin_key))["tools"]
    older = next((tool["id"] for tool in tools if tool["name"] == name), None)
    if older is None:
        issued = await client.post("/tokens", {"name": name}, admin_key)
    else:
        issued = await client.post(f"/tokens/{older}/rotate", {}, admin_key)
    return str(issued["token"])
