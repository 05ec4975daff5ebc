"""Draws docs/timeline.svg, the picture of the README, from what the command line really prints.

python docs/pictures.py
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
SCENE = HERE.parent / "fixtures" / "anima_prime" / "caravan.toml"
WIDTH = 112


def printed() -> str:
    """The timeline of the caravan scene as a terminal shows it, its first two rounds."""
    shown = _in_a_terminal([sys.executable, "-c", "from api.cli import main; main()", "play", str(SCENE)])
    lines = shown.replace("\r\n", "\n").split("\n")
    title, first, last = (
        next(n for n, line in enumerate(lines) if mark in line) for mark in ("caravan", "Round 1", "Round 3")
    )
    return "\n".join([lines[title], "", *lines[first:last]]).strip("\n")


def _in_a_terminal(command: list[str]) -> str:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    running = subprocess.Popen(command, env=environment, stdin=theirs, stdout=theirs)  # noqa: S603 - our own
    os.close(theirs)
    written = bytearray()
    with suppress(OSError):  # the terminal is gone when the command ends
        while part := os.read(ours, 65536):
            written += part
    running.wait()
    return written.decode()


def svg(text: str) -> str:
    """That text as a picture that asks nobody else for a font."""
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"))  # noqa: SIM115, PTH123 - printed to nowhere
    console.print(Text.from_ansi(text))
    drawn = console.export_svg(title="tabletape timeline", unique_id="tabletape")
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)


if __name__ == "__main__":
    (HERE / "timeline.svg").write_text(svg(printed()), encoding="utf-8")
