"""`tabletape import`: a session from a file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from api.cli import options
from api.cli.database import looking_at, writing
from api.cli.exits import Ended, Exit
from api.cli.screen import print_json, print_line
from eventlog.archive import CheckedCopy, Imported, checked_copy, foreseen, take_in
from eventlog.recorder import Recorder, new_id
from eventlog.sqlite.store import SqliteStore
from tabletape.client import Client


@click.command("import")
@click.argument("file", metavar="FILE")
@click.option("--fork", is_flag=True, help="Take it in as a new session that goes on from the copy's end.")
@click.option("--dry-run", is_flag=True, help="Check everything and say what would happen; store nothing.")
@options.db
@options.url
@options.admin_key
@options.as_json
def command(  # noqa: PLR0913 - one for each option
    file: str, db: str, url: str | None, admin_key: str | None, *, fork: bool, dry_run: bool, as_json: bool
) -> None:
    """Take in a complete copy of a session, all of it or nothing.

    Everything is checked first. The same log again adds nothing. With --fork the copy becomes a session of its
    own, whatever of it is here already.
    """
    lines = Path(file).read_bytes()
    if url is not None:
        document = _at_server(url, admin_key, lines, fork=fork, dry_run=dry_run)
    else:
        # Checked first, so that what is refused leaves no new database behind.
        copy = checked_copy(lines.splitlines(), new_id() if fork else None)
        document = _foreseen(db, copy) if dry_run else asyncio.run(_into_file(db, copy))
    if as_json:
        print_json(document)
    else:
        _print(document)


def _print(document: dict[str, Any]) -> None:
    name = f"Session {document['id']}"
    if document["dry_run"]:
        print_line(f"{name}, “{document['title']}”: the copy is complete and whole.")
        would = f"{document['added']} events would be taken in" if document["added"] else "It is here already"
        print_line(f"  {would}; nothing was stored.")
    elif document["added"]:
        print_line(f"{name}: {document['added']} events taken in.")
        if document["gm_token"]:
            print_line(f"  the game master's token, shown only now: {document['gm_token']}")
    else:
        print_line(f"{name} is here already; nothing was added.")


def _foreseen(db: str, copy: CheckedCopy) -> dict[str, Any]:
    with _looking(db) as store:
        return _document(copy, foreseen(store, copy), dry_run=True)


@contextmanager
def _looking(db: str) -> Iterator[SqliteStore]:
    """The database as it is, also beside a server; an empty one where there is none, which is not made."""
    if Path(db).is_file():
        with looking_at(db) as store:
            yield store
    else:
        with writing(":memory:", made=True) as store:
            yield store


async def _into_file(db: str, copy: CheckedCopy) -> dict[str, Any]:
    from api.tokens import issue_gm_token

    with writing(db, made=True) as store:
        recorder = Recorder(store)
        try:
            taken = await take_in(recorder, copy)
        finally:
            await recorder.aclose()
        known = store.tokens(taken.session)
        token = None if known else issue_gm_token(store, taken.session)
    return _document(copy, taken, token)


def _document(
    copy: CheckedCopy, taken: Imported, token: str | None = None, *, dry_run: bool = False
) -> dict[str, Any]:
    return {
        "id": taken.session,
        "title": copy.header.title,
        "ruleset": copy.header.ruleset,
        "version": taken.version,
        "added": taken.added,
        "gm_token": token,
        "dry_run": dry_run,
    }


def _at_server(url: str, admin_key: str | None, lines: bytes, *, fork: bool, dry_run: bool) -> dict[str, Any]:
    if not admin_key:
        raise Ended(
            "a running server takes in copies from its keeper only: give its --admin-key, or, where it has none, stop "
            "it and use --db",
            Exit.USAGE,
        )
    with Client(url, admin_key, patience=options.AT_A_PROMPT) as client:
        document: dict[str, Any] = msgspec.to_builtins(
            client.import_session(lines, kind="fork" if fork else None, dry_run=dry_run)
        )
    return document
