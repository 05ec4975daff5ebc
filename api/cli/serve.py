"""`tabletape serve`: the server, in the foreground."""

from __future__ import annotations

import errno
import os
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from api.cli import options
from api.cli.exits import Ended, Exit
from api.cli.screen import at_terminal, print_line
from api.cli.streams import stop_writing
from api.cli.welcome import print_links
from api.settings import LONGEST_SILENCE, ServerSettings

if TYPE_CHECKING:
    from api.demo import Demo

BACKLOG = 128


@click.command("serve")
@options.db
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST", help="Where to listen.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="The port; 0 takes one that is free.",
)
@click.option("--demo", is_flag=True, help="Have a finished session to look at, and print its links.")
@options.admin_key
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    envvar="TABLETAPE_ALLOW_HOST",
    show_envvar=True,
    metavar="NAME",
    help="A further name the server is reached under, such as a reverse proxy's. May be repeated.",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    envvar="TABLETAPE_ALLOW_ORIGIN",
    show_envvar=True,
    metavar="ORIGIN",
    help="A web page elsewhere that may call the server from a browser: https://overlay.example. May be repeated.",
)
@click.option(
    "--allow-webhook-to",
    "webhook_networks",
    multiple=True,
    envvar="TABLETAPE_ALLOW_WEBHOOK_TO",
    show_envvar=True,
    metavar="NETWORK",
    help="A network webhooks may reach though it is not public: 192.168.1.0/24, or 127.0.0.1. May be repeated.",
)
@click.option(
    "--heartbeat",
    default=LONGEST_SILENCE,
    show_default=True,
    type=click.FloatRange(0.05, LONGEST_SILENCE),
    metavar="SECONDS",
    help="How long a live feed may be silent.",
)
@click.option(
    "--patience",
    default=20.0,
    show_default=True,
    type=click.FloatRange(0.1, 600),
    metavar="SECONDS",
    help="How long a reader of a feed may take for what was sent, before it is cut off.",
)
@click.option(
    "--feeds-per-token",
    "feeds_per_token",
    default=1024,
    show_default=True,
    type=click.IntRange(1),
    metavar="NUMBER",
    help="How many feeds one token may have open.",
)
@click.option(
    "--log",
    type=click.Choice(["console", "json", "off"]),
    help="How each request is written to the standard error: by default as lines, and at a terminal not at all.",
)
@options.as_json
def command(  # noqa: PLR0913, PLR0917 - how a server is set up
    db: str,
    host: str,
    port: int,
    admin_key: str | None,
    log: Literal["console", "json", "off"] | None,
    heartbeat: float,
    patience: float,
    feeds_per_token: int,
    *,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    webhook_networks: tuple[str, ...],
    demo: bool,
    as_json: bool,
) -> None:
    """Start the server and print its links. Ctrl-C stops it; everything accepted is stored by then.

    Without an admin key it listens to this machine only, and whoever sits here may open sessions. For other
    machines give --host and an admin key.
    """
    form = log or ("off" if sys.stderr.isatty() else "console")
    settings = ServerSettings(
        db=db,
        host=host,
        port=port,
        admin_key=admin_key or "",
        allowed_origins=origins,
        allowed_hosts=hosts,
        webhook_networks=webhook_networks,
        log=form,
        heartbeat=heartbeat,
        patience=patience,
        feeds_per_token=feeds_per_token,
    )
    listening = _listen(host, port)
    settings = msgspec.structs.replace(settings, port=listening.getsockname()[1])
    with listening:
        from api.cli.process import run

        run(settings, listening, partial(_announce, settings, as_json=as_json), demo=demo)
    if at_terminal() and not as_json:
        print_line("Stopped. Everything that was accepted is stored.")


def _announce(settings: ServerSettings, found: Demo | None, *, as_json: bool) -> None:
    """Say where the server is; it serves also where nobody listens."""
    try:
        print_links(settings, found, as_json=as_json)
    except BrokenPipeError:
        stop_writing()


def _listen(host: str, port: int) -> socket.socket:
    """The port, taken before anything else, so that what is wrong with it is said in one sentence."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise Ended(_no_port(host, port, error), Exit.UNUSABLE) from error
    return listening


def _no_port(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is taken, perhaps by a server that runs already: stop that one, or choose another "
            f"port with --port {port + 1 if port < 65535 else 0}"
        )
    if error.errno == errno.EACCES:
        return f"port {port} is not for everybody: choose one above 1023 with --port"
    return f"{host} cannot be listened to ({error.strerror or error}): choose another address with --host"
