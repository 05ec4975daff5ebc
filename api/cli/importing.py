"""`tabletape import`: a session from a file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from api.cli import options
from api.cli.database import writing
from api.cli.screen import print_json, print_line
from api.scenes.client import Client
from eventlog.archive import checked_copy, take_in
from eventlog.recorder import Recorder


@click.command("import")
@click.argument("file", metavar="FILE")
@options.db
@options.url
@options.admin_key
@options.as_json
def command(file: str, db: str, url: str | None, admin_key: str | None, *, as_json: bool) -> None:
    """Take in a complete copy of a session, all of it or nothing.

    Everything is checked first. The same log again adds nothing.
    """
    lines = Path(file).read_bytes()
    if url is not None:
        document = asyncio.run(_at_server(url, admin_key, lines))
    else:
        document = asyncio.run(_into_file(db, lines))
    if as_json:
        print_json(document)
    elif document["added"]:
        print_line(f"Session {document['id']}: {document['added']} events taken in.")
        if document.get("gm_token"):
            print_line(f"  the game master's token, shown only now: {document['gm_token']}")
    else:
        print_line(f"Session {document['id']} is here already; nothing was added.")


async def _into_file(db: str, lines: bytes) -> dict[str, Any]:
    from api.tokens import issue_gm_token

    copy = checked_copy(lines.splitlines())  # first, so that what is refused leaves no new database behind
    with writing(db, made=True) as store:
        recorder = Recorder(store)
        try:
            taken = await take_in(recorder, copy)
        finally:
            await recorder.aclose()
        known = store.tokens(taken.session)
        token = None if known else issue_gm_token(store, taken.session)
    return {"id": taken.session, "version": taken.version, "added": taken.added, "gm_token": token}


async def _at_server(url: str, admin_key: str | None, lines: bytes) -> dict[str, Any]:
    async with Client(url) as client:
        return await client.post("/sessions/import", lines, admin_key)
