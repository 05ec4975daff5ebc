"""The dice of a slot: every one ever thrown for it stays with it, and deciding again takes from these first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import msgspec

from eventlog.audience import covers
from eventlog.dice import Named, check_face
from eventlog.history.errors import DiceNeeded
from eventlog.history.slots import Thrown
from rulesets.contract import RuleViolation
from rulesets.dice import Die, Roll, by_origin, counted
from rulesets.people import Audience

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


class Asking(NamedTuple):
    """The action dice are wanted for, and who will see them."""

    action: int
    audience: Audience

    def may_have(self, action: int, audience: Audience) -> bool:
        """Whether dice can go to this action: its own, or such as all that will see them have seen already."""
        return action == self.action or covers(audience, self.audience)


class Kept(msgspec.Struct, frozen=True):
    """A die that was thrown for a slot, at its address, and what it was thrown for."""

    roll: int
    index: int
    purpose: str
    origin: str
    sides: int
    face: int
    source: Literal["server", "table"]
    action: int
    audience: Audience


def address_of(roll: Roll, place: int) -> tuple[int, int]:
    """Where the die at a place of a roll (from 1) was first drawn: roll and index."""
    written = roll.dice[place - 1].address
    if written is None:
        return roll.number, place
    number, _, index = written.partition(".")
    return int(number), int(index)


class Stock:
    """The dice of one slot while it is decided again: each is handed out once.

    Those of the content being decided again come first, as they lie there; the `others` ever thrown for the
    slot are read only when those do not do. What fell for few eyes never goes to an action that more people see.
    """

    def __init__(self, own: Sequence[Thrown], others: Callable[[], Iterable[Thrown]] = tuple) -> None:
        self._own = own
        self._whole = 0
        self._dice: dict[tuple[int, int], Kept] = {}
        self._rolls: list[Thrown] = []
        self._used: set[tuple[int, int]] = set()
        self._made_again: set[int] = set()
        self._others: Callable[[], Iterable[Thrown]] | None = others
        self._opened = False

    def whole(
        self, asking: Asking, purpose: str, source: str, wanted: Sequence[tuple[str, int]]
    ) -> Roll | None:
        """The next roll as it lies there, while all goes as it went then: what nearly every roll comes to."""
        if self._opened or self._whole == len(self._own):
            return None
        thrown = self._own[self._whole]
        roll = thrown.roll
        if roll.purpose != purpose or roll.source != source or len(roll.dice) != len(wanted):
            return None
        if not asking.may_have(thrown.action, thrown.audience):
            return None
        for die, (origin, sides) in zip(roll.dice, wanted, strict=True):
            if die.origin != origin or die.sides != sides:
                return None
        self._whole += 1
        return roll

    def open(self) -> None:
        """From here on dice are taken one by one."""
        if self._opened:
            return
        self._opened = True
        self._add(self._own)
        for thrown in self._own[: self._whole]:
            roll = thrown.roll
            self._made_again.add(roll.number)
            self._used.update(address_of(roll, place) for place in range(1, len(roll.dice) + 1))

    def number(self, asking: Asking, purpose: str, source: str) -> int | None:
        """The number of the first roll for that purpose that was not made again yet."""
        return self._first_number(asking, purpose, source) or (
            self._first_number(asking, purpose, source) if self._read_others() else None
        )

    def take(self, asking: Asking, purpose: str, source: str, die: tuple[str | None, int]) -> Kept | None:
        """The next die kept for that purpose with as many sides, of that origin or (`None`) of any."""
        return self._first(asking, purpose, source, die) or (
            self._first(asking, purpose, source, die) if self._read_others() else None
        )

    def new_index(self, roll: int) -> int:
        """The lowest index of a roll that no die was drawn at; it is taken with this."""
        self._read_others()
        index = 1
        while (roll, index) in self._dice or (roll, index) in self._used:
            index += 1
        self._used.add((roll, index))
        return index

    def _add(self, rolls: Iterable[Thrown]) -> None:
        for thrown in rolls:
            roll, whose = thrown.roll, (thrown.action, thrown.audience)
            self._rolls.append(thrown)
            for place, die in enumerate(roll.dice, 1):
                number, index = address_of(roll, place)
                kept = Kept(number, index, roll.purpose, die.origin, die.sides, die.face, roll.source, *whose)
                known = self._dice.get((number, index))
                if known is None or not covers(known.audience, kept.audience):  # more people saw it since
                    self._dice[number, index] = kept

    def _read_others(self) -> bool:
        """Whether there was more to read."""
        if self._others is None:
            return False
        others, self._others = sorted(self._others(), key=lambda thrown: thrown.roll.number), None
        self._add(others)
        return True

    def _first_number(self, asking: Asking, purpose: str, source: str) -> int | None:
        for thrown in self._rolls:
            roll, fits = thrown.roll, asking.may_have(thrown.action, thrown.audience)
            if (
                fits
                and (roll.purpose, roll.source) == (purpose, source)
                and roll.number not in self._made_again
            ):
                self._made_again.add(roll.number)
                return roll.number
        return None

    def _first(self, asking: Asking, purpose: str, source: str, die: tuple[str | None, int]) -> Kept | None:
        origin, sides = die
        for address, kept in self._dice.items():
            fits = kept.purpose == purpose and kept.sides == sides and kept.source == source
            if not fits or origin not in (None, kept.origin) or address in self._used:
                continue
            if asking.may_have(kept.action, kept.audience):
                self._used.add(address)
                return kept
        return None


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
