"""Statistics of a session: who threw what, with which luck, and what it did to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec

from eventlog.audience import visible
from eventlog.codec import codec_for
from eventlog.envelope import Envelope
from eventlog.store import Store
from eventlog.tape import tape_at
from rulesets.contract import Event, Roll, Tally, Viewer
from rulesets.installed import ruleset_named

PAGE = 2000


class Measure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How much of something was counted; `expected` what chance alone would have given, exact and in words."""

    amount: int
    expected: str | None = None
    expected_fraction: tuple[int, int] | None = None


class Faces(msgspec.Struct, frozen=True, kw_only=True):
    """How often each face of a kind of die came up, server and table apart."""

    sides: int
    source: str
    counts: dict[str, int]


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """The session in numbers, of what this person may see. `characters` maps an id to its measures."""

    version: int
    rolls: int
    dice: int
    characters: dict[str, dict[str, Measure]]
    faces: tuple[Faces, ...]


def statistics(store: Store, session: str, viewer: Viewer) -> Statistics:
    """Count everything this person may see of a session, from its beginning."""
    head = store.head(session)
    ruleset = ruleset_named(head.ruleset)
    amounts, expected = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    faces, rolls = Counter[tuple[int, str, int]](), 0
    for event, state, seen in _events(store, session, viewer):
        roll = getattr(event, "roll", None)
        if seen and isinstance(roll, Roll):
            rolls += 1
            faces.update((die.sides, roll.source, die.face) for die in roll.dice)
        for tally in ruleset.record.tally(state, event) if seen and state is not None else ():
            _add(amounts, expected, tally)
    return Statistics(
        version=head.version,
        rolls=rolls,
        dice=faces.total(),
        characters=_characters(amounts, expected),
        faces=tuple(_faces(faces)),
    )


def _add(amounts: Counter[tuple[str, str]], expected: Counter[tuple[str, str]], tally: Tally) -> None:
    amounts[tally.who, tally.measure] += tally.amount
    if tally.expected is not None:
        expected[tally.who, tally.measure] += Fraction(*tally.expected)  # type: ignore[assignment]  # a Counter adds what can be added


def _events(store: Store, session: str, viewer: Viewer) -> Iterator[tuple[Event, Any, bool]]:
    """Every event with the table after it (`None` for the recorder's own) and whether this person may see it."""
    opening = tape_at(store, session, 0)
    ruleset, state, at = ruleset_named(opening.ruleset), opening.state, 0
    codec = codec_for(ruleset)
    while page := store.envelopes(session, at, PAGE):
        at = page[-1].seq
        for envelope in page:
            if envelope.data is None:
                continue
            event = codec.read(envelope.type, envelope.v, envelope.data, envelope.seq)
            core = envelope.type.startswith("core.")
            state = state if core else ruleset.record.evolve(state, event)
            yield event, None if core else state, _is_visible(viewer, envelope)


def _is_visible(viewer: Viewer, envelope: Envelope) -> bool:
    return bool(visible(viewer, [envelope]))


def _characters(
    amounts: Counter[tuple[str, str]], expected: Counter[tuple[str, str]]
) -> dict[str, dict[str, Measure]]:
    found: dict[str, dict[str, Measure]] = {}
    for (who, measure), amount in amounts.items():
        chance = Fraction(expected[who, measure]) if (who, measure) in expected else None
        found.setdefault(who, {})[measure] = Measure(
            amount=amount,
            expected=None if chance is None else f"{float(chance):.2f}",
            expected_fraction=None if chance is None else (chance.numerator, chance.denominator),
        )
    return found


def _faces(faces: Counter[tuple[int, str, int]]) -> Iterator[Faces]:
    for sides, source in sorted({(sides, source) for sides, source, _ in faces}):
        counts = {
            str(face): count for (s, w, face), count in sorted(faces.items()) if (s, w) == (sides, source)
        }
        yield Faces(sides=sides, source=source, counts=counts)
