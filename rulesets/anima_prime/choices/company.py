"""The table as somebody looks at it, with everybody sorted once by what they could put into another's action."""

from __future__ import annotations

from typing import NamedTuple

from rulesets.anima_prime.permits import Loan, Part, lends
from rulesets.anima_prime.sheet import Side
from rulesets.anima_prime.state import Character, State, seated
from rulesets.people import Viewer


class Party(NamedTuple):
    """One side, by id: all of it, those in the conflict, and those who could give something to an action.

    `helping` and `joining` have not acted and have an action or a strike die to put in (6.4, 6.6); `giving`
    have an action die to give, whether or not they have acted, or are the GM (6.4).
    """

    everybody: tuple[str, ...]
    active: tuple[str, ...]
    helping: tuple[str, ...]
    giving: tuple[str, ...]
    joining: tuple[str, ...]


class Company(NamedTuple):
    """Everybody at the table and both parties, as far as the viewer may know them."""

    state: State
    viewer: Viewer
    people: tuple[Character, ...]
    pcs: Party
    adversity: Party

    def side_of(self, one: Character) -> Party:
        """The party somebody belongs to."""
        return self.pcs if one.side == "pcs" else self.adversity

    def opponents_of(self, one: Character) -> tuple[str, ...]:
        """Those in the conflict on the other side."""
        return self.adversity.active if one.side == "pcs" else self.pcs.active

    def lent_to(self, one: Character, part: Part, able: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the able who can put this into somebody's action, as far as the viewer may name them."""
        mine = one.id
        others = tuple([who for who in able if who != mine])
        if self.viewer.role == "gm":
            return others
        return tuple([who for who in others if lends(self.state, self.viewer, Loan(who, mine, part))])


def company_of(state: State, viewer: Viewer) -> Company:
    """Everybody this table shows."""
    people = seated(state)
    return Company(state, viewer, people, _party(state, people, "pcs"), _party(state, people, "adversity"))


def _party(state: State, people: tuple[Character, ...], side: Side) -> Party:
    """Opponents combine their actions and are given dice only where the readings let them."""
    parameters = state.parameters
    own = [one for one in people if one.side == side]
    there = [one for one in own if one.status == "active"]
    combines = side == "pcs" or parameters.adversity.combine
    fresh = [one for one in there if not one.acted] if combines else []
    return Party(
        everybody=tuple([one.id for one in own]),
        active=tuple([one.id for one in there]),
        helping=tuple([one.id for one in fresh if one.action]),
        giving=_giving(state, own) if side == "pcs" or parameters.adversity.gifts else (),
        joining=tuple([one.id for one in fresh if one.strike]),
    )


def _giving(state: State, own: list[Character]) -> tuple[str, ...]:
    reading = state.parameters.gift
    there = ("active", "defeated", "withdrawn") if reading.from_defeated else ("active",)
    able = [one.id for one in own if one.status in there and one.action] if reading.max_per_giver else []
    return (*able, "gm") if reading.gm_max else tuple(able)
