"""Dice whose faces a test writes down beforehand, and dice that show anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Literal

from rulesets.contract import RuleViolation
from rulesets.dice import Die, Roll

Source = Literal["server", "table"]


class ScriptedDice:
    """Faces that fall in the order written, as rolls numbered from `first_number`.

    With source `table` they behave as faces typed in from a real table: too few, too many or impossible ones
    are a `RuleViolation`. With source `server` the script itself is wrong, so that is an `AssertionError`.
    """

    def __init__(
        self, faces: Iterable[int] = (), *, source: Source = "server", first_number: int = 1
    ) -> None:
        self._source = source
        self._left = list(faces)
        self._next = first_number
        self.rolls: list[Roll] = []

    @property
    def source(self) -> Source:
        """Where these faces are said to come from."""
        return self._source

    @property
    def left(self) -> tuple[int, ...]:
        """The faces nobody has thrown yet."""
        return tuple(self._left)

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        """Throw the next faces. `ValueError` when no die is wanted."""
        if not wanted:
            raise ValueError(f"The rules rolled no dice at all for {purpose!r}")
        if len(wanted) > len(self._left):
            raise self._wrong_count(purpose, wanted)
        faces = self._left[: len(wanted)]
        for face, (origin, sides) in zip(faces, wanted, strict=True):
            if not 1 <= face <= sides:
                raise self._wrong_face(face, origin, sides)
        del self._left[: len(wanted)]
        roll = Roll(
            number=self._next,
            purpose=purpose,
            source=self._source,
            dice=tuple(
                Die(face=face, origin=origin, sides=sides)
                for face, (origin, sides) in zip(faces, wanted, strict=True)
            ),
        )
        self._next += 1
        self.rolls.append(roll)
        return roll

    def refuse_leftovers(self) -> None:
        """Say so when faces were written down that nothing threw."""
        if not self._left:
            return
        message = f"{len(self._left)} dice too many: nothing threw {self._left}"
        if self._source == "server":
            raise AssertionError(message)
        raise RuleViolation("dice-count-mismatch", message, too_many=len(self._left))

    def _wrong_count(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Exception:
        by_origin = Counter(origin for origin, _ in wanted)
        words = ", ".join(f"{count} for {origin}" for origin, count in by_origin.items())
        message = f"The roll {purpose!r} takes {len(wanted)} dice ({words}); {len(self._left)} are given: {self._left}"
        if self._source == "server":
            return AssertionError(message)
        return RuleViolation("dice-count-mismatch", message, wanted=dict(by_origin), given=len(self._left))

    def _wrong_face(self, face: int, origin: str, sides: int) -> Exception:
        message = f"A die of {sides} sides ({origin}) cannot show {face}"
        if self._source == "server":
            return AssertionError(message)
        return RuleViolation("face-out-of-range", message, face=face, sides=sides, origin=origin)


class AnyDice(ScriptedDice):
    """Dice that write their own script as they fall: any faces, the same for the same source of chance."""

    def __init__(self, chance: Random, *, source: Source = "server", first_number: int = 1) -> None:
        super().__init__(source=source, first_number=first_number)
        self._chance = chance

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        """Throw one die for each `(origin, sides)`. `ValueError` when no die is wanted."""
        self._left = [self._chance.randint(1, sides) for _, sides in wanted]
        return super().roll(purpose, wanted)


def any_dice(source: Source = "server") -> AnyDice:
    """Dice for a command that is only tried."""
    return AnyDice(Random(3), source=source)  # noqa: S311 - the same dice in every run, on purpose
