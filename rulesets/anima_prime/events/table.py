"""Facts of the talk at the table: offers, announcements, conditions, corrections and rulings."""

from __future__ import annotations

import msgspec

from rulesets.anima_prime.sheet import Condition, Side, Status, Trait


class OfferMade(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody promised something to an action to come. It replaces their earlier offer to the same person."""

    giver: str
    to: str
    gift: int = 0
    help_dice: int = 0
    strike_dice: int = 0
    tokens: int = 0
    text: str = ""


class OfferWithdrawn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A promise was taken back."""

    giver: str
    to: str


class Announced(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody told the others what they are about to do."""

    actor: str
    kind: str
    text: str = ""


class ConditionApplied(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A condition lies on somebody from now on; it replaces an older one of the same name."""

    character: str
    condition: Condition


class ConditionRemoved(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A condition ended."""

    character: str
    condition: str
    cause: str = ""


class CharacterAdjusted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The GM corrected a character by hand: signed amounts as applied, and new values.

    `traits` lists only those whose mark was set.
    """

    character: str
    action: int = 0
    strike: int = 0
    charge: int = 0
    wounds: int = 0
    awesome_tokens: int = 0
    acted: bool | None = None
    status: Status | None = None
    traits: tuple[Trait, ...] = ()
    reason: str = ""


class ConflictAdjusted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The GM corrected the conflict by hand: a signed amount of Group Competence, and new values."""

    group_competence: int = 0
    gift_given: bool | None = None
    turn: Side | None = None
    round: int | None = None
    status: str | None = None
    reason: str = ""


class QuestionRuled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The GM ruled on something the rules leave open."""

    question: str
    answer: str


class HiddenNamed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The GM named something hidden in a command whose consequences others see: so the command itself is hidden."""

    ids: tuple[str, ...]
