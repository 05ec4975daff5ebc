"""Facts of setting up: characters, goals and readings (6.1 Setting up conflicts)."""

from __future__ import annotations

from typing import Literal

import msgspec

from rulesets.anima_prime.sheet import Condition, Effect, GoalStatus, Kind, Power, SheetChanges, Side, Trait
from rulesets.anima_prime.state import Character, Goal


class CharacterAdded(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody came to the table, with this sheet. They wait in reserve until they enter a conflict."""

    id: str
    name: str
    side: Side
    kind: Kind
    action: int
    defense: int
    max_wounds: int
    action_max: int | None = None
    strike: int = 0
    charge: int = 0
    charge_max: int | None = None
    wounds: int = 0
    awesome_tokens: int = 0
    secret: bool = False
    competence: int | None = None
    player: str | None = None
    traits: tuple[Trait, ...] = ()
    powers: tuple[str | Power, ...] = ()
    conditions: tuple[Condition, ...] = ()


class CharacterEdited(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The GM wrote new values on a sheet."""

    character: str
    set: SheetChanges


class CharacterRevealed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hidden character came into the open: this is what everybody sees now."""

    character: Character


class GoalAdded(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A goal was laid on the table, open or waiting for an earlier link of its chain."""

    id: str
    name: str
    difficulty: int
    status: Literal["open", "locked"] = "open"
    effects: tuple[Effect, ...] = ()
    participation: Literal["joint", "solo"] = "joint"
    scope: Literal["group", "individual"] = "group"
    side: Literal["any", "pcs", "adversity"] = "any"
    after: str | None = None
    secret: bool = False


class GoalSet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The GM changed a goal by hand; what is absent stayed."""

    goal: str
    status: GoalStatus | None = None
    achieved_by: str | None = None
    difficulty: int | None = None
    text: str | None = None
    reason: str = ""


class GoalRevealed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hidden goal came into the open: this is what everybody sees now."""

    goal: Goal


class ParameterSet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table agreed on another reading from here on. `name` is dotted, as in `strike.wounds`."""

    name: str
    value: bool | int | str | tuple[str, ...] | None
    before: bool | int | str | tuple[str, ...] | None
    reason: str = ""
