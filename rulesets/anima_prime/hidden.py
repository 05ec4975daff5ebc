"""Secret characters and goals: who may see what, and the table without what somebody may not see."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from rulesets.anima_prime.sheet import Power
from rulesets.anima_prime.state import Character, Goal, OpenRoll, State
from rulesets.dice import Die
from rulesets.people import EVERYONE, GM_ONLY, Audience, Viewer

_SECRET = attrgetter("secret")


def secrets(state: State) -> tuple[str, ...]:
    """Ids of every hidden character and goal."""
    found: list[Character | Goal] = [
        *filter(_SECRET, state.characters.values()),
        *filter(_SECRET, state.goals.values()),
    ]
    return tuple([one.id for one in found]) if found else ()


def hidden_from(state: State, viewer: Viewer) -> tuple[str, ...]:
    """Ids of what this person may not know of: all that is secret, but for the GM and whoever plays it."""
    if viewer.role == "gm" or not (hidden := secrets(state)):
        return ()
    return tuple([one for one in hidden if one in state.goals or not viewer.plays(one)])


def named(value: Any, ids: Collection[str]) -> tuple[str, ...]:
    """Those of the ids that a fact or command names anywhere, in an origin such as `strike:bull` too."""
    if not ids:
        return ()
    words = set(_words(value))
    return tuple(one for one in ids if one in words)


def audience(state: State, event: msgspec.Struct) -> Audience:
    """Everyone, unless the fact names something hidden: then the GM, and whoever plays a hidden character."""
    hidden = secrets(state)
    found = named(event, hidden) if hidden else ()
    if not found:
        return EVERYONE
    only = state.characters.get(found[0]) if len(found) == 1 else None
    if only is None or (only.side == "adversity" and only.player is None):
        return GM_ONLY
    return (*GM_ONLY, f"character:{only.id}")


def seen(state: State, viewer: Viewer) -> State:
    """The table as far as this person may know it."""
    hidden = hidden_from(state, viewer)
    if not hidden:
        return state
    return replace(
        state,
        characters={name: one for name, one in state.characters.items() if name not in hidden},
        goals={name: shown_goal(goal, hidden) for name, goal in state.goals.items() if name not in hidden},
        offers=tuple(one for one in state.offers if not named(one, hidden)),
        announcements=tuple(one for one in state.announcements if one.actor not in hidden),
        open_roll=shown_roll(state.open_roll, hidden),
        settled=None if state.settled and state.settled.actor in hidden else state.settled,
    )


def shown_goal(goal: Goal, hidden: Collection[str]) -> Goal:
    """A goal without the hidden it names: in its effects, its chain, and among those who achieved it."""
    return replace(
        goal,
        effects=tuple(effect for effect in goal.effects if not named(effect, hidden)),
        after=None if goal.after in hidden else goal.after,
        achieved_by=None if goal.achieved_by in hidden else goal.achieved_by,
        achievers=tuple(one for one in goal.achievers if one not in hidden),
    )


def shown_roll(roll: OpenRoll | None, hidden: Collection[str]) -> OpenRoll | None:
    """A waiting roll, or nothing when it names somebody hidden."""
    return None if roll is None or named(roll, hidden) else roll


FREE_WORDS = frozenset({"text", "reason", "name", "title", "kind", "source", "trait", "condition", "purpose"}) | {
    "question", "answer", "outcome", "parameter", "value", "power", "powers", "benefit", "scene", "benefits",
    "conditions", "wards", "cause", "effect", "player", "status", "before",
}  # fmt: skip
"""Fields in which somebody's own words stand, or the game's. What is written there hides nothing, or a player could
find out what is hidden by writing it, and a secret called like a word of the game would hide half of it."""


def _words(value: Any) -> Iterator[str]:
    """All ids it can name; what its fields are called is no word of the table, while the keys of a dict are ids."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Die):
        kind, colon, one = value.origin.rpartition(":")
        if colon and kind != "bonus":
            yield one
    elif isinstance(value, msgspec.Struct):
        for field, naming in _fields(type(value)):
            item = getattr(value, field)
            if naming or isinstance(item, msgspec.Struct):
                yield from _words(item)
    elif isinstance(value, dict):
        yield from _words(tuple(value.items()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _words(item)


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, bool], ...]:
    """The fields of a fact or command, and whether an id can stand there: not where a few words are possible at all.

    The id of a power names the power.
    """
    if issubclass(kind, Power):
        return ()
    return tuple(
        (field.name, field.name not in FREE_WORDS and not _few_words(field.type))
        for field in msgspec.structs.fields(kind)
    )


def _few_words(kind: Any) -> bool:
    """Whether a field holds one of some words of the game, and nothing else: `pool`, `side`, `until`."""
    if get_origin(kind) is Literal or kind in (NoneType, UnsetType):
        return True
    parts = [part for part in get_args(kind) if part is not Ellipsis]
    return bool(parts) and get_origin(kind) is not Annotated and all(map(_few_words, parts))
