"""Facts of the actions: what was declared and paid, what fell, and what came of it (6.4 to 6.6).

A declaration takes the dice it names out of their pools at once; what comes back is told by `DiceReturned`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from rulesets.anima_prime.sheet import Bonus, Pool
from rulesets.anima_prime.state import Apart
from rulesets.dice import Roll


class HelpGiven(msgspec.Struct, frozen=True, kw_only=True):
    """A helper's part in a combined maneuver: their own action dice and their action."""

    character: str
    action_dice: int


class ManeuverDeclared(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody maneuvers, alone or as the leader of helpers (6.4). Gifts follow as events of their own."""

    actor: str
    action_dice: int
    helpers: tuple[HelpGiven, ...] = ()
    bonus: tuple[Bonus, ...] = ()
    powers: tuple[str, ...] = ()
    target: str | None = None
    text: str = ""
    no_reroll: bool = False


class GiftGiven(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody gave a die to a maneuver. `giver` is a character, or `gm` whose dice come from the supply.

    `counts` says whether it helps to raise Group Competence at the end of the round.
    """

    giver: str
    to: str
    dice: int = 1
    counts: bool = True


class ChargePaid(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Charge dice were paid before the roll, for a power or a bonus. They never come back."""

    character: str
    source: str
    charge: int


class TokensSpent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Awesome Tokens were spent: for a free action, a second target, both, or something else in the text."""

    character: str
    tokens: int
    use: Literal["free", "double", "both", "other"] = "other"
    beneficiary: str | None = None
    text: str = ""


class DiceRolled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The dice of a declared action fell. `asks` is the question they leave open, if any."""

    actor: str
    roll: Roll
    asks: Literal["reroll", "keep"] | None = None
    earn_limit: int = 5
    apart: tuple[Apart, ...] = ()


class DiceRerolled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A trait was unmarked and the failed dice thrown again; `places` are their positions in the roll, from 0."""

    actor: str
    trait: str
    places: tuple[int, ...]
    roll: Roll
    asks: Literal["reroll", "keep"] | None = None
    text: str = ""


class RerollDeclined(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The roll stays as it fell; which of the dice it earned are kept is still open."""

    actor: str


class DiceReturned(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Dice went back to the pool they came from."""

    character: str
    pool: Pool
    dice: int


class ManeuverEarned(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a maneuver brought its actor: strike and charge dice as they went into the pools, and tokens."""

    actor: str
    strike: int = 0
    charge: int = 0
    tokens: int = 0
    discarded: int = 0
    by_itself: bool = False


class ManeuverFailed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """No die of a maneuver was a success: the characters' dice go back, everything else is lost."""

    actor: str
    by_itself: bool = False


class StrikeDeclared(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody strikes at one opponent or, for Awesome Tokens, at two (6.5)."""

    actor: str
    targets: tuple[str, ...]
    strike_dice: int
    bonus: tuple[Bonus, ...] = ()
    powers: tuple[str, ...] = ()
    text: str = ""
    free: bool = False
    spends_action: bool = True
    no_reroll: bool = False


class StrikeResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A strike against one target: successes, the defense they met, and the wounds as applied.

    `surplus` is what the target had no free wound circle for.
    """

    target: str
    successes: int
    defense: int
    wounds: int = 0
    surplus: int = 0


class StrikeResolved(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a strike went against each target. A miss is a result like any other."""

    actor: str
    results: tuple[StrikeResult, ...]
    by_itself: bool = False


class WoundsInflicted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Wound circles were marked."""

    character: str
    wounds: int


class WoundsHealed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Wound circles were cleared."""

    character: str
    wounds: int


class CharacterDefeated(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All wound circles are marked: out of the conflict."""

    character: str


class AchievementDeclared(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody tries to achieve a goal, alone or as the leader of all who put in strike dice (6.6)."""

    actor: str
    goal: str
    strike_dice: dict[str, int]
    bonus: tuple[Bonus, ...] = ()
    powers: tuple[str, ...] = ()
    power_dice: int | None = None
    text: str = ""
    free: bool = False
    spends_action: bool = True
    helpers_spend_action: bool = True
    no_reroll: bool = False


class AchievementResolved(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How an achievement went: its successes against the difficulty."""

    actor: str
    goal: str
    successes: int
    difficulty: int
    achieved: bool = False
    by_itself: bool = False


class GoalAchieved(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A goal is achieved and stands for the rest of the conflict (7.1)."""

    goal: str


class GoalUnlocked(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The next link of a chain can be tried now (7.5)."""

    goal: str


class DefenseChanged(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A defense went up or down until the conflict ends."""

    character: str
    change: int


class PowerUsed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody used an action power. What it did follows, or is in the text for the GM to apply."""

    actor: str
    power: str
    targets: tuple[str, ...] = ()
    amount: int | None = None
    text: str = ""
    free: bool = False
    spends_action: bool = True


class DiceGained(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Dice came into a pool from the supply or another pool."""

    character: str
    pool: Pool
    dice: int
    cause: str = ""


class DiceLost(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Dice left a pool for another reason than an action of its owner."""

    character: str
    pool: Pool
    dice: int
    cause: str = ""
