"""Dice that can be checked: every server die has an address, and its face follows from the seed alone.

A die's face is `1 + (HMAC-SHA-256(seed, "tabletape-dice-1|<log>|<roll>|<index>|<sides>") mod sides)`, the MAC
read as a big-endian 256-bit number; rolls and indexes count from 1. The bias of the modulus is below 2⁻²³⁰.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, TypeAlias

from rulesets.contract import RuleViolation
from rulesets.dice import Die, Roll, by_origin, counted

if TYPE_CHECKING:
    from hashlib import _Hash

SEED_BYTES = 32


def face(seed: bytes, log: str, roll: int, index: int, sides: int) -> int:
    """What the die at address `roll.index` of a log shows."""
    message = f"tabletape-dice-1|{log}|{roll}|{index}|{sides}".encode()
    return 1 + int.from_bytes(_mac(seed, message), "big") % sides


def _mac(seed: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 as RFC 2104 builds it, since what depends on the seed alone then has to be hashed only once."""
    inner, outer = _keyed(seed)
    inner, outer = inner.copy(), outer.copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=256)
def _keyed(seed: bytes) -> tuple[_Hash, _Hash]:
    """Both hashes of an HMAC after the key, which here is never longer than a block."""
    block = seed.ljust(64, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in block)), sha256(bytes(byte ^ 0x5C for byte in block))


def commitment(seed: bytes) -> str:
    """What is published of a seed before the first die: its SHA-256, in hex."""
    return sha256(seed).hexdigest()


Named: TypeAlias = Callable[[Mapping[str, int]], str]
"""Dice by origin and number in the words of a game: `2 action dice of Zadie`."""


def check_face(shown: int, origin: str, sides: int, named: Named = by_origin) -> None:
    """Refuse a typed face no such die has. Raises `RuleViolation` `face-out-of-range`."""
    if not 1 <= shown <= sides:
        raise RuleViolation(
            "face-out-of-range",
            f"A die with {sides} sides cannot show {shown}: {named({origin: 1})}",
            face=shown,
            sides=sides,
            origin=origin,
        )


class ServerDice:
    """Dice drawn from the session's seed. Looking at them draws nothing: only what is appended counts."""

    source: Literal["server", "table"] = "server"

    def __init__(self, seed: bytes, log: str, first_roll: int) -> None:
        self._seed = seed
        self._log = log
        self.next_roll = first_roll

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        """Throw one die for each `(origin, sides)`."""
        if not wanted:
            raise ValueError(f"A roll for {purpose!r} without a die")
        number, seed, log = self.next_roll, self._seed, self._log
        self.next_roll += 1
        dice = [
            Die(face=face(seed, log, number, index, sides), origin=origin, sides=sides)
            for index, (origin, sides) in enumerate(wanted, 1)
        ]
        return Roll(number=number, purpose=purpose, dice=tuple(dice))

    def finish(self) -> None:
        """Nothing can be left over of drawn dice."""


class TableDice:
    """Faces thrown at a real table and typed in, taken in the order they were given; `named` is what refusals call them."""

    source: Literal["server", "table"] = "table"

    def __init__(self, faces: Sequence[int], first_roll: int, named: Named = by_origin) -> None:
        self._faces = faces
        self._named = named
        self._used = 0
        self.next_roll = first_roll

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        """Take one face for each `(origin, sides)`. Raises `RuleViolation` where they do not fit."""
        if not wanted:
            raise ValueError(f"A roll for {purpose!r} without a die")
        faces = self._faces[self._used : self._used + len(wanted)]
        if len(faces) < len(wanted):
            raise self._mismatch(purpose, wanted)
        for shown, (origin, sides) in zip(faces, wanted, strict=True):
            check_face(shown, origin, sides, self._named)
        self._used += len(wanted)
        number = self.next_roll
        self.next_roll += 1
        dice = tuple(
            Die(face=shown, origin=origin, sides=sides)
            for shown, (origin, sides) in zip(faces, wanted, strict=True)
        )
        return Roll(number=number, purpose=purpose, dice=dice, source="table")

    def finish(self) -> None:
        """Raise `dice-count-mismatch` where faces were typed in that no roll took."""
        left = len(self._faces) - self._used
        if left:
            raise RuleViolation(
                "dice-count-mismatch",
                f"{left} more {'die was' if left == 1 else 'dice were'} typed in than this throws; "
                f"it throws {self._used}",
                wanted=self._used,
                given=len(self._faces),
            )

    def _mismatch(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> RuleViolation:
        counts, given = counted(origin for origin, _ in wanted), len(self._faces) - self._used
        return RuleViolation(
            "dice-count-mismatch",
            f"The {purpose} throws {len(wanted)} dice, in this order: {self._named(counts)}; {given} "
            f"{'was' if given == 1 else 'were'} typed in",
            wanted=len(wanted),
            given=given,
            origins=counts,
        )
