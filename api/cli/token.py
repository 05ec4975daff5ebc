"""`tabletape token`: a way in for a game master who lost theirs."""

from __future__ import annotations

import asyncio

import click

from api.cli import options
from api.cli.database import writing
from api.cli.exits import Ended, Exit
from api.cli.screen import print_json, print_line
from api.scenes.client import Client


@click.command("token")
@options.session
@options.db
@options.url
@options.admin_key
@options.as_json
def command(session: str, db: str, url: str | None, admin_key: str | None, *, as_json: bool) -> None:
    """Replace the game master's token of the session ID. The lost one stops working at once.

    While a server runs on the database, go through it with --url and its admin key.
    """
    if url is not None:
        secret = asyncio.run(_from_server(url, admin_key, session))
    else:
        from api.tokens import issue_gm_token

        with writing(db) as store:
            secret = issue_gm_token(store, session)
    if as_json:
        print_json({"session": session, "gm_token": secret})
    else:
        print_line(f"The game master's token of {session}, shown only now:")
        print_line(secret, style="bold")


async def _from_server(url: str, admin_key: str | None, session: str) -> str:
    if not admin_key:
        raise Ended(
            "a running server gives out a new token only to its keeper: give its --admin-key, "
            "or stop the server and leave --url out",
            Exit.USAGE,
        )
    async with Client(url) as client:
        path = f"/sessions/{session}/invites"
        invites = (await client.get(path, admin_key))["invites"]
        gm = next((invite["id"] for invite in invites if invite["role"] == "gm"), None)
        if gm is None:
            raise Ended(f"session {session} has no game master's token to replace", Exit.NOT_FOUND)
        issued = await client.post(f"{path}/{gm}/rotate", {}, admin_key)
    return str(issued["token"])
