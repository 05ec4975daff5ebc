"""Who may see what: the one function through which every reader's view of the log passes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from eventlog.core import VisibleTo
from rulesets.people import EVERYONE, GM_ONLY, Audience, Viewer


class Addressed(Protocol):
    """Anything with an audience."""

    @property
    def audience(self) -> Audience:
        """Who may see it."""
        ...


T = TypeVar("T", bound=Addressed)


def seen_as(viewer: Viewer) -> frozenset[str]:
    """The names an audience may call this person by."""
    if viewer.role == "gm":
        return frozenset({"everyone", "gm"})
    if viewer.role == "player":
        return frozenset(
            {"everyone", f"player:{viewer.name}", *(f"character:{each}" for each in viewer.characters)}
        )
    return frozenset({"everyone"})


def visible(viewer: Viewer, things: Iterable[T]) -> list[T]:
    """Those of the things that this person may see, in order. Filter first, then search, count or page."""
    names = seen_as(viewer)
    return [thing for thing in things if not names.isdisjoint(thing.audience)]


def may_be_seen(role: str, name: str, audience: Audience) -> bool:
    """Whether somebody in a role and of a name may see this, whichever characters they play."""
    if role == "gm":
        return not {"everyone", "gm"}.isdisjoint(audience)
    if role == "player":
        return any(
            each in {"everyone", f"player:{name}"} or each.startswith("character:") for each in audience
        )
    return "everyone" in audience


def covers(audience: Audience, others: Audience) -> bool:
    """Whether all others are of an audience, as far as their names tell."""
    return audience == EVERYONE or set(others) <= set(audience)


def narrower(audience: Audience, visible_to: VisibleTo, issuer: Viewer) -> Audience:
    """The audience of an event whose issuer asked for privacy: never wider than the rules allow."""
    if visible_to == "everyone":
        return audience
    gm = GM_ONLY if visible_to != "self" and not {"gm", "everyone"}.isdisjoint(audience) else ()
    if visible_to == "gm" or issuer.role == "gm":
        return gm or GM_ONLY
    sees_it = audience == EVERYONE or not seen_as(issuer).isdisjoint(audience)
    return (*gm, f"player:{issuer.name}") if sees_it else gm or GM_ONLY


def narrowings(audience: Audience, issuer: Viewer) -> tuple[Audience, ...]:
    """All that `narrower` can make of an audience, whichever characters its issuer plays."""
    mine = () if issuer.role == "gm" else ((f"player:{issuer.name}",), (*GM_ONLY, f"player:{issuer.name}"))
    return (audience, GM_ONLY, *mine)


def oneself(issuer: Viewer) -> Audience:
    """Whoever sends something reads it, also where it is about what they cannot see."""
    return GM_ONLY if issuer.role == "gm" else (f"player:{issuer.name}",)
