"""Who did what in a slot, and so whose next command of that type meets its dice again."""

from __future__ import annotations

import msgspec

from eventlog.commands import command_type
from eventlog.history.slots import Content, rolls_in_facts


class _Deed(msgspec.Struct, frozen=True):
    actor: str = ""


def stock_name(content: Content) -> str | None:
    """Whose next command of which type meets this slot's dice again: `strike:zadie`; `None` without server dice.

    Nor is it told where the deed is hidden from some who see what came of it.
    """
    first = content.steps[0]
    if first.audience != content.audience or not any(
        roll.source == "server" for roll in rolls_in_facts(content.facts)
    ):
        return None
    return deed(first.command, f"{first.by.role}.{first.by.name}")


def deed(command: msgspec.Raw, issuer: str) -> str:
    """The type of a command and who acts by it: the actor it names, or whoever sends it."""
    try:
        actor = msgspec.json.decode(command, type=_Deed).actor
    except msgspec.ValidationError:
        actor = ""
    return f"{command_type(command)}:{actor or issuer}"
