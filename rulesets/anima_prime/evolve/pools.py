"""Moving dice, wounds and tokens on a new table; nothing ever goes below zero."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from rulesets.anima_prime.sheet import Counted
from rulesets.anima_prime.state import Character, Offer, State
from rulesets.errors import PoolBelowZero

Part: TypeAlias = Literal["gift", "help_dice", "strike_dice", "tokens"]
"""A part of an offer that an action can use up."""


def moved(character: Character, pool: Counted, amount: int, **besides: Any) -> Character:
    """The character with more (or less) in a pool, and what else changed about them at once.

    Raises `PoolBelowZero` where there is too little.
    """
    left = getattr(character, pool) + amount
    if left < 0:
        raise PoolBelowZero(f"{character.id} has {left - amount} {pool}, {-amount} cannot be taken")
    return replace(character, **{pool: left}, **besides)


def seats(state: State, *changed: Character) -> dict[str, Character]:
    """Everybody by id, with these characters as they are now."""
    characters = state.characters.copy()
    for character in changed:
        characters[character.id] = character
    return characters


def seat(state: State, *changed: Character) -> State:
    """The table with these characters as they are now."""
    return replace(state, characters=seats(state, *changed))


def move(state: State, who: str, pool: Counted, amount: int) -> State:
    """The table after dice came into a pool or left it."""
    return seat(state, moved(state.characters[who], pool, amount))


def used_up(
    offers: tuple[Offer, ...],
    to: str,
    takes: Iterable[tuple[str, Part, int]],
) -> tuple[Offer, ...]:
    """The offers left when an action took what was promised to it; one made to that person goes first."""
    if not offers:
        return offers
    for giver, part, amount in takes:
        promised = [
            one for one in offers if one.giver == giver and one.to in (to, "all") and getattr(one, part)
        ]
        if promised:
            one = min(promised, key=lambda offer: offer.to == "all")
            left = replace(
                one, **{part: max(0, getattr(one, part) - amount) if part in ("gift", "tokens") else 0}
            )
            offers = tuple(left if other is one else other for other in offers)
    return tuple(one for one in offers if one.gift or one.help_dice or one.strike_dice or one.tokens)
