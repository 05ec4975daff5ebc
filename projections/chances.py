"""How likely a luck is: exact chances of sums of fair dice, and of how evenly faces fell."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb, erfc, exp, lgamma, log, sqrt

MOST_EXACT = 500
"""Dice up to which the chance of a sum is exact; beyond it the normal curve is closer than anybody can read."""

LEAST = Decimal("1E-12")
"""What a chance is rounded to; a smaller one is said to be this."""

EVEN = 5
"""Expected dice a face from which on the chi-square curve may be read."""


@lru_cache(maxsize=4096)
def sum_chance(dice: int, sides: int, total: int) -> Fraction | float:
    """The two-sided chance that fair dice miss their expectation by as much as this sum, or more.

    Exact, as a fraction, for up to `MOST_EXACT` dice; then by the normal curve with continuity correction.
    """
    off = abs(2 * total - dice * (sides + 1))
    if dice > MOST_EXACT:
        deviation = sqrt(dice * (sides * sides - 1) / 12)
        return erfc(max(0.0, off / 2 - 0.5) / deviation / sqrt(2))
    if off == 0:
        return Fraction(1)
    return Fraction(2 * _ways_up_to(dice, sides, (dice * (sides + 1) - off) // 2), sides**dice)


def _ways_up_to(dice: int, sides: int, total: int) -> int:
    """In how many ways dice sum to no more than a total: by inclusion and exclusion over faces too high."""
    room = total - dice
    terms = (
        (-1) ** k * comb(dice, k) * comb(room - k * sides + dice, dice) for k in range(room // sides + 1)
    )
    return sum(terms)


def chi_square(counts: Mapping[int, int], sides: int) -> Fraction:
    """How unevenly faces fell: the squared distances from an even count, each over the even count, summed."""
    dice = sum(counts.values())
    return Fraction(sides * sum(count * count for count in counts.values()), dice) - dice


def chi_square_chance(value: Fraction, sides: int, dice: int) -> float | None:
    """How often fair dice fall at least as unevenly; `None` for fewer than `EVEN` dice a face, where no curve tells."""
    return upper_gamma((sides - 1) / 2, float(value) / 2) if dice >= EVEN * sides else None


def upper_gamma(a: float, x: float) -> float:
    """The upper regularised incomplete gamma function, by series below its bend and by continued fraction above."""
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    return 1 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    while term > total * 1e-16:
        a += 1
        term *= x / a
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """Lentz's method; it has converged long before the last step."""
    b = x + 1 - a
    c, d = 1e300, 1 / b
    value = d
    for step in range(1, 10_000):
        numerator = step * (a - step)
        b += 2
        d = 1 / (numerator * d + b)
        c = numerator / c + b
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


def rounded(chance: Fraction | float) -> str:
    """A chance as people read it: four decimals, or three digits where it is smaller than one in a thousand."""
    exact = Decimal(chance) if isinstance(chance, float) else _decimal(chance)
    small = max(LEAST, exact)
    if small >= Decimal("0.001"):
        return f"{small:.4f}"
    return f"{Decimal(f'{small:.2E}'):f}"


def hundredths(value: Fraction) -> str:
    """A fraction to two decimals."""
    whole = round(value * 100)
    return f"{'-' if whole < 0 else ''}{abs(whole) // 100}.{abs(whole) % 100:02}"


def _decimal(chance: Fraction) -> Decimal:
    return Decimal(chance.numerator) / Decimal(chance.denominator)
