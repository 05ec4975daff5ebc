"""Words that many sentences share."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at what was meant, or else at everything there is; ends the sentence."""
    known = sorted(known)
    close = get_close_matches(word, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there is {', '.join(known) or 'nothing'}"
