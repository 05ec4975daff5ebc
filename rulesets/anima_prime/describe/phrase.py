"""A piece of a line: who, and what they do or what happens to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rulesets.anima_prime.describe.words import begun


class Phrase(NamedTuple):
    """A subject and what is said of it. Phrases on the same subject share it."""

    subject: str
    said: str
    aside: str = ""
    """Words somebody added; they end the sentence they belong to."""


def sentence(phrases: Iterable[Phrase]) -> str:
    """All phrases as one line: `Zadie maneuvers …, gains 1 strike; Bull wounds 0 -> 1 of 3`."""
    parts: list[str] = []
    asides: list[str] = []
    before = None
    for phrase in phrases:
        if parts and phrase.subject == before:
            parts[-1] += f", {phrase.said}"
        else:
            parts.append(f"{phrase.subject} {phrase.said}".strip())
        before = phrase.subject
        if phrase.aside:
            asides.append(f"“{phrase.aside}”")
    return " - ".join([begun("; ".join(parts)), *asides])
