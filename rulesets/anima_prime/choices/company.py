"""The table as somebody looks at it, with everybody sorted once by what they could put into another's action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulesets.anima_prime.permits import Loan, Part, lends
from rulesets.anima_prime.sheet import Side
from rulesets.anima_prime.state import Character, State, seated
from rulesets.people import Viewer


class Party(NamedTuple):
    """Those of one side, by id, who could give something to an action.

    `helping` and `joining` have not acted and have an action or a strike die to put in (6.4, 6.6); `giving`
    have an action die to give, whether or not they have acted, or are the GM (6.4).
    """

    helping: tuple[str, ...]
    giving: tuple[str, ...]
    joining: tuple[str, ...]


class Company:
    """Everybody at the table as far as the viewer may know them; a party is looked over when it is asked for."""

    __slots__ = ("_active", "_everybody", "_parties", "people", "state", "viewer")

    def __init__(self, state: State, viewer: Viewer) -> None:
        self.state = state
        self.viewer = viewer
        self.people = seated(state)
        self._parties: dict[Side, Party] = {}
        self._everybody: dict[Side, tuple[str, ...]] = {}
        self._active: dict[Side, tuple[str, ...]] = {}

    @property
    def played(self) -> Sequence[Character]:
        """Those the viewer acts for."""
        if self.viewer.role == "gm":
            return self.people
        return [one for one in self.people if self.viewer.plays(one.id)]

    def party(self, side: Side) -> Party:
        """One side."""
        party = self._parties.get(side)
        if party is None:
            party = self._parties[side] = _party(
                self.state, side, [one for one in self.people if one.side == side]
            )
        return party

    def everybody(self, side: Side) -> tuple[str, ...]:
        """All of one side, in the conflict or not."""
        found = self._everybody.get(side)
        if found is None:
            found = self._everybody[side] = tuple([one.id for one in self.people if one.side == side])
        return found

    def active(self, side: Side) -> tuple[str, ...]:
        """Those of one side who are in the conflict."""
        found = self._active.get(side)
        if found is None:
            there = [one.id for one in self.people if one.side == side and one.status == "active"]
            found = self._active[side] = tuple(there)
        return found

    def opponents_of(self, one: Character) -> tuple[str, ...]:
        """Those in the conflict on the other side."""
        return self.active("adversity" if one.side == "pcs" else "pcs")

    def lent_to(self, one: Character, part: Part, able: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the able who can put this into somebody's action, as far as the viewer may name them.

        They themselves may be among them: the same ids for everybody make the same form for everybody.
        """
        state, viewer = self.state, self.viewer
        if viewer.role == "gm" or state.parameters.consent == "table":
            return able
        if not state.offers:  # nobody has promised anything, so that they can name their own alone
            return tuple([who for who in able if viewer.plays(who)])
        return tuple([who for who in able if lends(state, viewer, Loan(who, one.id, part))])


def _party(state: State, side: Side, own: Sequence[Character]) -> Party:
    """Opponents combine their actions and are given dice only where the readings let them."""
    parameters = state.parameters
    there = [one for one in own if one.status == "active"]
    combines = side == "pcs" or parameters.adversity.combine
    fresh = [one for one in there if not one.acted] if combines else []
    return Party(
        helping=tuple([one.id for one in fresh if one.action]),
        giving=_giving(state, own) if side == "pcs" or parameters.adversity.gifts else (),
        joining=tuple([one.id for one in fresh if one.strike]),
    )


def _giving(state: State, own: Sequence[Character]) -> tuple[str, ...]:
    reading = state.parameters.gift
    there = ("active", "defeated", "withdrawn") if reading.from_defeated else ("active",)
    able = [one.id for one in own if one.status in there and one.action] if reading.max_per_giver else []
    return (*able, "gm") if reading.gm_max else tuple(able)
