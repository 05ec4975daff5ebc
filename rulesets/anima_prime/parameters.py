"""Readings and house rules of Anima Prime: every number the tables disagree about, with its source.

The defaults are the recommended readings. Each description ends with how sure the reading is: *stated* (in a
text by the game's author), *likely* (two sources agree, or one good one), *weak* (one source), or *ruling*
(the texts are silent or contradict themselves, and this is what we recommend).
"""

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


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How this table plays Anima Prime. Recorded in full when a session is opened."""

    success_face: Annotated[
        int, Meta(ge=1, le=6, description="Lowest face that is a success, in every roll. Stated (6.4, 6.6).")
    ] = 3
    maneuver: Annotated[Maneuvers, Meta(description="6.4 Maneuvers.")] = Maneuvers()
    gift: Annotated[Gifts, Meta(description="6.4 Gift dice.")] = Gifts()
    gc: Annotated[GroupCompetence, Meta(description="6.4 Group Competence.")] = GroupCompetence()
    combined: Annotated[Combined, Meta(description="6.4 Combined maneuvers.")] = Combined()
    achievement: Annotated[Achievements, Meta(description="6.6 Achievements.")] = Achievements()
    strike: Annotated[Strikes, Meta(description="6.5 Strikes.")] = Strikes()
    defense: Annotated[Defense, Meta(description="How low a defense can be brought.")] = Defense()
    adversity: Annotated[Adversity, Meta(description="How opponents act.")] = Adversity()
    reroll: Annotated[Rerolls, Meta(description="6.4 Traits and rerolls.")] = Rerolls()
    token: Annotated[Token, Meta(description="6.4 Awesome Tokens.")] = Token()
    tokens: Annotated[Tokens, Meta(description="Awesome Tokens of several people.")] = Tokens()
    pc: Annotated[PlayerCharacters, Meta(description="Player characters whose sheet leaves numbers out.")] = (
        PlayerCharacters()
    )
    end: Annotated[End, Meta(description="6.7 Ending conflicts.")] = End()
    power: Annotated[Powers, Meta(description="Single powers.")] = Powers()
    consent: Annotated[
        Literal["offers", "table"],
        Meta(
            description="Whether what others give must have been offered before a player names it, or is agreed at the table. Ours."
        ),
    ] = "offers"
