"""The choices of a character as forms show them: made of what can differ, and taken again while nothing does."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from rulesets.contract import Choice, Field

remembered = lru_cache(maxsize=2048)
"""Hardly any choice changes from one action to the next: those that were made before are taken again."""

Pays: TypeAlias = Literal["may", "must", "cannot"]
"""Whether an action may be paid with tokens, or must."""

Ids: TypeAlias = tuple[str, ...]

TEXT = Field(name="text", kind="text")
"""Words to go with an action."""

_SAID = Field(name="text", kind="text", required=True)
_FREE: dict[Pays, tuple[Field, ...]] = {
    "may": (Field(name="free", kind="flag"),),
    "must": (Field(name="free", kind="flag", required=True),),
    "cannot": (),
}


def _choice(who: str, name: str, kind: str, text: str, *fields: Field) -> Choice:
    return Choice(type=kind, text=f"{name} {text}", actor=who, by=(who, "gm"), fields=fields)


@remembered
def maneuver(  # noqa: PLR0913, PLR0917 - as many as there are limits
    who: str,
    name: str,
    dice: tuple[int, int],
    powers: Ids,
    targets: Ids,
    helpers: Ids,
    givers: Ids,
) -> Choice:
    """6.4: dice of their own, and what others may put in where anybody can; they themselves are no lenders."""
    fields = [
        _between("action_dice", *dice, required=True),
        Field(name="powers", kind="many", options=powers),
        Field(name="target", kind="one", options=targets),
    ]
    for field, lenders in (("helpers", helpers), ("gifts", givers)):
        if others := _without(who, lenders):
            fields.append(Field(name=field, kind="many", options=others))
    return _choice(who, name, "maneuver", "maneuvers", *fields, TEXT)


@remembered
def strike(  # noqa: PLR0913, PLR0917 - as above
    who: str,
    name: str,
    targets: Ids,
    most: int,
    dice: tuple[int, int],
    powers: Ids,
    pays: Pays,
) -> Choice:
    """6.5: at one target, or at two where tokens pay for the second."""
    return _choice(
        who,
        name,
        "strike",
        "strikes",
        Field(name="targets", kind="many", required=True, minimum=1, maximum=most, options=targets),
        _between("strike_dice", *dice, required=True),
        Field(name="powers", kind="many", options=powers),
        *_FREE[pays],
        TEXT,
    )


@remembered
def achieve(  # noqa: PLR0913, PLR0917 - as above
    who: str,
    name: str,
    goals: Ids,
    dice: tuple[int, int],
    joining: Ids,
    powers: Ids,
    pays: Pays,
) -> Choice:
    """6.6: with strike dice of the leader and of those who may join."""
    return _choice(
        who,
        name,
        "achieve",
        "tries for a goal",
        Field(name="goal", kind="one", required=True, options=goals),
        _between("strike_dice", *dice, required=True, options=joining),
        Field(name="powers", kind="many", options=powers),
        *_FREE[pays],
        TEXT,
    )


@remembered
def use_power(who: str, name: str, usable: Ids, targets: Ids, pays: Pays) -> Choice:
    """6.3: an action power that can be paid."""
    power = Field(name="power", kind="one", required=True, options=usable)
    at = Field(name="targets", kind="many", options=targets)
    return _choice(who, name, "use_power", "uses an action power", power, at, *_FREE[pays], TEXT)


@remembered
def at_any_time(who: str, name: str) -> tuple[Choice, Choice]:
    """6.3: leaving the conflict, and telling the others what is coming."""
    kind = Field(name="kind", kind="text", required=True)
    return (
        _choice(who, name, "withdraw", "withdraws", TEXT),
        _choice(who, name, "announce", "announces an action", kind, TEXT),
    )


@remembered
def offer(who: str, name: str, party: Ids, parts: tuple[int, int, int, int]) -> Choice:
    """A promise to others of the party: so many gifts, help dice, strike dice and tokens at most."""
    named = zip(("gift", "help_dice", "strike_dice", "tokens"), parts, strict=True)
    fields = (_between(part, 1, most) for part, most in named if most)
    to = Field(name="to", kind="one", required=True, options=(*_without(who, party), "all"))
    return _choice(who, name, "offer", "offers something to another's action", to, *fields, TEXT)


@remembered
def withdraw_offer(who: str, name: str, promised: Ids) -> Choice:
    """Taking back what was promised."""
    to = Field(name="to", kind="one", options=promised)
    return _choice(who, name, "withdraw_offer", "takes an offer back", to)


@remembered
def spend_token(who: str, name: str, most: int) -> Choice:
    """6.4: tokens for something told in words."""
    tokens = _between("tokens", 1, most, required=True)
    return _choice(who, name, "spend_token", "spends Awesome Tokens on something else", tokens, _SAID)


@remembered
def scene(who: str, name: str, gains: Ids, unmarked: Ids) -> Choice:
    """The one benefit of a character scene."""
    return _choice(
        who,
        name,
        "character_scene",
        "takes the benefit of a scene",
        Field(name="benefit", kind="one", required=True, options=gains),
        Field(name="trait", kind="one", options=unmarked),
        Field(name="scene", kind="text"),
        TEXT,
    )


def _without(who: str, ids: Ids) -> Ids:
    return tuple(one for one in ids if one != who)


def _between(name: str, least: int, most: int, *, required: bool = False, options: Ids = ()) -> Field:
    return Field(name=name, kind="number", required=required, minimum=least, maximum=most, options=options)
