"""Words for Discord: nothing in them is read as formatting, and no piece is longer than Discord takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

FORMATS = frozenset("\\*_~`|>[]()#<@:")
"""What Discord may read as formatting, a link, a mention or an emoji."""
CUT = "…"
_PIECES = re.compile(r"https?://[^\s<]+|.", re.DOTALL)


def size(text: str) -> int:
    """How long Discord counts a text to be at most: in UTF-16 units, which is never less than in letters."""
    return len(text.encode("utf-16-le")) // 2


def plain(text: str, limit: int) -> str:
    """The text as it is meant, cut to a limit. Addresses stay whole, so that they can be followed.

    For Discord an address ends at a blank or a `<`; what comes after it would be formatting again.
    """
    return _fitted((piece if len(piece) > 1 else _escaped(piece) for piece in _PIECES.findall(text)), limit)


def cut(text: str, limit: int) -> str:
    """A text cut to a limit where Discord shows it as it is, without any formatting."""
    return _fitted(iter(text), limit)


def struck(text: str, limit: int) -> str:
    """The text struck through."""
    return f"~~{plain(text, limit - 4)}~~"


def _escaped(letter: str) -> str:
    return f"\\{letter}" if letter in FORMATS else letter


def _fitted(pieces: Iterator[str], limit: int) -> str:
    """As many whole pieces as fit, with an ellipsis where some did not."""
    kept: list[str] = []
    taken = 0
    for piece in pieces:
        taken += size(piece)
        kept.append(piece)
        if taken > limit:
            while kept and taken + size(CUT) > limit:
                taken -= size(kept.pop())
            return "".join(kept) + CUT
    return "".join(kept)
