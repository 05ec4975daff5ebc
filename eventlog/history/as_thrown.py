"""The dice of an action as they fell, handed out again in their order, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rulesets.dice import Roll


class OtherDice(ValueError):
    """Other dice are wanted than fell then."""


class AsThrown:
    """The rolls of one action. They are looked for when the first is wanted: most actions throw nothing."""

    __slots__ = ("_rolls", "source")

    def __init__(self, source: Literal["server", "table"], rolls: Iterable[Roll]) -> None:
        self.source = source
        self._rolls: Iterator[Roll] = iter(rolls)

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        """The next roll. Raises `OtherDice` where it is not the one that is wanted."""
        roll = next(self._rolls, None)
        if roll is None or roll.purpose != purpose or len(roll.dice) != len(wanted):
            raise OtherDice(f"the rules want a roll for {purpose!r} that was not thrown")
        for die, (origin, sides) in zip(roll.dice, wanted, strict=True):
            if die.origin != origin or die.sides != sides:
                raise OtherDice(f"the rules want other dice for {purpose!r} than were thrown")
        if roll.source != self.source:
            raise OtherDice(f"the roll for {purpose!r} has other dice than the action was taken with")
        return roll

    def hand_over(self) -> None:
        """Leave the rolls to whoever compares them otherwise."""
        self._rolls = iter(())

    def finish(self) -> None:
        """Raise `OtherDice` where dice were thrown that the rules do not want."""
        if next(self._rolls, None) is not None:
            raise OtherDice("dice were thrown that the rules do not want")
