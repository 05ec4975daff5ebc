"""Dice that fall again: those of an undone action, for its actor's next command of the same type.

Only for eyes that may see what they fell for: whoever hears of an action that throws the dice of another one again
hears which that was, and that it was undone.
"""

from __future__ import annotations

from typing import Any

import msgspec

from eventlog.history.deeds import deed, rolls_of
from eventlog.history.reading import Past
from eventlog.history.recording import draw_from
from eventlog.history.stock import Stock, StockDice
from eventlog.requests import Request
from eventlog.tape import Tape
from rulesets.people import EVERYONE, Audience


def stocks(tape: Tape[Any], request: Request) -> list[int]:
    """The emptied slots whose dice may fall again for a request, the earliest first."""
    if request.dice is not None or not tape.history.touched or tape.settings.redraw_after_undo != "same":
        return []
    issuer = request.issuer
    return tape.history.heirless(deed(msgspec.Raw(request.command), f"{issuer.role}.{issuer.name}"))


def again(past: Past, emptied: int, seed: bytes) -> StockDice:
    """The dice of an emptied slot, to be thrown again."""
    tape = past.tape
    own = rolls_of(past.content(emptied, tape.history.shown(emptied)))
    stock = Stock(own, lambda: past.rolls(emptied))
    return StockDice(stock, "server", tape.next_roll, tape.first_roll, draw_from(seed, tape.session))


def may_be_told(past: Past, emptied: int, audience: Audience) -> bool:
    """Whether everybody of an audience may see the dice that lie in an emptied slot."""
    content = past.content(emptied, past.tape.history.shown(emptied))
    thrown = (fact.audience for fact in content.facts if getattr(fact.event, "roll", None) is not None)
    return all(seen == EVERYONE or set(audience) <= set(seen) for seen in thrown)
