"""Luck: what somebody's dice showed beside what fair dice show, and how far from even that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from eventlog.store import Store
from projections.chances import MOST_EXACT, chi_square, chi_square_chance, hundredths, rounded, sum_chance
from projections.ledger import LedgerLine, fallen, ledger
from projections.statistics import Measure, statistics
from rulesets.people import Viewer


class DiceLuck(msgspec.Struct, frozen=True, kw_only=True):
    """The dice of one kind somebody threw, those of the server and those of the table apart.

    `expected` is what fair dice sum to, `chance` how often they miss it by as much or more, either way (the
    two-sided p-value of the sum), `exact` or by the `normal` curve. `unevenness` is the chi-square of the faces, with
    `sides` - 1 degrees of freedom; `uneven_chance` is how often fair dice are as uneven, `None` for too few dice.
    Chances are decimals, rounded; one below 10⁻¹² is said to be that.
    """

    who: str
    sides: int
    source: Literal["server", "table"]
    dice: int
    total: int
    expected: str
    chance: str
    method: Literal["exact", "normal"]
    unevenness: str
    uneven_chance: str | None
    faces: dict[str, int]


class DeedLuck(msgspec.Struct, frozen=True, kw_only=True):
    """Something counted that hangs on dice: how much it was, and what chance alone gives (`3.50`, exactly `7/2`)."""

    who: str
    measure: str
    amount: int
    expected: str
    expected_exact: str


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody's luck, of what one person may see."""

    version: int
    dice: tuple[DiceLuck, ...]
    deeds: tuple[DeedLuck, ...]


def luck(store: Store, session: str, viewer: Viewer) -> Luck:
    """Everybody's luck in a session. A die counts once and for ever: also when its roll was undone or used again."""
    counted = statistics(store, session, viewer)
    return Luck(
        version=counted.version,
        dice=tuple(dice_luck(ledger(store, session, viewer))),
        deeds=tuple(
            _deed(who, name, measure)
            for who, measures in counted.characters.items()
            for name, measure in measures.items()
            if measure.expected is not None
        ),
    )


def dice_luck(lines: Iterable[LedgerLine]) -> Iterator[DiceLuck]:
    """The luck of each person with each kind of die, in the order of their first."""
    kinds: dict[tuple[str, int, Literal["server", "table"]], Counter[int]] = {}
    for line in fallen(lines):
        kinds.setdefault((line.who, line.sides, line.source), Counter())[line.face] += 1
    for (who, sides, source), faces in kinds.items():
        yield _luck(who, sides, source, faces)


def _luck(who: str, sides: int, source: Literal["server", "table"], faces: Counter[int]) -> DiceLuck:
    dice, total = faces.total(), sum(face * count for face, count in faces.items())
    uneven = chi_square(faces, sides)
    uneven_chance = chi_square_chance(uneven, sides, dice)
    return DiceLuck(
        who=who,
        sides=sides,
        source=source,
        dice=dice,
        total=total,
        expected=f"{dice * (sides + 1) // 2}.{5 * (dice * (sides + 1) % 2)}",
        chance=rounded(sum_chance(dice, sides, total)),
        method="exact" if dice <= MOST_EXACT else "normal",
        unevenness=hundredths(uneven),
        uneven_chance=None if uneven_chance is None else rounded(uneven_chance),
        faces={str(face): faces[face] for face in sorted(faces)},
    )


def _deed(who: str, name: str, measure: Measure) -> DeedLuck:
    return DeedLuck(
        who=who,
        measure=name,
        amount=measure.amount,
        expected=measure.expected or "",
        expected_exact=measure.expected_exact or "",
    )
