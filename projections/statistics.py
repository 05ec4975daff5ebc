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
from eventlog.folding import with_fact
from eventlog.history.points import tape_at
from eventlog.history.reading import Past
from eventlog.store import Store
from eventlog.tape import Tape
from projections.chances import hundredths
from projections.ledger import fallen, ledger
from projections.luck import DiceLuck, luck
from rulesets.contract import Tally
from rulesets.people import Viewer

SLOTS_AT_ONCE = 200


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
    """The session in numbers, of what this person may see. `characters` maps an id to its measures.

    `luck` compares everybody's dice with fair ones, `faces` are the same dice by where they came from.
    """

    version: int
    rolls: Rolls
    dice: int
    characters: dict[str, dict[str, Measure]]
    faces: tuple[Faces, ...]
    luck: tuple[DiceLuck, ...]


def statistics(store: Store, session: str, viewer: Viewer) -> Statistics:
    """Count everything this person may see of a session, from its beginning.

    Deeds are those of the history as it stands. Dice count once and for ever: also when their roll was undone, and
    not again when a correction took them along.
    """
    tape = tape_at(store, session)
    amounts, expected = Counter[tuple[str, str]](), dict[tuple[str, str], Fraction]()
    for tally in _deeds(store, tape, viewer):
        _add(amounts, expected, tally)
    dice = list(fallen(ledger(store, session, viewer)))
    faces = Counter(_Face(line.origin, line.sides, line.source, line.face) for line in dice)
    rolls = Counter({line.address.partition(".")[0]: line.source for line in dice}.values())
    return Statistics(
        version=tape.version,
        rolls=Rolls(server=rolls["server"], table=rolls["table"]),
        dice=faces.total(),
        characters=_characters(amounts, expected),
        faces=tuple(_faces(faces)),
        luck=tuple(luck(dice)),
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


def _deeds(store: Store, tape: Tape[Any], viewer: Viewer) -> Iterator[Tally]:
    """What the history as it stands adds for everybody, of events this person may see."""
    past, state = Past(store, tape), tape_at(store, tape.session, 0).state
    record = past.ruleset.record
    for first in range(1, tape.action + 1, SLOTS_AT_ONCE):
        for content in past.between(first, min(first + SLOTS_AT_ONCE - 1, tape.action)):
            for fact in content.facts:
                if fact.event is None or isinstance(fact.event, CORE_EVENTS):
                    continue
                state = with_fact(past.ruleset, state, fact.event, fact.seq)
                if visible(viewer, [fact]):
                    yield from record.tally(state, fact.event)


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
    return Measure(amount=amount, expected=hundredths(chance), expected_exact=str(chance))


def _faces(faces: Counter[_Face]) -> Iterator[Faces]:
    for (origin, sides, source), group in groupby(sorted(faces), key=lambda face: face[:3]):
        counts = {str(each.face): faces[each] for each in group}
        yield Faces(origin=origin, sides=sides, source=source, counts=counts)
