"""Commands that act, and those that answer the question a roll left open (6.4 to 6.6)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from rulesets.anima_prime.commands.asked import Asked
from rulesets.anima_prime.sheet import Bonus
from rulesets.contract import Count, Name, Slug, Text


class HelpAsked(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Somebody who joins a combined maneuver, with this many of their own action dice."""

    character: Slug
    action_dice: Count


class Maneuver(Asked, frozen=True, kw_only=True, tag="maneuver"):
    """Maneuver, alone or leading helpers, with gift dice, bonus dice and powers (6.4).

    `gifts` names the givers, `gm` for the GM. `target` is only told, it changes no number but bonus dice.
    """

    actor: Slug
    action_dice: Count
    helpers: tuple[HelpAsked, ...] = ()
    gifts: tuple[Slug, ...] = ()
    bonus: tuple[Bonus, ...] = ()
    power: Slug | None = None
    powers: tuple[Slug, ...] = ()
    target: Slug | None = None
    text: Text = ""
    no_reroll: bool = False


class Strike(Asked, frozen=True, kw_only=True, tag="strike"):
    """Strike at an opponent with strike dice (6.5).

    `free` and a second target cost Awesome Tokens, paid by `tokens_from` or else the actor.
    """

    actor: Slug
    targets: Annotated[tuple[Slug, ...], Meta(min_length=1)]
    strike_dice: Count
    bonus: tuple[Bonus, ...] = ()
    power: Slug | None = None
    powers: tuple[Slug, ...] = ()
    text: Text = ""
    free: bool = False
    tokens_from: Slug | tuple[Slug, ...] | None = None
    no_reroll: bool = False


class Achieve(Asked, frozen=True, kw_only=True, tag="achieve"):
    """Try to achieve a goal with the strike dice of the leader and of everybody who joins (6.6).

    `power_dice` is the GM's number of bonus dice for powers that do not usually join an achievement.
    """

    actor: Slug
    goal: Slug
    strike_dice: dict[Slug, Count]
    bonus: tuple[Bonus, ...] = ()
    power: Slug | None = None
    powers: tuple[Slug, ...] = ()
    power_dice: Count | None = None
    text: Text = ""
    free: bool = False
    tokens_from: Slug | tuple[Slug, ...] | None = None
    no_reroll: bool = False


class UsePower(Asked, frozen=True, kw_only=True, tag="use_power"):
    """Use an action power as the action of the turn (6.3). `amount` is for powers that take or pay a number."""

    actor: Slug
    power: Slug
    targets: tuple[Slug, ...] = ()
    amount: Count | None = None
    text: Text = ""
    free: bool = False
    tokens_from: Slug | tuple[Slug, ...] | None = None


class SpendToken(
    Asked, frozen=True, kw_only=True, tag="spend_token", rename={"payer": "from", "beneficiary": "for"}
):
    """Spend Awesome Tokens on something the other commands do not cover; the text says what."""

    payer: Slug
    tokens: Annotated[int, Meta(ge=1, le=10_000)]
    text: Text
    beneficiary: Slug | None = None


class Reroll(Asked, frozen=True, kw_only=True, tag="reroll"):
    """Unmark a trait and throw all failed dice of the open roll again (6.4)."""

    trait: Name
    text: Text = ""


class Keep(Asked, frozen=True, kw_only=True, tag="keep"):
    """Say which dice to keep of a maneuver that earned more than its limit (6.4)."""

    strike: Count
    charge: Count


class Settle(Asked, frozen=True, kw_only=True, tag="settle"):
    """Take the open roll as it fell."""
