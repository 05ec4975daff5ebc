"""What every decision begins with: who may ask, what was asked as it is kept, and what a decision is."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from eventlog.canonical import canonical_copy
from eventlog.core import ActionTaken, NoteAdded
from eventlog.dice import ServerDice, TableDice
from eventlog.errors import CommandMalformed, NotAllowed, TableDiceOff
from eventlog.history.stock_dice import StockDice
from eventlog.history.touching import Told
from eventlog.playing import Draft
from eventlog.requests import Request
from eventlog.tape import Tape
from rulesets.contract import RuleViolation
from rulesets.installed import ruleset_named
from rulesets.people import Audience, Viewer


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a request comes to: drafts in order (none when it is ignored), the table after them.

    `slot` is the last filled slot afterwards. `told` is how a correction was told through the history, which
    it changes from slot `first` on.
    """

    drafts: tuple[Draft, ...]
    slot: int
    state: Any
    next_roll: int
    told: Told | None = None
    first: int | None = None


Hand: TypeAlias = ServerDice | TableDice | StockDice
"""The dice an action is thrown with: new ones, typed in, or those of an undone action again."""


def allow(tape: Tape[Any], issuer: Viewer, *, typed: bool, overrules: bool) -> None:
    """Refuse what this person may not ask at all: to act, to pass over rules, to send `typed` faces.

    Raises `NotAllowed` or `TableDiceOff`.
    """
    if issuer.role not in ("gm", "player"):
        raise NotAllowed(
            f"A token of the role {issuer.role!r} only reads; acting takes the GM's or a player's",
            needs="player",
        )
    if overrules and issuer.role != "gm":
        raise NotAllowed("Only the GM passes over a rule", needs="gm")
    taken = tape.settings.table_dice
    if typed and (taken == "off" or (taken == "gm" and issuer.role != "gm")):
        raise TableDiceOff(
            "This session takes no typed faces from you; leave `dice` out and the server throws "
            f"(the GM can set table_dice, now {taken!r})",
            table_dice=taken,
        )


def next_place(tape: Tape[Any]) -> tuple[int, int]:
    """Where the next action of the story belongs, slot and revision: with the one whose question is open, or anew."""
    if not ruleset_named(tape.ruleset).record.questions(tape.state):
        return tape.action + 1, 1
    return tape.slot, tape.history.revision(tape.slot) or 1


def begun(  # noqa: PLR0913, PLR0917 - all that an action begins with
    tape: Tape[Any],
    request: Request,
    audience: Audience,
    hand: Hand | None = None,
    emptied: int | None = None,
    said: bytes | None = None,
) -> Draft:
    """What was asked, as it begins the action; `source` is told where dice were typed in or thrown."""
    thrown = hand is not None and (emptied is not None or _threw(tape, hand))
    try:
        command = msgspec.Raw(canonical_copy(said or request.command))
        answers = tuple(msgspec.Raw(canonical_copy(answer)) for answer in request.answers)
    except ValueError as error:
        raise CommandMalformed(f"This command cannot be recorded: {error}") from error
    taken = ActionTaken(
        command=command,
        answers=answers,
        source="table" if request.dice is not None else hand.source if hand is not None and thrown else None,
        overrule=request.overrule,
        rulings="default" if hand is not None and tape.settings.rulings == "default" else None,
        redraws=emptied,
    )
    return Draft(event=taken, audience=audience)


def _threw(tape: Tape[Any], hand: Hand) -> bool:
    return hand.next_roll > tape.next_roll


def words_of(tape: Tape[Any], request: Request, audience: Audience) -> list[Draft]:
    """Words sent along, as a note about the action they came with."""
    if not request.text:
        return []
    return [Draft(event=NoteAdded(text=request.text, about=tape.action + 1), audience=audience)]


def takes_neither(request: Request) -> None:
    """Refuse answers and faces sent with what opens no question and throws no die."""
    if request.answers:
        raise CommandMalformed("This command opens no question, so it takes no answers")
    if request.dice:
        raise RuleViolation(
            "dice-count-mismatch",
            f"{len(request.dice)} dice were typed in, and this throws none",
            wanted=0,
            given=len(request.dice),
        )
