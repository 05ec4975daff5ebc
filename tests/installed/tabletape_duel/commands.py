"""What can be asked for in a duel."""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

import msgspec
from msgspec import UNSET, UnsetType

from rulesets.contract import Change, Name, Slug, Text
from tabletape_duel.events import Defense

Skill = Annotated[int, msgspec.Meta(ge=3, le=18)]
Pool = Annotated[int, msgspec.Meta(ge=1, le=100)]


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """A command of the duel, named by its `type`."""


class AddDuellist(Asked, frozen=True, kw_only=True, tag="add_duellist"):
    """Somebody joins, openly or in secret. `stamina` is in half points."""

    id: Slug
    side: Slug
    skill: Skill
    name: Name | UnsetType = UNSET
    hp: Pool = 10
    stamina: Pool = 6
    secret: bool = False


class Reveal(Asked, frozen=True, kw_only=True, tag="reveal"):
    """One in wait steps out."""

    duellist: Slug


class ConcealDagger(Asked, frozen=True, kw_only=True, tag="conceal_dagger"):
    """Hide a dagger up one's sleeve."""

    duellist: Slug


class DrawDagger(Asked, frozen=True, kw_only=True, tag="draw_dagger"):
    """Draw the hidden dagger."""

    duellist: Slug


class Begin(Asked, frozen=True, kw_only=True, tag="begin"):
    """Start the duel, in this order; as they entered when no order is given."""

    order: tuple[Slug, ...] = ()


class Attack(Asked, frozen=True, kw_only=True, tag="attack"):
    """Strike at somebody; `low` is below the belt."""

    attacker: Slug
    target: Slug
    low: bool = False


class EndTurn(Asked, frozen=True, kw_only=True, tag="end_turn"):
    """Let the next one act."""


class Adjust(Asked, frozen=True, kw_only=True, tag="adjust"):
    """Correct the books by hand. `stamina` is in half points."""

    duellist: Slug
    reason: Text
    hp: Change = 0
    stamina: Change = 0


class Rule(Asked, frozen=True, kw_only=True, tag="rule"):
    """The game master's word on a low blow."""

    question: Slug
    counts: bool


class Interpose(Asked, frozen=True, kw_only=True, tag="interpose"):
    """Step between a friend and the blow."""

    question: Slug
    ally: Slug


class PassBy(Asked, frozen=True, kw_only=True, tag="pass_by"):
    """Let the blow come."""

    question: Slug
    ally: Slug


class Defend(Asked, frozen=True, kw_only=True, tag="defend"):
    """Meet the blow."""

    question: Slug
    defense: Defense


class ThrowDamage(Asked, frozen=True, kw_only=True, tag="throw_damage"):
    """Throw the damage of a blow that went home."""

    question: Slug


Answer: TypeAlias = Rule | Interpose | PassBy | Defend | ThrowDamage
Action: TypeAlias = AddDuellist | Reveal | Begin | Adjust | ConcealDagger | DrawDagger | Attack | EndTurn
DuelCommand: TypeAlias = Action | Answer

ANSWERS: tuple[type[Answer], ...] = get_args(Answer)
COMMANDS: tuple[type[DuelCommand], ...] = get_args(DuelCommand)
