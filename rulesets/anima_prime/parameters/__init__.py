"""Readings and house rules of Anima Prime: every number the tables disagree about, with its source.

The defaults are the recommended readings. Each description ends with how sure the reading is: *stated* (in a
text by the game's author), *likely* (two sources agree, or one good one), *weak* (one source), or *ruling*
(the texts are silent or contradict themselves, and this is what we recommend).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rulesets.anima_prime.parameters.actions import (
    Achievements,
    Combined,
    Comparison,
    Defense,
    Gifts,
    GroupCompetence,
    Joins,
    Maneuvers,
    Rerolls,
    Strikes,
)
from rulesets.anima_prime.parameters.people import Adversity, End, PlayerCharacters, Powers, Token, Tokens

__all__ = ["Comparison", "Joins", "Parameters"]


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
