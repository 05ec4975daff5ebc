"""Options that many commands share."""

from __future__ import annotations

import click

from tabletape.client.patience import Patience

AT_A_PROMPT = Patience(tries=3, first=0.1)
"""How long a command tries to reach `--url`: somebody waits, and may have mistyped it."""
DEFAULT_DB = "tabletape.db"

db = click.option(
    "--db",
    envvar="TABLETAPE_DB",
    default=DEFAULT_DB,
    show_default=True,
    show_envvar=True,
    metavar="FILE",
    help="The database file.",
)
url = click.option("--url", metavar="URL", help="Go through a running server, such as http://127.0.0.1:8000.")
admin_key = click.option(
    "--admin-key",
    envvar="TABLETAPE_ADMIN_KEY",
    show_envvar=True,
    metavar="KEY",
    help="The server's admin key.",
)
token = click.option(
    "--token",
    envvar="TABLETAPE_TOKEN",
    show_envvar=True,
    metavar="TOKEN",
    help="With --url: a token of the session.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
viewer = click.option(
    "--as",
    "who",
    default="gm",
    show_default=True,
    metavar="WHO",
    help="Whose eyes to look through: gm, observer, a player's name, or a character's id.",
)
session = click.argument("session", metavar="ID")
