"""The story of a session: its timeline under the headings of its conflicts and rounds, as one person may see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import msgspec

from eventlog.logs import Head
from eventlog.store import Store
from projections.entries import Entry, EntryRoll
from projections.timeline import timeline
from rulesets.contract import Moment
from rulesets.people import Viewer

LINES_AT_ONCE = 500
TABLE_DICE = "table-dice"


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """Where the story is now. `depth` is 0 for a conflict or what lies between conflicts, 1 for a round.

    `again` tells that the story was there before: what followed was undone.
    """

    text: str
    depth: int
    again: bool = False


Part: TypeAlias = Heading | Entry


def every_entry(store: Store, session: str, viewer: Viewer) -> Iterator[Entry]:
    """All that happened in a session, from its beginning. Raises `SessionUnknown`."""
    after: int | None = None
    while True:
        page = timeline(store, session, viewer, after=after, limit=LINES_AT_ONCE)
        yield from page.actions
        if page.next is None:
            return
        after = page.next


def story(entries: Iterable[Entry]) -> Iterator[Part]:
    """The entries in order, each stretch of a conflict and of a round under its heading."""
    before: Moment | None = None
    told, begun = set[tuple[int, int]](), False
    for entry in entries:
        moment = entry.moment
        if begun and moment == before:
            yield entry
            continue
        if moment is None:
            yield Heading(text="Between conflicts" if begun else "Before the first conflict", depth=0)
        else:
            yield from _headings(before, moment, told)
        before, begun = moment, True
        yield entry


def _headings(before: Moment | None, moment: Moment, told: set[tuple[int, int]]) -> Iterator[Heading]:
    if before is None or before.conflict != moment.conflict:
        again = any(conflict == moment.conflict for conflict, _ in told)
        yield Heading(text=f"Conflict {moment.conflict}", depth=0, again=again)
    place = moment.conflict, moment.round
    yield Heading(text=f"Round {moment.round}", depth=1, again=place in told)
    told.add(place)


def about(head: Head, viewer: Viewer) -> str:
    """What the story is of and whose eyes it is seen through, in one line."""
    closed = f", closed {_minute(head.closed_at)}" if head.closed_at else ""
    whose = viewer.name if viewer.role == "player" else f"the {'GM' if viewer.role == 'gm' else viewer.role}"
    opened = f"opened {_minute(head.opened_at)}{closed} (UTC)"
    return f"Session {head.session}, {head.ruleset}, {opened}, as {whose} may see it"


def rolls(entry: Entry) -> Iterator[str]:
    """The rolls of a line, a line each, and after them those that are not part of it any more."""
    yield from map(dice, entry.rolls)
    yield from (f"{dice(roll)} (no longer part of it)" for roll in entry.earlier)


def dice(roll: EntryRoll) -> str:
    """A roll with what it was for, every die, and where each came from."""
    faces = ", ".join(f"{die.face} ({die.origin})" for die in roll.dice)
    sides = dict.fromkeys(die.sides for die in roll.dice)
    kinds = " and ".join(f"{sum(die.sides == each for die in roll.dice)}d{each}" for each in sides)
    thrown = "thrown at the table" if roll.source == "table" else "thrown by the server"
    return f"Roll {roll.roll} for {roll.purpose}, {kinds} {thrown}: {faces}"


def marks(entry: Entry) -> tuple[str, ...]:
    """What sets a line apart, in words. Whose dice they were stands at each roll."""
    undone = ("undone",) if entry.status == "undone" else ()
    changed = tuple(f"changed by {number}" for number in entry.changed_by)
    return undone + changed + tuple(mark for mark in entry.marks if mark != TABLE_DICE)


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
