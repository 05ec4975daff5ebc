"""The dice ledger: every face that ever lay on the table, one after the other, with what it was thrown for and by whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from eventlog.audience import visible
from eventlog.codec import codec_for
from eventlog.envelope import By, Envelope
from eventlog.history.points import tape_at
from eventlog.history.slots import may_roll
from eventlog.history.standing import History
from eventlog.history.stock import address_of
from eventlog.logs import pages
from eventlog.store import Store
from rulesets.contract import Ruleset
from rulesets.dice import Roll
from rulesets.installed import ruleset_named
from rulesets.people import Viewer


class LedgerLine(msgspec.Struct, frozen=True, kw_only=True):
    """One die of one roll.

    `address` is where the die first fell, as `roll.index`: lines with one address are one die, which a correction
    took along. `who` is the id of its origin (`zadie` of `action:zadie`). `by` did the action the line lies in, for
    a revision the correction. `standing` tells whether the roll is part of the history or was undone or revised.
    """

    seq: int
    action: int
    slot: int | None
    revision: int
    at: str
    by: By
    roll: int
    place: int
    address: str
    source: Literal["server", "table"]
    purpose: str
    origin: str
    who: str
    sides: int
    face: int
    standing: bool


def ledger(store: Store, session: str, viewer: Viewer) -> Iterator[LedgerLine]:
    """Every die this person may see, in the order of the log; read as it is asked for, never whole.

    Raises `SessionUnknown` or `RulesetNotInstalled` before the first line.
    """
    tape = tape_at(store, session)
    ruleset, history = ruleset_named(tape.ruleset), tape.history
    return (
        line
        for envelope in visible_events(store, session, viewer, upto=tape.version)
        for line in dice_of(ruleset, history, envelope)
    )


def visible_events(store: Store, session: str, viewer: Viewer, *, upto: int) -> Iterator[Envelope]:
    """The events this person may see, up to a version, some at a time."""
    for page in pages(store, session, upto):
        yield from visible(viewer, page)


def dice_of(ruleset: Ruleset[Any], history: History, envelope: Envelope) -> Iterator[LedgerLine]:
    """The dice one event carries."""
    roll = getattr(codec_for(ruleset).event(envelope), "roll", None) if may_roll(envelope) else None
    if not isinstance(roll, Roll):
        return
    for place, die in enumerate(roll.dice, 1):
        number, index = address_of(roll, place)
        yield LedgerLine(
            seq=envelope.seq,
            action=envelope.action,
            slot=envelope.slot,
            revision=envelope.revision,
            at=envelope.at,
            by=envelope.by,
            roll=roll.number,
            place=place,
            address=f"{number}.{index}",
            source=roll.source,
            purpose=roll.purpose,
            origin=die.origin,
            who=whose(die.origin),
            sides=die.sides,
            face=die.face,
            standing=history.stands(envelope.slot, envelope.revision),
        )


def fallen(lines: Iterable[LedgerLine]) -> Iterator[LedgerLine]:
    """Each die once, as it first fell: not again where a correction took it along."""
    seen = set[str]()
    for line in lines:
        if line.address not in seen:
            seen.add(line.address)
            yield line


def whose(origin: str) -> str:
    """Whose die it is: the id of its origin, or the origin itself where it is nobody's (`gc`)."""
    return origin.partition(":")[2] or origin
