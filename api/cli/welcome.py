"""What a server says when it is ready: links to click, and the same as lines for a shell."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.cli.screen import print_json, print_line
from api.settings import ServerSettings

if TYPE_CHECKING:
    from api.demo import Demo

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - names of all addresses, not a place to bind
FIRST_WORDS = 60


def print_links(settings: ServerSettings, demo: Demo | None, *, as_json: bool) -> None:
    """Say where the server is and what to do first."""
    if as_json:
        print_json(_document(settings, demo))
        return
    print_line()
    print_line(f"Tabletape is ready at {address(settings)}", style="bold green")
    print_line(f"  recording into {settings.db}; Ctrl-C stops it")
    if demo is None:
        _print_first_steps(settings)
    else:
        _print_demo(settings, demo)
    print_line()


def address(settings: ServerSettings) -> str:
    """Where the server is, as somebody at this machine reaches it."""
    host = EVERYWHERE.get(settings.host, settings.host)
    return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{settings.port}"


def _print_first_steps(settings: ServerSettings) -> None:
    url = address(settings)
    key = ' -H "Authorization: Bearer $TABLETAPE_ADMIN_KEY"' if settings.admin_key else ""
    print_line()
    print_line("  How it is spoken to")
    print_line(f"    {url}/schema", style="cyan")
    print_line("  Open a session, and keep the gm_token of the answer")
    print_line(f"    curl {url}/sessions{key} -H 'Content-Type: application/json' \\")
    print_line("""      -d '{"ruleset": "anima-prime", "title": "Our first evening"}'""")
    print_line("  Or have a finished evening to look at: stop this, and add --demo")


def _print_demo(settings: ServerSettings, demo: Demo) -> None:
    url = address(settings)
    session = f"{url}/sessions/demo"
    print_line()
    print_line("The fight for the caravan is here to look at", style="bold")
    if settings.on_loopback:
        print_line("  a browser on this machine needs no token for it")
    for words, link in _links(url, demo).items():
        print_line()
        print_line(f"  {words}")
        print_line(f"    {link}", style="cyan")
    print_line()
    print_line("To read it like a story, in another terminal", style="bold")
    print_line(f"    {_program()} timeline demo --db {shlex.quote(settings.db)}")
    print_line()
    print_line("The same in a shell", style="bold")
    print_line(f"    READ={demo.reader_token}")
    for link in (f"{session}/actions", f"{session}/state?at={demo.midway.number}", f"{session}/state"):
        print_line(f"""    curl -H "Authorization: Bearer $READ" '{link}'""")
    print_line()
    print_line("Go on with it as its game master: roll two dice for the weather", style="bold")
    print_line(f"    GM={demo.gm_token}")
    print_line(
        f"""    curl {session}/actions -H "Authorization: Bearer $GM" -H 'Content-Type: application/json' \\"""
    )
    print_line("""      -d '{"command": {"type": "roll", "count": 2, "purpose": "the weather"}}'""")
    print_line()
    print_line("  Both tokens are new; those of an earlier start no longer work.")


def _program() -> str:
    """The command as it was typed here, which may be in a folder the shell does not search."""
    typed = sys.argv[0]
    return shlex.quote(typed) if Path(typed).stem == "tabletape" else "tabletape"


def _links(url: str, demo: Demo) -> dict[str, str]:
    session = f"{url}/sessions/demo"
    return {
        "What happened, line by line": f"{session}/actions",
        f"The table in the middle of it: {_short(demo.midway.line)}": f"{session}/state?at={demo.midway.number}",
        f"The table at the end: {_short(demo.last.line)}": f"{session}/state?at={demo.last.number}",
        "How the server is spoken to": f"{url}/schema",
    }


def _short(line: str) -> str:
    """The beginning of a line, before the dice where there are some."""
    line = line.partition(": ")[0]
    return line if len(line) <= FIRST_WORDS else f"{line[:FIRST_WORDS].rpartition(' ')[0]} …"


def _document(settings: ServerSettings, demo: Demo | None) -> dict[str, Any]:
    url = address(settings)
    document: dict[str, Any] = {"url": url, "db": settings.db, "schema": f"{url}/schema"}
    if demo is not None:
        session = f"{url}/sessions/demo"
        document["demo"] = {
            "session": "demo",
            "timeline": f"{session}/actions",
            "states": [f"{session}/state?at={each.number}" for each in (demo.midway, demo.last)],
            "reader_token": demo.reader_token,
            "gm_token": demo.gm_token,
        }
    return document
