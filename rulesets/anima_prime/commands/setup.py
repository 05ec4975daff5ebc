"""Commands of setting up, the GM's at any time: characters, goals, readings (6.1 Setting up conflicts)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from rulesets.anima_prime.commands.asked import Asked
from rulesets.anima_prime.sheet import Condition, Effect, GoalStatus, Kind, Power, SheetChanges, Side, Trait
from rulesets.contract import Count, Name, Slug, Text
from rulesets.writing import END

Difficulty = Annotated[int, Meta(ge=1, le=1000, description="What successes must exceed")]
"""A goal's number: an achievement needs more successes than this (6.6)."""


class AddCharacter(Asked, frozen=True, kw_only=True, tag="add_character"):
    """Put somebody on the table. What a player character's sheet leaves out comes from the parameters `pc`."""

    id: Slug
    side: Side
    kind: Kind
    name: Name | None = None
    action: Count | None = None
    action_max: Count | None = None
    strike: Count = 0
    charge: Count = 0
    charge_max: Count | None = None
    defense: Count | None = None
    wounds: Count = 0
    max_wounds: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    awesome_tokens: Count = 0
    traits: tuple[Trait, ...] = ()
    powers: tuple[Slug | Power, ...] = ()
    conditions: tuple[Name | Condition, ...] = ()
    competence: Count | None = None
    player: Name | None = None
    secret: bool = False


class EditCharacter(Asked, frozen=True, kw_only=True, tag="edit_character"):
    """Write new values on a sheet. Pools and wounds are corrected with `adjust`."""

    id: Slug
    set: SheetChanges


class Reveal(Asked, frozen=True, kw_only=True, tag="reveal"):
    """Bring a hidden character or goal into the open."""

    character: Slug | None = None
    goal: Slug | None = None


class AddGoal(Asked, frozen=True, kw_only=True, tag="add_goal"):
    """Lay a goal on the table. `after` makes it a link of a chain: locked until that goal is achieved (7.5)."""

    id: Slug
    name: Name
    difficulty: Difficulty
    effects: tuple[Effect, ...] = ()
    effect: Effect | None = None
    participation: Literal["joint", "solo"] = "joint"
    scope: Literal["group", "individual"] = "group"
    side: Literal["any", "pcs", "adversity"] = "any"
    after: Slug | None = None
    secret: bool = False


class SetGoal(Asked, frozen=True, kw_only=True, tag="set_goal"):
    """Change a goal by hand. Setting it to `achieved` applies its effects; setting it back does not undo them."""

    goal: Slug
    status: GoalStatus | None = None
    achieved_by: Slug | None = None
    difficulty: Difficulty | None = None
    text: Text | None = None


class SetParameter(Asked, frozen=True, kw_only=True, tag="set_parameter"):
    """Agree on another reading from here on. `name` is dotted, as in `strike.wounds`."""

    name: Annotated[str, Meta(pattern=r"^[a-z_]+(\.[a-z_]+)*" + END, max_length=80)]
    value: bool | int | str | tuple[str, ...] | None
    reason: Text
