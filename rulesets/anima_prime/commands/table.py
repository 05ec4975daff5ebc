"""Commands of the talk at the table: offers, announcements, conditions, corrections and rulings."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rulesets.anima_prime.commands.asked import Asked
from rulesets.anima_prime.sheet import Condition, GoalStatus, Side, Status, Trait, Until
from rulesets.contract import Change, Count, Name, Slug, Text


class Offer(Asked, frozen=True, kw_only=True, tag="offer"):
    """Promise something to an action to come. Nothing is paid until an action names it; it lapses with the round.

    `giver` is a character or `gm`; `to` is a character or `all`.
    """

    giver: Slug
    to: Slug
    gift: bool | Count = False
    help_dice: Count = 0
    strike_dice: Count = 0
    tokens: Count = 0
    text: Text = ""


class WithdrawOffer(Asked, frozen=True, kw_only=True, tag="withdraw_offer"):
    """Take an offer back. Without `to`: everything the giver offered."""

    giver: Slug
    to: Slug | None = None


class Announce(Asked, frozen=True, kw_only=True, tag="announce"):
    """Tell the others what is coming, so that they can offer something."""

    actor: Slug
    kind: Name
    text: Text = ""


class ApplyCondition(Asked, frozen=True, kw_only=True, tag="apply_condition"):
    """Put a condition on one or several characters, or on `all` in the conflict."""

    condition: Name | Condition
    character: Slug | None = None
    characters: tuple[Slug, ...] | Literal["all"] = ()
    until: Until | None = None


class RemoveCondition(Asked, frozen=True, kw_only=True, tag="remove_condition"):
    """Take a condition off one or several characters, or off `all` who bear it."""

    condition: Name
    character: Slug | None = None
    characters: tuple[Slug, ...] | Literal["all"] = ()


class Changes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What `adjust` changes: signed amounts of pools, wounds, tokens and Group Competence, and new values."""

    action: Change = 0
    strike: Change = 0
    charge: Change = 0
    wounds: Change = 0
    awesome_tokens: Change = 0
    group_competence: Change = 0
    acted: bool | None = None
    gift_given: bool | None = None
    turn: Side | None = None
    round: Count | None = None
    status: Status | GoalStatus | Literal["running", "ended"] | None = None
    traits: tuple[Trait, ...] = ()
    difficulty: Annotated[int, Meta(ge=1, le=1000)] | None = None


class Adjust(Asked, frozen=True, kw_only=True, tag="adjust"):
    """Correct a character, a goal or the conflict by hand, and say why."""

    changes: Changes
    reason: Text
    character: Slug | None = None
    goal: Slug | None = None
    conflict: bool = False


class Rule(Asked, frozen=True, kw_only=True, tag="rule"):
    """Rule on something the rules leave open."""

    question: Text
    answer: Text
