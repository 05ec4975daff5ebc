"""A conflict of Anima Prime to correct: Zadie and Rasheem against a bull, with dice typed in unless said otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dueling import Table

from eventlog.requests import Recorded


class Caravan(Table):
    """Actions 1 to 4 are the people and the start of the conflict; the players begin."""

    def __init__(self, path: str | Path = ":memory:", **opening: Any) -> None:
        super().__init__(path)
        self.open("anima-prime", **opening)
        numbers = {"action": 6, "defense": 2, "max_wounds": 3}
        bold = {"traits": [{"name": "Bold", "marked": True}], "awesome_tokens": 3}
        self.act("add_character", id="zadie", side="pcs", kind="pc", **numbers, **bold)
        self.act("add_character", id="rasheem", side="pcs", kind="pc", **numbers, **bold)
        self.act("add_character", id="bull", side="adversity", kind="individual", **numbers)
        self.act("start_conflict", first="pcs")

    def throw(self, type: str, *dice: int, **fields: Any) -> Recorded:  # noqa: A002 - the field's own name
        """A command with faces thrown at the table."""
        return self.act(type, request={"dice": dice}, **fields)

    def pools(self, name: str) -> tuple[int, int, int]:
        """Action, strike and charge dice of somebody."""
        who = self.state.characters[name]
        return who.action, who.strike, who.charge

    def view(self) -> Any:
        return self.state
