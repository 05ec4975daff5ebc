"""Readings of who people are and what they have: opponents, tokens, sheets, powers, the end of a conflict."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rulesets.anima_prime.parameters.actions import Joins


class Adversity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How opponents act: the text gives them pools and actions but no procedure."""

    competence: Annotated[
        int,
        Meta(
            ge=0, le=100, description="Basic dice of an opponent's maneuver unless its own are set. Ruling."
        ),
    ] = 2
    gifts: Annotated[
        bool, Meta(description="Whether maneuvers of opponents may be given gift dice. Ruling.")
    ] = False
    tokens: Annotated[bool, Meta(description="Whether opponents earn Awesome Tokens. Ruling.")] = False
    combine: Annotated[
        bool, Meta(description="Whether opponents may combine maneuvers and achievements. Ruling.")
    ] = False
    raises_competence: Annotated[
        bool,
        Meta(description="Whether gift dice given to opponents count for raising Group Competence. Ruling."),
    ] = False


class TokenCosts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.4 Awesome Tokens: what they buy in a conflict."""

    free: Annotated[
        int,
        Meta(
            ge=0, le=100, description="Tokens for a free strike, achievement or action power. Stated (6.4)."
        ),
    ] = 1
    double: Annotated[
        int, Meta(ge=0, le=100, description="Tokens for a second target of one strike. Stated (6.4).")
    ] = 2
    both: Annotated[
        int, Meta(ge=0, le=100, description="Tokens for a free strike on two targets. Stated (6.4).")
    ] = 3


class Token(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.4 Awesome Tokens: earning and spending."""

    threshold: Annotated[
        int, Meta(ge=1, le=1000, description="Dice a maneuver has to earn for a token. Stated (6.4).")
    ] = 5
    counts: Annotated[
        Literal["kept", "rolled"],
        Meta(
            description="Whether the dice kept or all successes rolled are held against the threshold. Ruling."
        ),
    ] = "kept"
    costs: Annotated[TokenCosts, Meta(description="What tokens buy during a conflict.")] = TokenCosts()
    free_keeps_action: Annotated[
        bool, Meta(description="Whether a free action leaves the normal action of the round unspent. Ruling.")
    ] = True
    free_covers_helpers: Annotated[
        bool,
        Meta(
            description="Whether helpers in a free achievement need not have an action left either. Ruling."
        ),
    ] = False


class Tokens(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether several people may pay Awesome Tokens together."""

    pooling: Annotated[
        bool, Meta(description="Whether several players may pay for one use together. Ruling.")
    ] = False


class PlayerCharacters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player character has when the sheet does not say."""

    action_max: Annotated[
        int | None,
        Meta(
            description="Maximum of the Action Pool; null: what the character starts with. 10 in the first edition. Likely."
        ),
    ] = None
    charge_max: Annotated[
        int | None,
        Meta(description="Maximum of the Charge Pool; null: none. 6 in the first edition. Likely."),
    ] = None
    action_start: Annotated[
        int | None,
        Meta(description="Action dice to start with; null: must be given. 10 on first edition sheets. Weak."),
    ] = None
    wounds: Annotated[int, Meta(ge=1, le=100, description="Wound circles. First edition, likely.")] = 3
    defense: Annotated[int, Meta(ge=0, le=100, description="Defense. First edition, likely.")] = 2


class End(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.7 Ending conflicts: what becomes of what is left."""

    charge: Annotated[
        Literal["half", "keep", "zero"],
        Meta(description="The Charge Pool after a conflict; half is rounded down. Likely."),
    ] = "half"
    strike: Annotated[
        Literal["zero", "keep"], Meta(description="The Strike Pool after a conflict. Ruling.")
    ] = "zero"
    tokens: Annotated[
        Literal["expire", "keep"],
        Meta(description="Awesome Tokens left after the uses at the end of a conflict. Ruling."),
    ] = "expire"
    conditions: Annotated[
        Literal["clear", "keep"],
        Meta(description="Conditions after a conflict; those lasting until removed always stay. Likely."),
    ] = "clear"


class Heroics(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The power Heroics."""

    cost: Annotated[int, Meta(ge=0, le=100, description="Charge dice. Stated (6.6).")] = 2
    dice: Annotated[
        int, Meta(ge=0, le=100, description="Bonus dice; 4 in the first edition. Stated (6.6).")
    ] = 3
    joins: Annotated[
        tuple[Joins, ...],
        Meta(
            description="Actions it may join. 6.4 names it with a maneuver, 6.6 and the first edition with achievements only. Ruling."
        ),
    ] = ("achieve",)


class Powers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Numbers of single powers on which the texts differ."""

    heroics: Annotated[Heroics, Meta(description="The power Heroics.")] = Heroics()
