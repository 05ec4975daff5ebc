"""Luck: what somebody's dice showed beside what fair dice show, and how far from even that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from projections.chances import MOST_EXACT, chi_square, chi_square_chance, hundredths, rounded, sum_chance
from projections.ledger import LedgerLine


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


def luck(dice: Iterable[LedgerLine]) -> Iterator[DiceLuck]:
    """Everybody's luck with each kind of die, in the order of their first. Each line is taken for a die of its own."""
    kinds: dict[tuple[str, int, Literal["server", "table"]], Counter[int]] = {}
    for line in dice:
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
