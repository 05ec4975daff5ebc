"""What stands on a character sheet or a goal card: traits, powers, conditions, effects.

These words are shared by events, state and commands; none of them knows a rule.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from rulesets.anima_prime.parameters import Joins
from rulesets.contract import Count, Name, Slug, Text
from rulesets.writing import CAPTION_PATTERN

Side: TypeAlias = Literal["pcs", "adversity"]
"""The player characters and their allies, or those who oppose them."""

Kind: TypeAlias = Literal["pc", "individual", "squad", "swarm"]
"""A player character, or one of the three types of adversity (6.1)."""

Target: TypeAlias = Literal["individual", "squad", "swarm"]
"""The type a power or bonus asks of its target; a player character counts as an individual."""

Status: TypeAlias = Literal["reserve", "active", "defeated", "withdrawn"]
"""Where a character is: waiting, in the conflict, out of it with all wounds marked, or out by choice."""

GoalStatus: TypeAlias = Literal["locked", "open", "achieved", "dropped", "unresolved"]
"""Where a goal is; `locked` waits for an earlier link of its chain."""

Pool: TypeAlias = Literal["action", "strike", "charge"]
"""One of a character's three pools of dice."""

Counted: TypeAlias = Literal["action", "strike", "charge", "wounds", "awesome_tokens"]
"""A number on a sheet that facts add to or take from."""

COUNTED: tuple[Counted, ...] = get_args(Counted)
"""All of them, in the order a sheet has them."""

Until: TypeAlias = Literal["turn", "round", "conflict", "removed"]
"""When a condition ends by itself: with its side's turn, the round, the conflict, or not at all."""

Outcome: TypeAlias = Literal["victory", "defeat", "withdrawal", "agreement", "gm"]
"""How a conflict ended, seen from the player characters."""


class Trait(msgspec.Struct, frozen=True, kw_only=True):
    """A trait, marked or not. A marked one can be unmarked to reroll failed dice."""

    name: Name
    marked: bool = False


class DiceByType(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Bonus dice that depend on the type of the target."""

    individual: Count = 0
    squad: Count = 0
    swarm: Count = 0


class Power(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A power written on a sheet: what it costs in charge dice and what it adds."""

    id: Slug
    name: Annotated[str, Meta(max_length=80, pattern=CAPTION_PATTERN)] = ""
    kind: Literal["passive", "boost", "strike", "action"] = "boost"
    cost: Count = 0
    joins: tuple[Joins, ...] = ()
    dice: Count | DiceByType = 0
    effect: Text = ""


class Condition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that hinders or helps a character for a while, with what it does to numbers.

    `dice` is added to (or taken from) every roll, or only those in `joins`; `basic_dice` changes the
    competence dice of maneuvers; `defense` is the bearer's own, `opponent_defense` that of whoever the bearer
    strikes; `action_loss` dice leave the Action Pool at the start of each own turn; `wards` names conditions
    that do nothing to the bearer.
    """

    name: Name
    dice: Annotated[int, Meta(ge=-20, le=20)] = 0
    joins: tuple[Joins, ...] = ()
    basic_dice: Annotated[int, Meta(ge=-20, le=20)] = 0
    defense: Annotated[int, Meta(ge=-20, le=20)] = 0
    opponent_defense: Annotated[int, Meta(ge=-20, le=20)] = 0
    power_cost: Annotated[int, Meta(ge=-20, le=20)] = 0
    action_loss: Annotated[int, Meta(ge=0, le=20)] = 0
    no_healing: bool = False
    wards: tuple[str, ...] = ()
    until: Until = "conflict"


class DefenseEffect(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="defense",
):
    """A goal's effect on a defense, until the conflict ends. Without a character: whoever achieves it."""

    character: Slug | None = None
    change: Annotated[int, Meta(ge=-100, le=100)]


class ConditionEffect(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="condition",
):
    """A goal's effect that puts a condition on somebody. Without a character: whoever achieves it."""

    character: Slug | None = None
    condition: Name | Condition


class StoryEffect(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="story",
):
    """A goal's effect on the story alone."""

    text: Text


Effect: TypeAlias = DefenseEffect | ConditionEffect | StoryEffect
"""What achieving a goal does, at once (7.1)."""


class Bonus(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Bonus dice from a weapon, a condition, the GM's favour: how many, why, what they cost, and whom they fit."""

    dice: Annotated[int, Meta(ge=1, le=100)]
    source: Name
    charge: Count = 0
    only_against: Target | tuple[Target, ...] | None = None


class SheetChanges(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """New values for what stands on a sheet; what is left out stays."""

    name: Name | UnsetType = UNSET
    side: Side | UnsetType = UNSET
    kind: Kind | UnsetType = UNSET
    action_max: Count | UnsetType | None = UNSET
    charge_max: Count | UnsetType | None = UNSET
    defense: Count | UnsetType = UNSET
    max_wounds: Annotated[int, Meta(ge=1, le=10_000)] | UnsetType = UNSET
    traits: tuple[Trait, ...] | UnsetType = UNSET
    powers: tuple[Slug | Power, ...] | UnsetType = UNSET
    competence: Count | UnsetType | None = UNSET
    player: Name | UnsetType | None = UNSET

    @property
    def given(self) -> dict[str, Any]:
        """The new values by name, without what stays."""
        return {name: value for name, value in asdict(self).items() if value is not UNSET}
