"""Who `as` means: the game master, the player of a character, a player by name, or somebody who looks on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulesets.people import GM, OBSERVER, Viewer


class People:
    """Those who sit at the table of a scene: its steps introduce ids, and may say whose player they have."""

    def __init__(self, steps: Iterable[Mapping[str, Any]]) -> None:
        self._players: dict[str, str] = {}
        for step in steps:
            who, player = step.get("id"), step.get("player")
            if isinstance(who, str):
                self._players[who] = player if isinstance(player, str) else who

    def viewer(self, name: str) -> Viewer | None:
        """Somebody by the name a step gives, or `None` when the scene never speaks of them.

        A character's player is named as the character's step says, and otherwise like the character.
        """
        if name == GM.role:
            return GM
        if name == OBSERVER.role:
            return OBSERVER
        player = self._players.get(name, name)
        characters = tuple(who for who, whose in self._players.items() if whose == player)
        return Viewer(role="player", name=player, characters=characters) if characters else None

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody `as` may name."""
        return tuple(dict.fromkeys((GM.role, OBSERVER.role, *self._players, *self._players.values())))
