"""`tabletape fork`: a session goes on as another one."""

from __future__ import annotations

import asyncio
from typing import Any

import click
import msgspec

from api.cli import options
from api.cli.database import writing
from api.cli.exits import Ended, Exit
from api.cli.screen import print_json, print_line
from eventlog.recorder import Recorder
from eventlog.requests import ForkRequest
from rulesets.contract import Name
from rulesets.writing import in_words
from tabletape.client import Client


@click.command("fork")
@options.session
@click.option(
    "--at", type=click.IntRange(0), metavar="N", help="After which action; the last one when left out."
)
@click.option("--title", metavar="TITLE", help="What the new session is called.")
@click.option("--sequel", is_flag=True, help="The story goes on from its end, also of a closed session.")
@options.db
@options.url
@click.option("--token", metavar="TOKEN", help="With --url: the GM's token of the session.")
@options.as_json
def command(  # noqa: PLR0913, PLR0917 - from where, as what, and where it is kept
    session: str,
    at: int | None,
    title: str | None,
    db: str,
    url: str | None,
    token: str | None,
    *,
    sequel: bool,
    as_json: bool,
) -> None:
    """Open a session that begins as the session ID was after an action, to see how else it might have gone.

    With --sequel it is next week's evening. Neither session touches the other; the new one has its own dice.
    """
    asked = ForkRequest(parent=session, at=at, title=_checked(title), kind="sequel" if sequel else "fork")
    document = asyncio.run(_in_file(db, asked)) if url is None else _at_server(url, token, asked)
    if as_json:
        print_json(document)
    else:
        print_line(f"“{document['title']}” is session {document['id']}.")
        print_line(f"  the game master's token, shown only now: {document['gm_token']}")


def _checked(title: str | None) -> str:
    if title is None:
        return ""
    try:
        return msgspec.convert(title, Name)
    except msgspec.ValidationError as error:
        raise click.UsageError(f"--title is a few words on one line: {in_words(error)}") from error


async def _in_file(db: str, asked: ForkRequest) -> dict[str, Any]:
    from api.tokens import issue_gm_token

    with writing(db) as store:
        recorder = Recorder(store)
        try:
            tape = (await recorder.fork(asked)).tape
        finally:
            await recorder.aclose()
        secret = issue_gm_token(store, tape.session)
    return {
        "id": tape.session,
        "ruleset": tape.ruleset,
        "title": tape.title,
        "version": tape.version,
        "head_hash": tape.hash.hex(),
        "dice_commitment": tape.dice_commitment,
        "gm_token": secret,
    }


def _at_server(url: str, token: str | None, asked: ForkRequest) -> dict[str, Any]:
    if not token:
        raise Ended("a running server forks a session for its GM only: give the GM's --token", Exit.USAGE)
    with Client(url, token, patience=options.AT_A_PROMPT) as client:
        forked = client.fork(asked.parent, asked.at, title=asked.title or None, kind=asked.kind)
    document: dict[str, Any] = msgspec.to_builtins(forked)
    return document
