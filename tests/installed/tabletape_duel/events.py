"""What can happen in a duel. Stamina is counted in half points, so that no fraction is ever stored."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from rulesets.dice import Roll

Defense: TypeAlias = Literal["parry", "dodge", "none"]
Kind: TypeAlias = Literal["low-blow", "interpose", "defense", "damage"]


class DuellistAdded(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody is there, or lies in wait when `secret`."""

    id: str
    name: str
    side: str
    skill: int
    hp: int
    stamina: int
    secret: bool


class DuellistRevealed(msgspec.Struct, frozen=True, kw_only=True):
    """One who lay in wait steps out, and takes the last place in the order."""

    duellist: str


class DaggerConcealed(msgspec.Struct, frozen=True, kw_only=True):
    """A dagger goes up a sleeve, unseen."""

    duellist: str


class DaggerDrawn(msgspec.Struct, frozen=True, kw_only=True):
    """The dagger is out, for all to see."""

    duellist: str


class DuelBegun(msgspec.Struct, frozen=True, kw_only=True):
    """Blades are drawn; they act in this order."""

    order: tuple[str, ...]


class AttackMade(msgspec.Struct, frozen=True, kw_only=True):
    """Three dice against the attacker's skill: the blow lands, or is a miss."""

    attacker: str
    target: str
    low: bool
    paid: int
    roll: Roll
    landed: bool


class QuestionAsked(msgspec.Struct, frozen=True, kw_only=True):
    """The blow waits for somebody's word or dice."""

    question: str
    kind: Kind
    asks: tuple[str, ...]
    defenses: tuple[Defense, ...] = ()


class BlowRuled(msgspec.Struct, frozen=True, kw_only=True):
    """The game master ruled on a low blow."""

    counts: bool


class AllyPassed(msgspec.Struct, frozen=True, kw_only=True):
    """A friend of the target lets the blow come."""

    ally: str


class AllyInterposed(msgspec.Struct, frozen=True, kw_only=True):
    """A friend steps between and is the target now."""

    ally: str
    paid: int


class DefenseMade(msgspec.Struct, frozen=True, kw_only=True):
    """The target's answer to a blow that landed; without defense nothing is rolled."""

    defender: str
    defense: Defense
    paid: int
    stopped: bool
    roll: Roll | None = None


class WoundDealt(msgspec.Struct, frozen=True, kw_only=True):
    """The blow goes home: `amount` is what was really lost."""

    target: str
    roll: Roll
    amount: int
    down: bool


class TurnEnded(msgspec.Struct, frozen=True, kw_only=True):
    """The next one acts; past the end of the order a new round begins."""

    next: str
    round: int


class Adjusted(msgspec.Struct, frozen=True, kw_only=True):
    """The game master corrected the books."""

    duellist: str
    hp: int
    stamina: int
    down: bool
    reason: str


CourtyardEvent: TypeAlias = (
    DuellistAdded | DuellistRevealed | DaggerConcealed | DaggerDrawn | DuelBegun | TurnEnded | Adjusted
)
BlowEvent: TypeAlias = (
    AttackMade | QuestionAsked | BlowRuled | AllyPassed | AllyInterposed | DefenseMade | WoundDealt
)
DuelEvent: TypeAlias = CourtyardEvent | BlowEvent

EVENTS: tuple[type[DuelEvent], ...] = get_args(DuelEvent)
