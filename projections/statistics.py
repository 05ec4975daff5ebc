"""Statistics of a session: who threw what, with which luck, and what it did to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any, Literal, NamedTuple

import msgspec

from eventlog.audience import visible
from eventlog.core import CORE_EVENTS
from eventlog.history.points import tape_at
from eventlog.history.reading import Past
from eventlog.store import Store
from rulesets.contract import Event, Tally
from rulesets.dice import Roll
from rulesets.people import Viewer

PAGE = 500
"""Actions read at once."""

CORE = frozenset(CORE_EVENTS)


class Measure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How much of something was counted, and what chance alone would have given.

    `expected` is rounded to hundredths, `expected_exact` a fraction: `3.50` and `7/2`.
    """

    amount: int
    expected: str | None = None
    expected_exact: str | None = None


class Faces(msgspec.Struct, frozen=True, kw_only=True):
    """How often each face came up on the dice of one origin (`action:zadie`), server and table apart."""

    origin: str
    sides: int
    source: Literal["server", "table"]
    counts: dict[str, int]


class Rolls(msgspec.Struct, frozen=True, kw_only=True):
    """How many rolls there were, by who threw the dice."""

    server: int
    table: int


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """The session in numbers, of what this person may see. `characters` maps an id to its measures."""

    version: int
    rolls: Rolls
    dice: int
    characters: dict[str, dict[str, Measure]]
    faces: tuple[Faces, ...]


def statistics(store: Store, session: str, viewer: Viewer) -> Statistics:
    """Count everything that stands and that this person may see of a session, from its beginning."""
    past = Past(store, tape_at(store, session))
    ruleset = past.ruleset
    amounts, expected = Counter[tuple[str, str]](), dict[tuple[str, str], Fraction]()
    faces, rolls = Counter[_Face](), Counter[str]()
    for event, state in _seen_events(past, viewer):
        roll = getattr(event, "roll", None)
        if isinstance(roll, Roll):
            rolls[roll.source] += 1
            faces.update(_Face(die.origin, die.sides, roll.source, die.face) for die in roll.dice)
        for tally in ruleset.record.tally(state, event) if state is not None else ():
            _add(amounts, expected, tally)
    return Statistics(
        version=past.tape.version,
        rolls=Rolls(server=rolls["server"], table=rolls["table"]),
        dice=faces.total(),
        characters=_characters(amounts, expected),
        faces=tuple(_faces(faces)),
    )


class _Face(NamedTuple):
    origin: str
    sides: int
    source: Literal["server", "table"]
    face: int


def _add(amounts: Counter[tuple[str, str]], expected: dict[tuple[str, str], Fraction], tally: Tally) -> None:
    key = tally.who, tally.measure
    amounts[key] += tally.amount
    if tally.expected is not None:
        expected[key] = expected.get(key, Fraction(0)) + Fraction(*tally.expected)


def _seen_events(past: Past, viewer: Viewer) -> Iterator[tuple[Event, Any]]:
    """Every event of what stands that this person may see, with the table after it (`None` for the recorder's own)."""
    ruleset, state = past.ruleset, tape_at(past.log, past.tape.session, 0).state
    for first in range(1, past.tape.action + 1, PAGE):
        for content in past.between(first, min(first + PAGE - 1, past.tape.action)):
            facts = [fact for fact in content.facts if fact.event is not None]
            seen = {fact.seq for fact in visible(viewer, facts)}
            for fact in facts:
                core = type(fact.event) in CORE
                state = state if core else ruleset.record.evolve(state, fact.event)
                if fact.seq in seen and fact.event is not None:
                    yield fact.event, None if core else state


def _characters(
    amounts: Counter[tuple[str, str]], expected: dict[tuple[str, str], Fraction]
) -> dict[str, dict[str, Measure]]:
    found: dict[str, dict[str, Measure]] = {}
    for (who, measure), amount in amounts.items():
        found.setdefault(who, {})[measure] = _measure(amount, expected.get((who, measure)))
    return found


def _measure(amount: int, chance: Fraction | None) -> Measure:
    if chance is None:
        return Measure(amount=amount)
    hundredths = round(chance * 100)
    sign, whole = "-" if hundredths < 0 else "", abs(hundredths)
    return Measure(
        amount=amount, expected=f"{sign}{whole // 100}.{whole % 100:02}", expected_exact=str(chance)
    )


def _faces(faces: Counter[_Face]) -> Iterator[Faces]:
    for (origin, sides, source), group in groupby(sorted(faces), key=lambda face: face[:3]):
        counts = {str(each.face): faces[each] for each in group}
        yield Faces(origin=origin, sides=sides, source=source, counts=counts)
