"""People at the table: who acts, who looks, and who may see something."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Role = Literal["gm", "player", "observer", "tool", "overlay", "admin"]


class Viewer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody who looks or acts: a role, a name, and for a player the characters they play."""

    role: Role
    name: str = ""
    characters: tuple[str, ...] = ()

    def plays(self, character: str) -> bool:
        """Whether this person acts for that character: the GM for all, a player for their own."""
        return self.role == "gm" or (self.role == "player" and character in self.characters)


GM = Viewer(role="gm", name="gm")
OBSERVER = Viewer(role="observer")

EVERYONE: tuple[str, ...] = ("everyone",)
GM_ONLY: tuple[str, ...] = ("gm",)

Audience: TypeAlias = tuple[str, ...]
"""Who may see an event: any of `everyone`, `gm`, `player:<name>`, `character:<id>` (whoever plays it)."""
