"""The dice of a slot: every one ever thrown for it stays with it, and deciding again takes from these first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from eventlog.audience import covers
from eventlog.history.slots import Thrown
from rulesets.dice import Roll
from rulesets.people import Audience


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
