"""Readings of 6.4 Maneuvers, 6.5 Strikes and 6.6 Achievements: dice, gifts, limits, wounds."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

Comparison: TypeAlias = Literal[">", ">="]
"""How successes are held against a number: more than it, or at least it."""

Joins: TypeAlias = Literal["maneuver", "strike", "achieve"]
"""An action that throws dice, and that a power or condition can add dice to."""


class ActionDice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many of their own action dice each participant puts into a maneuver."""

    min: Annotated[
        int,
        Meta(ge=0, le=100, description="Fewest own action dice in a maneuver; helpers too. Stated (6.4)."),
    ] = 1
    max: Annotated[
        int,
        Meta(
            ge=1,
            le=100,
            description="Most own action dice in a maneuver, for each participant. Stated (6.4).",
        ),
    ] = 3


class Maneuvers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.4 Maneuvers: what goes in and what is earned."""

    action_dice: Annotated[
        ActionDice, Meta(description="Limits of the action dice each participant puts in.")
    ] = ActionDice()
    earn_limit: Annotated[
        int,
        Meta(
            ge=1,
            le=100,
            description="Most dice one maneuver earns, strike and charge together; powers raise it. Stated (6.4).",
        ),
    ] = 5
    charge_face: Annotated[
        int,
        Meta(
            ge=2,
            le=6,
            description="Lowest face that earns a charge die; lower successes earn a strike die. Stated (6.4).",
        ),
    ] = 6
    keep: Annotated[
        Literal["exactly", "at_most"],
        Meta(
            description="Whether a maneuver that earned more than the limit must keep exactly that many, or may keep fewer. Ruling."
        ),
    ] = "exactly"


class Gifts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.4 Gift dice: who may give them."""

    max_per_giver: Annotated[
        int, Meta(ge=0, le=100, description="Gift dice one player may give to one maneuver. Stated (6.4).")
    ] = 1
    gm_max: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="Gift dice the GM may give to one maneuver; they come from the supply and cost nothing. Ruling.",
        ),
    ] = 1
    from_defeated: Annotated[
        bool,
        Meta(
            description="Whether somebody defeated or withdrawn may still give: the text speaks of players. Ruling."
        ),
    ] = True
    from_helpers: Annotated[
        bool,
        Meta(
            description="Whether a helper in a combined maneuver may give a gift die to it as well. Ruling: they put in their own already."
        ),
    ] = False


class GroupCompetence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.4 Group Competence: the basic dice of every maneuver of the player characters."""

    start: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="Group Competence when a conflict starts. Stated (6.4); that it starts again in each conflict is likely.",
        ),
    ] = 1
    max: Annotated[int, Meta(ge=0, le=100, description="Highest Group Competence. Stated (6.4).")] = 4
    step: Annotated[
        int, Meta(ge=0, le=100, description="By how much it rises, once a round at most. Stated (6.4).")
    ] = 1
    policy: Annotated[
        Literal["gift-die-per-round", "every-round", "manual"],
        Meta(
            description="When it rises at the end of a round: if a gift die was given (stated, 6.4), every round, or only by the GM's hand (house rules)."
        ),
    ] = "gift-die-per-round"


class Combined(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.4 Combined maneuvers."""

    helper_die: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="Basic dice added for each participant besides the leader. Stated (6.4).",
        ),
    ] = 1


class Achievements(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.6 Achievements."""

    max_strike_dice: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="Most strike dice in an achievement by one character; bonus dice come on top. Stated (6.6).",
        ),
    ] = 8
    per_helper: Annotated[
        int,
        Meta(ge=0, le=1000, description="How much each further participant raises that limit. Stated (6.6)."),
    ] = 2
    min_strike_dice: Annotated[
        int,
        Meta(
            ge=0,
            le=1000,
            description="Fewest strike dice in an achievement, all participants together. Likely.",
        ),
    ] = 1
    min_helper_dice: Annotated[
        int,
        Meta(
            ge=0,
            le=1000,
            description="Fewest strike dice of each participant besides the leader, who may put in none. Ruling.",
        ),
    ] = 1
    compare: Annotated[
        Comparison,
        Meta(
            description="How successes are held against the difficulty: a goal of 5 needs 6. Stated (6.6, 7.1)."
        ),
    ] = ">"


class Strikes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.5 Strikes. The section itself could not be read; other sections and editions fill it."""

    max_strike_dice: Annotated[
        int,
        Meta(
            ge=1, le=1000, description="Most strike dice in a strike; bonus dice come on top. Stated (6.6)."
        ),
    ] = 6
    min_strike_dice: Annotated[
        int, Meta(ge=0, le=1000, description="Fewest strike dice in a strike. Likely.")
    ] = 1
    compare: Annotated[
        Comparison,
        Meta(
            description="How successes are held against the defense. More than it: likely (9.3 says so of factions)."
        ),
    ] = ">"
    wounds: Annotated[
        Literal["multiples", "margin", "single"],
        Meta(
            description="Wounds of a hit: how many times the successes beat the whole defense (multiples: 5 against defense 2 "
            "give 2, as 4 beat it twice but not more than twice), successes less defense (margin), or one (single). Ruling: "
            "no text by the author settles it, two secondary sources give multiples. Six dice take a fresh character "
            "(defense 2, 3 wounds) out in one strike with 35 % under margin and never under multiples."
        ),
    ] = "multiples"
    on_miss: Annotated[
        Literal["return", "lose"],
        Meta(
            description="Strike dice of a strike that hit nobody come back to the pool, or are lost. Ruling, mirrors failed achievements."
        ),
    ] = "return"


class Defense(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How low a defense can be brought."""

    min: Annotated[
        int, Meta(ge=0, le=100, description="Lowest defense whatever goals and conditions take away. Likely.")
    ] = 1


class Rerolls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """6.4 Traits: rerolling the failed dice."""

    max_per_roll: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="Traits that can be unmarked for one roll. Ruling: the text on tokens says traits, the rest one.",
        ),
    ] = 1
    needs_text: Annotated[
        bool,
        Meta(
            description="Whether a reroll must say how the trait fits. The texts ask for it at the table; recording it is free. Ruling."
        ),
    ] = False
