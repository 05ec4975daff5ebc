"""Dice that fall again: those of an undone action, for its actor's next command of the same type.

Only for eyes that may see what they fell for: whoever hears of an action that throws the dice of another one again
hears which that was, and that it was undone.
"""

from __future__ import annotations

from typing import Any

import msgspec

from eventlog.audience import covers
from eventlog.history.deeds import deed
from eventlog.history.reading import Past
from eventlog.history.recording import draw_from
from eventlog.history.slots import thrown_for
from eventlog.history.stock import Asking, Stock
from eventlog.history.stock_dice import StockDice
from eventlog.requests import Request
from eventlog.tape import Tape
from rulesets.people import Audience


def stocks(tape: Tape[Any], request: Request) -> list[int]:
    """The emptied slots whose dice may fall again for a request, the earliest first."""
    if request.dice is not None or not tape.history.touched or tape.settings.redraw_after_undo != "same":
        return []
    issuer = request.issuer
    return tape.history.heirless(deed(msgspec.Raw(request.command), f"{issuer.role}.{issuer.name}"))


def again(past: Past, emptied: int, seed: bytes) -> StockDice:
    """The dice of an emptied slot, to be thrown again."""
    tape = past.tape
    content, number = past.content(emptied, tape.history.shown(emptied)), tape.action + 1
    own = [msgspec.structs.replace(thrown, action=number) for thrown in thrown_for(content)]
    stock, asking = Stock(own, lambda: past.thrown(emptied)), Asking(number, content.audience)
    return StockDice(stock, asking, "server", tape.next_roll, tape.first_roll, draw_from(seed, tape.session))


def may_be_told(past: Past, emptied: int, audience: Audience) -> bool:
    """Whether everybody of an audience may see the dice that lie in an emptied slot."""
    content = past.content(emptied, past.tape.history.shown(emptied))
    return all(covers(thrown.audience, audience) for thrown in thrown_for(content))
