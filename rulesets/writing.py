"""What people may write: ids, names and words, from any script, that look like what they are.

The patterns are regular expressions as both JSON Schema and Python read them, so that a form can check them too.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

_CONTROL = r"\x00-\x1f\x7f-\x9f"
_DIRECTING = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Unicode's bidirectional controls: unseen themselves, they show other words in another order."""
_BREAKING = r"\u2028\u2029"
_UNSEEN = r"\s\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
"""Blanks, joiners and fillers: good inside a name, but none of them can be seen alone."""

END = r"$(?!\n)"
"""The end of a pattern: in Python, `$` alone also stands before a last line break."""

SLUG_PATTERN = rf"^[a-z][a-z0-9_-]{{0,39}}{END}"
NAME_PATTERN = rf"^(?=.*[^{_UNSEEN}])[^{_CONTROL}{_DIRECTING}{_BREAKING}]*{END}"
CAPTION_PATTERN = rf"^(?:(?=.*[^{_UNSEEN}])[^{_CONTROL}{_DIRECTING}{_BREAKING}]*)?{END}"
"""A name, or nothing at all."""
TEXT_PATTERN = rf"^[^\x00-\x08\x0b-\x1f\x7f-\x9f{_DIRECTING}]*$"

Slug = Annotated[
    str,
    msgspec.Meta(pattern=SLUG_PATTERN, description="An id: a-z, then a-z 0-9 _ -, at most 40"),
]
"""An id at the table: of a character, a goal, a power, a question."""

Name = Annotated[
    str,
    msgspec.Meta(
        min_length=1,
        max_length=80,
        pattern=NAME_PATTERN,
        description="A name: any writing on one line, something of it visible, no control characters, at most 80",
    ),
]
"""A name people read: any Unicode, one line, not blank."""

Text = Annotated[
    str,
    msgspec.Meta(
        max_length=2000,
        pattern=TEXT_PATTERN,
        description="Free words: any writing, line breaks allowed, no control characters, at most 2000",
    ),
]
"""Words somebody adds to an action: a description, a reason."""

_IN_WORDS = {
    SLUG_PATTERN: "Expected an id: a-z, then a-z 0-9 _ -, at most 40",
    NAME_PATTERN: "Expected a name on one line that can be seen, without control or direction characters",
    CAPTION_PATTERN: "Expected nothing, or a name on one line that can be seen, without control or direction characters",
    TEXT_PATTERN: "Expected words without control or direction characters",
}


def in_words(error: Exception) -> str:
    """What msgspec says of a value, with the meaning of a pattern instead of the pattern."""
    said = str(error)
    for pattern, words in _IN_WORDS.items():
        said = said.replace(f"Expected `str` matching regex {pattern!r}", words)
    return said
