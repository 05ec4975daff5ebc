"""Dice in hand while a slot is decided again: from its stock first, then new ones, or faces typed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from eventlog.dice import Named, check_face
from eventlog.history.errors import DiceNeeded
from eventlog.history.stock import Asking, Kept, Stock
from rulesets.contract import RuleViolation
from rulesets.dice import Die, Roll, by_origin, counted

Draw = Callable[[int, int, int], int]
"""The face of the die at an address: roll, index, sides. Raises `DiceOpen` where nothing may be drawn."""


class DiceOpen(Exception):
    """A die is wanted that was never thrown, and this is only a look ahead."""

    def __init__(self, purpose: str, faces: tuple[int | None, ...]) -> None:
        super().__init__(purpose)
        self.purpose = purpose
        self.faces = faces


def draw_nothing(roll: int, index: int, sides: int) -> int:
    """Draws nothing: where a die would be thrown, all is open."""
    del roll, index, sides
    raise DiceOpen("", ())


@dataclass(slots=True)
class StockDice:
    """Dice for one step decided again: kept ones first, then new ones by `draw`, or typed `faces` where it was a table.

    `next_roll` is the number the next new roll takes, `first_roll` the first one under the seed that `draw` has,
    `named` what refusals call dice.
    """

    stock: Stock
    asking: Asking
    source: Literal["server", "table"]
    next_roll: int
    first_roll: int
    draw: Draw
    faces: Sequence[int] = ()
    named: Named = by_origin
    _typed: int = 0

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        """Make a roll again, or a new one. Raises `DiceNeeded` for faces of table dice nobody typed in."""
        if not wanted:
            raise ValueError(f"A roll for {purpose!r} without a die")
        kept_whole = self.stock.whole(self.asking, purpose, self.source, wanted)
        if kept_whole is not None:
            return kept_whole
        self.stock.open()
        number = self.stock.number(self.asking, purpose, self.source)
        if number is None:
            number, self.next_roll = self.next_roll, self.next_roll + 1
        found: list[Kept | None] = [self.stock.take(self.asking, purpose, self.source, die) for die in wanted]
        for place, (_, sides) in enumerate(wanted):
            found[place] = found[place] or self.stock.take(self.asking, purpose, self.source, (None, sides))
        dice = tuple(
            self._die(number, place, origin, sides, found, (purpose, wanted))
            for place, (origin, sides) in enumerate(wanted, 1)
        )
        return Roll(number=number, purpose=purpose, dice=dice, source=self.source)

    def finish(self) -> None:
        """Raise `dice-count-mismatch` where faces were typed in that no roll took."""
        left = len(self.faces) - self._typed
        if left:
            raise RuleViolation(
                "dice-count-mismatch",
                f"{left} more {'die was' if left == 1 else 'dice were'} typed in than are wanted anew; "
                f"{self._typed} are",
                wanted=self._typed,
                given=len(self.faces),
            )

    def _die(  # noqa: PLR0913, PLR0917 - a die, its place, and what to say where it is missing
        self,
        number: int,
        place: int,
        origin: str,
        sides: int,
        found: list[Kept | None],
        roll: tuple[str, Sequence[tuple[str, int]]],
    ) -> Die:
        kept = found[place - 1]
        if kept is not None:
            address, face = (kept.roll, kept.index), kept.face
        else:
            address = self._new_address(number)
            face = self._new_face(address, origin, sides, found, roll)
        elsewhere = None if address == (number, place) else f"{address[0]}.{address[1]}"
        return Die(face=face, origin=origin, sides=sides, address=elsewhere)

    def _new_address(self, number: int) -> tuple[int, int]:
        """A roll under an earlier seed takes no new dice: they are drawn as a roll of their own."""
        if number < self.first_roll:
            number, self.next_roll = self.next_roll, self.next_roll + 1
        return number, self.stock.new_index(number)

    def _new_face(
        self,
        address: tuple[int, int],
        origin: str,
        sides: int,
        found: list[Kept | None],
        roll: tuple[str, Sequence[tuple[str, int]]],
    ) -> int:
        if self.source == "server":
            try:
                return self.draw(*address, sides)
            except DiceOpen:
                raise DiceOpen(roll[0], tuple(kept.face if kept else None for kept in found)) from None
        if self._typed == len(self.faces):
            raise self._needed(*roll, found)
        shown = self.faces[self._typed]
        check_face(shown, origin, sides, self.named)
        self._typed += 1
        return shown

    def _needed(
        self, purpose: str, wanted: Sequence[tuple[str, int]], found: Sequence[Kept | None]
    ) -> DiceNeeded:
        missing = [origin for (origin, _), kept in zip(wanted, found, strict=True) if kept is None]
        return DiceNeeded(
            f"The {purpose} was thrown at the table and now wants {len(missing)} more: send their faces along, for "
            f"{self.named(counted(missing))}",
            purpose=purpose,
            origins=missing,
            dice=[kept.face if kept else None for kept in found],
            wanted=len(missing),
            given=len(self.faces),
        )
