"""A bot that announces what happens at a table, line by line, and after a restart goes on where it was.

    python announcer.py http://127.0.0.1:8000 SESSION notebook.txt

The token (of the role `tool` or `observer`) is in TABLETAPE_TOKEN. `announce` prints; yours would post to a chat.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tabletape.client import Client, Problem

NOT_YET = -1


class Notebook:
    """Where the bot stands, kept in a file: the cursor of the feed, and the last action it announced."""

    def __init__(self, path: Path) -> None:
        self._path = path
        cursor, told = (path.read_text() if path.exists() else f"0 {NOT_YET}").split()
        self.cursor, self.told = cursor, int(told)

    def write(self, cursor: str, told: int) -> None:
        """Write both down at once: the new page takes the place of the old one whole."""
        self.cursor, self.told = cursor, told
        page = self._path.with_suffix(".new")
        page.write_text(f"{cursor} {told}")
        page.replace(self._path)


def announce(line: str) -> None:
    """Tell the channel."""
    print(line, flush=True)


def follow(client: Client, session: str, notebook: Notebook) -> None:
    """Announce every action once, for as long as the session is open.

    An action is several events in a row. Its line is announced at the first of them that may be seen, and only
    then written down: whoever is killed in between says one line twice rather than none.
    """
    for event in client.feed(session, after=notebook.cursor):
        if event.action != notebook.told:
            announce(client.action(session, event.action).line)
        notebook.write(event.cursor, event.action)


def main(url: str, session: str, notebook: str) -> int:
    """Follow a session until it is closed; 1 where the server will not have us."""
    with Client(url, os.environ.get("TABLETAPE_TOKEN")) as client:
        try:
            follow(client, session, Notebook(Path(notebook)))
        except Problem as problem:
            print(f"{problem.message} ({problem.code})", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: announcer.py URL SESSION NOTEBOOK   (the token is read from TABLETAPE_TOKEN)")
    sys.exit(main(*sys.argv[1:4]))
