"""Keys as they are pressed, without waiting for the end of a line."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from api.cli.player.playing import Key

try:
    import termios
    import tty
except ImportError:  # there is none on Windows
    HAS_KEYS = False
else:
    HAS_KEYS = True

NAMES: dict[str, Key] = {
    " ": "space",
    "n": "forward", "\x1b[C": "forward", "\x1bOC": "forward", "l": "forward",
    "p": "back", "\x1b[D": "back", "\x1bOD": "back", "h": "back",
    "\x1b[H": "first", "\x1bOH": "first", "\x1b[1~": "first",
    "\x1b[F": "last", "\x1bOF": "last", "\x1b[4~": "last",
    "g": "go", "+": "faster", "=": "faster", "-": "slower", "_": "slower",
    "q": "quit", "\x04": "quit",
    "\r": "enter", "\n": "enter", "\x7f": "erase", "\b": "erase", "\x1b": "escape",
}  # fmt: skip
"""What is sent by which key."""


def there_is_one() -> bool:
    """Whether somebody can press keys here."""
    return HAS_KEYS and sys.stdin.isatty()


class Keyboard:
    """The keys of a terminal."""

    def __init__(self, file: int) -> None:
        self._file = file

    def pressed(self, seconds: float) -> list[Key]:
        """The keys pressed within so many seconds, as soon as there are any. A terminal that is gone says `quit`."""
        if not select.select([self._file], [], [], seconds)[0]:
            return []
        sent = os.read(self._file, 1024)
        return list(keys(sent.decode(errors="ignore"))) if sent else ["quit"]


def keys(sent: str) -> Iterator[Key]:
    """The keys behind what a terminal sent; what is none of ours is left out."""
    at = 0
    while at < len(sent):
        length = next((size for size in (4, 3, 1) if sent[at : at + size] in NAMES), 0)
        if length:
            yield NAMES[sent[at : at + length]]
        elif sent[at].isdigit() and sent[at].isascii():
            yield sent[at]
        at += length or 1


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """The terminal's keys one by one; it is as before afterwards."""
    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    try:
        tty.setcbreak(file)
        yield Keyboard(file)
    finally:
        termios.tcsetattr(file, termios.TCSADRAIN, before)
