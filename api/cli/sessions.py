"""`tabletape sessions`: what was recorded."""

from __future__ import annotations

from collections.abc import Iterator

import click

from api.cli import options
from api.cli.database import looking_at
from api.cli.screen import at_terminal, print_json, print_line, print_rows
from eventlog.logs import Head
from eventlog.store import Store

PAGE = 200


@click.command("sessions")
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@options.db
@options.as_json
def command(words: tuple[str, ...], db: str, *, as_json: bool) -> None:
    """List the sessions, newest first; with WORDS only those whose title or id contains them.

    In a pipe: id, ruleset, actions, time of the last one, open or closed, title, with tabs between.
    """
    with looking_at(db) as store:
        heads = list(_all(store, " ".join(words)))
    if as_json:
        print_json({"sessions": [_document(head) for head in heads]})
    elif heads or not at_terminal():
        headers = ("ID", "GAME", "ACTIONS", "LAST", "", "TITLE")
        print_rows(headers, [_row(head) for head in heads], words_last=True)
    else:
        print_line(f"No session of that name in {db}." if words else f"No session in {db} yet.")


def _all(store: Store, words: str) -> Iterator[Head]:
    page = store.sessions(search=words, limit=PAGE)
    yield from page.heads
    while page.next is not None:
        page = store.sessions(search=words, after=page.next, limit=PAGE)
        yield from page.heads


def _row(head: Head) -> tuple[str, ...]:
    at = head.changed_at[:16].replace("T", " ")
    state = "closed" if head.closed_at else "open"
    return head.session, head.ruleset, str(head.action), at, state, head.title


def _document(head: Head) -> dict[str, object]:
    return {
        "id": head.session,
        "title": head.title,
        "ruleset": head.ruleset,
        "actions": head.action,
        "version": head.version,
        "head_hash": head.hash.hex(),
        "opened_at": head.opened_at,
        "changed_at": head.changed_at,
        "closed_at": head.closed_at,
    }
