"""`tabletape webhooks`: who is told what happens, and how far they were told."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from api.cli import options
from api.cli.database import looking_at, writing
from api.cli.exits import Ended, Exit
from api.cli.screen import at_terminal, print_json, print_line, print_rows
from eventlog.hooks import Format, Hook
from eventlog.store import Store
from tabletape.client import Client


@click.command("webhooks")
@click.argument("session", metavar="[ID]", required=False)
@click.option("--add", metavar="URL", help="Have this address told from now on.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["standard", "discord"]),
    default="standard",
    show_default=True,
    help="How an added one is told: signed messages, or lines in a Discord channel.",
)
@click.option("--name", default="", metavar="NAME", help="What an added one is called in lists.")
@click.option("--remove", metavar="HOOK", help="Tell the webhook of this id nothing any more.")
@options.db
@options.url
@options.admin_key
@click.option("--token", metavar="TOKEN", help="With --url and a session: its GM's token.")
@options.as_json
def command(  # noqa: PLR0913, PLR0917 - what is done, to whom, and where
    session: str | None,
    add: str | None,
    form: Format,
    name: str,
    remove: str | None,
    db: str,
    url: str | None,
    admin_key: str | None,
    token: str | None,
    *,
    as_json: bool,
) -> None:
    """List the webhooks of the session ID, or without one those for all sessions.

    With --add or --remove change them: in the database itself, or while a server runs on it through --url, with
    the admin key, or for a session with its GM's token.
    """
    if add and remove:
        raise click.UsageError("--add and --remove exclude each other.")
    asked = {"url": add, "format": form, "name": name}
    if url is not None:
        document = _at_server(url, session, admin_key if session is None else token, asked, remove)
    elif add:
        with writing(db) as store:
            document = _added(store, session, asked)
    elif remove:
        with writing(db) as store:
            document = _removed(store, session, remove)
    else:
        with looking_at(db) as store:
            document = _listed(store, session)
    _print(document, as_json=as_json)


def _at_server(
    url: str, session: str | None, secret: str | None, asked: dict[str, Any], remove: str | None
) -> dict[str, Any]:
    if not secret:
        raise Ended(
            "a running server is asked with --admin-key, or about a session with its GM's --token", Exit.USAGE
        )
    with Client(url, secret, patience=options.AT_A_PROMPT) as client:
        document: dict[str, Any] = msgspec.to_builtins(_answered(client, session, asked, remove))
    return document


def _answered(client: Client, session: str | None, asked: dict[str, Any], remove: str | None) -> Any:
    if asked["url"]:
        return client.add_webhook(asked["url"], session=session, format=asked["format"], name=asked["name"])
    if remove:
        return client.remove_webhook(remove, session=session)
    found = client.webhooks(session=session).webhooks
    return {"webhooks": [client.webhook(each.id, session=session) for each in found]}


def _listed(store: Store, session: str | None) -> dict[str, Any]:
    from api.webhooks.eyes import as_now
    from api.webhooks.shapes import shown

    hooks = store.hooks
    found = [shown(as_now(store, hook), hooks.standings(hook.id)) for hook in hooks.hooks(session)]
    return {"webhooks": msgspec.to_builtins(found)}


def _added(store: Store, session: str | None, asked: dict[str, Any]) -> dict[str, Any]:
    from api.webhooks.addresses import target_of
    from api.webhooks.asking import drawn
    from api.webhooks.shapes import RegisterServerWebhook, made
    from eventlog.recorder import new_id

    target_of(asked["url"])
    hook: Hook = drawn(new_id(), session, msgspec.convert(asked, RegisterServerWebhook))
    store.hooks.add(hook)
    document: dict[str, Any] = msgspec.to_builtins(made(hook))
    return document


def _removed(store: Store, session: str | None, name: str) -> dict[str, Any]:
    hook = store.hooks.hook(name)
    if hook is None or hook.session != session:
        whose = f"session {session}" if session else "all sessions; a session's own are named with its ID"
        raise Ended(f"there is no webhook {name} for {whose}", Exit.NOT_FOUND)
    return {"id": name, "removed": store.hooks.drop(name)}


def _print(document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(document)
    elif "removed" in document:
        print_line(f"{document['id']} is told nothing any more.")
    elif "secret" in document:
        print_line(f"{document['id']} is told from now on what everybody may see.")
        if document["secret"]:
            print_line("Its messages are signed with this secret, shown only now:")
            print_line(document["secret"], style="bold")
    elif document["webhooks"] or not at_terminal():
        print_rows(
            ("ID", "FORMAT", "", "BEHIND", "ADDRESS", "NAME"), [_row(each) for each in document["webhooks"]]
        )
    else:
        print_line("Nobody is told.")


def _row(hook: dict[str, Any]) -> tuple[str, ...]:
    behind = sum(each["version"] - each["told"] for each in hook["sessions"])
    return hook["id"], hook["format"], hook["status"], str(behind), hook["url"], hook["name"]
