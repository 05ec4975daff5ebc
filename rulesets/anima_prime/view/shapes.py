"""What somebody is shown of the table: the shapes of a view."""

from __future__ import annotations

from typing import Literal

import msgspec

from rulesets.anima_prime.parameters import Parameters
from rulesets.anima_prime.sheet import Condition, Effect, GoalStatus, Kind, Power, Side, Status, Trait
from rulesets.anima_prime.state import Announcement, Offer, Stake
from rulesets.contract import Question
from rulesets.dice import Die


class Pools(msgspec.Struct, frozen=True, kw_only=True):
    """Dice of everybody in the conflict on one side, and their Awesome Tokens."""

    action: int
    strike: int
    charge: int
    awesome_tokens: int


class ConflictView(msgspec.Struct, frozen=True, kw_only=True):
    """The conflict that runs, or the last one."""

    number: int
    title: str
    status: Literal["none", "running", "ended"]
    round: int
    turn: Side | None
    first: Side | None
    group_competence: int
    gift_given: bool
    outcome: str | None
    pools: dict[str, Pools]


class CharacterView(msgspec.Struct, frozen=True, kw_only=True):
    """A character as their sheet lies on the table. `defense` is what a strike meets now."""

    name: str
    side: Side
    kind: Kind
    action: int
    action_max: int | None
    strike: int
    charge: int
    charge_max: int | None
    defense: int
    base_defense: int
    wounds: int
    max_wounds: int
    status: Status
    acted: bool
    awesome_tokens: int
    competence: int
    traits: tuple[Trait, ...]
    powers: tuple[str | Power, ...]
    conditions: tuple[Condition, ...]
    player: str | None
    secret: bool


class GoalView(msgspec.Struct, frozen=True, kw_only=True):
    """A goal as its card lies on the table."""

    name: str
    difficulty: int
    status: GoalStatus
    achieved_by: str | None
    achievers: tuple[str, ...]
    effects: tuple[Effect, ...]
    participation: Literal["joint", "solo"]
    scope: Literal["group", "individual"]
    side: Literal["any", "pcs", "adversity"]
    after: str | None
    text: str
    secret: bool


class Successes(msgspec.Struct, frozen=True, kw_only=True):
    """The dice of a roll that succeeded: those that earn strike dice and those that earn charge dice."""

    strike: int
    charge: int


class IfSettled(msgspec.Struct, frozen=True, kw_only=True):
    """What a waiting roll brings if it is taken as it lies, keeping the recommended dice.

    `wounds` is by target, as far as there are free circles; `returns` are the dice that come back.
    """

    strike: int = 0
    charge: int = 0
    token: bool = False
    returns: tuple[Stake, ...] = ()
    wounds: dict[str, int] = {}
    achieved: bool = False


class OpenRollView(msgspec.Struct, frozen=True, kw_only=True):
    """A roll that waits for an answer."""

    kind: Literal["maneuver", "strike", "achieve"]
    actor: str
    dice: tuple[Die, ...]
    successes: Successes
    may_reroll: bool
    must_keep: bool
    earn_limit: int
    targets: tuple[str, ...]
    goal: str | None
    if_settled: IfSettled


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Everything somebody may see of the table."""

    conflict: ConflictView
    characters: dict[str, CharacterView]
    goals: dict[str, GoalView]
    offers: tuple[Offer, ...]
    announcements: tuple[Announcement, ...]
    open: tuple[Question, ...]
    open_roll: OpenRollView | None
    parameters: Parameters
