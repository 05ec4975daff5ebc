"""Facts of a conflict's course: its start, turns, rounds and end, and the scenes between conflicts."""

from __future__ import annotations

from typing import Literal

import msgspec

from rulesets.anima_prime.sheet import Outcome, Side
from rulesets.dice import Roll


class ConflictStarted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A conflict began, in round 1. `first` is None where dice are to say who begins (6.3)."""

    number: int
    title: str = ""
    first: Side | None = None
    group_competence: int = 1


class FirstSideRolled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player and the GM each threw a die for who begins; `first` is None on a tie, which is thrown again."""

    roll: Roll
    first: Side | None = None


class CharacterEntered(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody is in the conflict from now on; whoever comes back in a round keeps what they did in it."""

    character: str


class CharacterReturned(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody defeated is back in the conflict, with the place in the round they had."""

    character: str


class CharacterWithdrew(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody left the conflict of their own will."""

    character: str
    text: str = ""


class TurnPassed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The side that acted is done; now it is the other side's turn."""

    to: Side


class RoundEnded(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Both sides had their turn: everybody may act again, offers lapse, and Group Competence rose by `raised`."""

    round: int
    raised: int = 0


class ConflictEnded(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The conflict is over."""

    outcome: Outcome
    text: str = ""


class GoalLeftUnresolved(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A goal nobody had achieved when the conflict ended, with the GM's words on what becomes of it."""

    goal: str
    status: Literal["unresolved", "dropped"] = "unresolved"
    text: str = ""


class CharacterSettled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the end of the conflict took from somebody: dice, tokens, conditions. Changes of defense end too."""

    character: str
    strike_lost: int = 0
    charge_lost: int = 0
    tokens_expired: int = 0
    conditions: tuple[str, ...] = ()
    to_reserve: bool = False


class ScenePlayed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A character scene gave somebody its one benefit: a wound healed, the pool filled, a trait marked."""

    character: str
    benefit: Literal["heal", "refill", "mark", "other"]
    scene: str
    healed: int = 0
    filled: int = 0
    trait: str | None = None
    text: str = ""
