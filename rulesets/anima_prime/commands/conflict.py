"""Commands of a conflict's course: start, turns, rounds, end, and the scenes between conflicts."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rulesets.anima_prime.commands.asked import Asked
from rulesets.anima_prime.sheet import Condition, Outcome, Side, Until
from rulesets.contract import Count, Name, Slug, Text
from rulesets.writing import CAPTION_PATTERN

Title = Annotated[str, Meta(max_length=200, pattern=CAPTION_PATTERN)]
"""What a conflict is called; may be empty."""


class StartingCondition(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A condition in place when the conflict starts: on whom, or on everyone who enters."""

    condition: Name | Condition
    character: Slug | None = None
    characters: tuple[Slug, ...] | Literal["all"] = ()
    until: Until | None = None


class StartConflict(Asked, frozen=True, kw_only=True, tag="start_conflict"):
    """Start a conflict in round 1. Without `characters`: PCs with a free wound circle, and adversity not used yet.

    `first: roll` lets a player and the GM each throw a die, again on a tie; the higher side begins (6.3).
    """

    first: Side | Literal["roll"]
    title: Title = ""
    characters: tuple[Slug, ...] | None = None
    conditions: tuple[StartingCondition, ...] = ()


class Enter(Asked, frozen=True, kw_only=True, tag="enter"):
    """Bring somebody into the running conflict."""

    character: Slug


class Withdraw(Asked, frozen=True, kw_only=True, tag="withdraw"):
    """Leave the conflict of one's own will."""

    character: Slug
    text: Text = ""


class EndTurn(Asked, frozen=True, kw_only=True, tag="end_turn"):
    """The side whose turn it is is done. After the second side's turn the round ends with it."""


class EndRound(Asked, frozen=True, kw_only=True, tag="end_round"):
    """End the round from anywhere: Group Competence rises if a gift was given, and everybody may act again."""


class EndToken(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    rename={"payer": "from"},
):
    """Awesome Tokens somebody spends as the conflict ends, and on what."""

    payer: Slug
    tokens: Annotated[int, Meta(ge=1, le=10_000)]
    text: Text = ""


class GoalRuling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The GM's word on a goal nobody achieved: still possible later, or how it ended (7.1)."""

    goal: Slug
    status: Literal["unresolved", "dropped"] = "unresolved"
    text: Text = ""


class EndConflict(Asked, frozen=True, kw_only=True, tag="end_conflict"):
    """End the conflict: last uses of tokens, then open goals become unresolved, then the pools settle."""

    outcome: Outcome
    text: Text = ""
    tokens: tuple[EndToken, ...] = ()
    goals: tuple[GoalRuling, ...] = ()


class CharacterScene(Asked, frozen=True, kw_only=True, tag="character_scene"):
    """Take the one benefit of a character scene: heal a wound, fill the Action Pool, or mark a trait.

    `scene` names the scene; without it, all scenes since the last conflict count as one.
    """

    character: Slug
    benefit: Literal["heal", "refill", "mark", "other"]
    trait: Name | None = None
    scene: Count | Name | None = None
    text: Text = ""
