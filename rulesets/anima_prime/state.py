"""The table: who is in the conflict with which dice, which goals stand, which roll waits for an answer.

Nothing here changes in place: a new table shares what stayed the same with the old one.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Literal

import msgspec

from rulesets.anima_prime.parameters import Parameters
from rulesets.anima_prime.sheet import Condition, Effect, GoalStatus, Kind, Pool, Power, Side, Status, Trait
from rulesets.contract import Moment
from rulesets.dice import Die


class Character(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody in the story: a player character, an ally, or an opponent of any type.

    `action_max` and `charge_max` of None mean no maximum. `defense` is what stands on the sheet;
    `defense_change` what goals did to it in this conflict. `used` tells adversity that has been in a conflict;
    `place` counts characters in the order they came to the table; `benefits` lists the character scenes since the last conflict that already gave something.
    """

    id: str
    place: int
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
    defense_change: int = 0
    wounds: int = 0
    awesome_tokens: int = 0
    status: Status = "reserve"
    acted: bool = False
    used: bool = False
    secret: bool = False
    competence: int | None = None
    player: str | None = None
    traits: tuple[Trait, ...] = ()
    powers: tuple[str | Power, ...] = ()
    conditions: tuple[Condition, ...] = ()
    benefits: tuple[str, ...] = ()


class Goal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to be achieved: its difficulty, who may try, and what it does (7.1).

    `achieved_by` is whoever got there first; `achievers` everyone who did, for goals each must achieve alone.
    """

    id: str
    place: int
    name: str
    difficulty: int
    status: GoalStatus = "open"
    effects: tuple[Effect, ...] = ()
    participation: Literal["joint", "solo"] = "joint"
    scope: Literal["group", "individual"] = "group"
    side: Literal["any", "pcs", "adversity"] = "any"
    after: str | None = None
    secret: bool = False
    achieved_by: str | None = None
    achievers: tuple[str, ...] = ()
    text: str = ""


class Conflict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The conflict that runs, or the last one: its round, whose turn it is, and the Group Competence."""

    number: int = 0
    title: str = ""
    status: Literal["none", "running", "ended"] = "none"
    round: int = 0
    turn: Side | None = None
    first: Side | None = None
    group_competence: int = 0
    gift_given: bool = False
    outcome: str | None = None


class Offer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody promised to an action to come; nothing is paid until an action names it.

    `giver` is a character or `gm`, `to` a character or `all`.
    """

    giver: str
    to: str
    gift: int = 0
    help_dice: int = 0
    strike_dice: int = 0
    tokens: int = 0


class Announcement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody said they are about to do."""

    actor: str
    kind: str
    text: str = ""


class Stake(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Dice somebody put into a roll, and the pool they go back to if they come back."""

    character: str
    pool: Pool
    dice: int
    gift: bool = False


class Apart(msgspec.Struct, frozen=True, kw_only=True):
    """How many dice at the end of a roll count against one target only."""

    target: str
    dice: int


class OpenRoll(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A roll between its declaration and its result.

    `asks` is the question it waits for: whether to reroll, or which dice to keep; None while it is decided.
    """

    kind: Literal["maneuver", "strike", "achieve"]
    actor: str
    stakes: tuple[Stake, ...] = ()
    targets: tuple[str, ...] = ()
    goal: str | None = None
    no_reroll: bool = False
    number: int = 0
    dice: tuple[Die, ...] = ()
    apart: tuple[Apart, ...] = ()
    earn_limit: int = 5
    rerolls: int = 0
    asks: Literal["reroll", "keep"] | None = None


class SettledRoll(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last roll, when it settled by itself: what a late answer is told about it."""

    actor: str
    failed: int = 0
    rerolls: int = 0


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything on the table. `parameters` are the readings in force."""

    parameters: Parameters
    conflict: Conflict = Conflict()
    characters: dict[str, Character] = {}
    goals: dict[str, Goal] = {}
    offers: tuple[Offer, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    open_roll: OpenRoll | None = None
    settled: SettledRoll | None = None


def start(parameters: Parameters) -> State:
    """The table before anybody sat down."""
    return State(parameters=parameters)


def moment(state: State) -> Moment | None:
    """Where in the story the table is: the conflict and its round, or nothing outside a running conflict."""
    conflict = state.conflict
    return Moment(conflict=conflict.number, round=conflict.round) if conflict.status == "running" else None


_PLACE = attrgetter("place")


def seated(state: State) -> tuple[Character, ...]:
    """Everybody, in the order they came to the table."""
    return tuple(sorted(state.characters.values(), key=_PLACE))


def active(state: State, side: Side) -> tuple[Character, ...]:
    """Those of one side who are in the conflict, in the order they came to the table."""
    return tuple([one for one in seated(state) if one.side == side and one.status == "active"])


def goals_of(state: State) -> tuple[Goal, ...]:
    """Every goal, in the order they were laid on the table."""
    return tuple(sorted(state.goals.values(), key=_PLACE))


def bears(character: Character) -> tuple[Condition, ...]:
    """The conditions that do something to a character: those another one wards off are left out."""
    if not character.conditions:
        return ()
    warded = {name for condition in character.conditions for name in condition.wards}
    return tuple(condition for condition in character.conditions if condition.name not in warded)


def defense_of(state: State, character: Character) -> int:
    """The defense a strike must beat: the sheet's, with goals and conditions, never brought below the minimum."""
    change = character.defense_change + sum([condition.defense for condition in bears(character)])
    lowest = min(character.defense, state.parameters.defense.min)
    return max(lowest, character.defense + change)


def competence_of(state: State, character: Character) -> int:
    """Basic dice of a maneuver: their own, or else Group Competence for the PCs' side, the parameter for the other."""
    if character.competence is not None:
        return character.competence
    return (
        state.conflict.group_competence if character.side == "pcs" else state.parameters.adversity.competence
    )
