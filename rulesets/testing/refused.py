"""Checks of refusals: whoever is refused something can read what its code means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesets.codes import EVERY_GAME, THE_RECORDERS
from rulesets.contract import Command, RuleViolation
from rulesets.people import GM, OBSERVER
from rulesets.testing.plays import Subject
from rulesets.testing.throws import tried


def explanations(subject: Subject) -> Iterator[str]:
    """Every code the rules refuse something with is explained, but for those that every game has."""
    own = {code for code, words in subject.rules.explanations.items() if words.strip()}
    explained = {*own, *EVERY_GAME, *THE_RECORDERS}
    for state, command in tried(subject, 2000):
        for refusal in _refusals(subject, state, command):
            if refusal.code not in explained:
                yield f"the code {refusal.code!r} has no explanation"


def _refusals(subject: Subject, state: Any, command: Command) -> Iterator[RuleViolation]:
    """Why nobody may ask this, and why it is illegal, up to what keeps the books."""
    for viewer in (GM, OBSERVER):
        try:
            subject.rules.permits(state, command, viewer)
        except RuleViolation as forbidden:
            yield forbidden
    for refusal in subject.rules.refusals(state, command):
        yield refusal
        if not refusal.overrulable:
            return
