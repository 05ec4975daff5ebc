"""The table: who fights, whose turn it is, which blow is in the air and what it waits for."""

from __future__ import annotations

from typing import Literal

import msgspec

from tabletape_duel.events import QuestionAsked
from tabletape_duel.parameters import Parameters


class Duellist(msgspec.Struct, frozen=True, kw_only=True):
    """One who fights. `stamina` is in half points."""

    id: str
    name: str
    side: str
    skill: int
    hp: int
    stamina: int
    secret: bool
    dagger: Literal["none", "concealed", "drawn"] = "none"
    attacked: bool = False
    down: bool = False


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """A blow that landed and is not settled; thrown at the table, it is settled with table dice."""

    attacker: str
    target: str
    at_table: bool


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the duel knows. `order` holds those who were seen, so a secret duellist is not in it."""

    parameters: Parameters
    duellists: dict[str, Duellist] = {}
    order: tuple[str, ...] = ()
    current: str | None = None
    round: int = 0
    blow: Blow | None = None
    waiting: QuestionAsked | None = None
    asked: int = 0
    """How many questions this exchange has asked: the next is `q` and one more."""


def start(parameters: Parameters) -> State:
    """An empty courtyard."""
    return State(parameters=parameters)
