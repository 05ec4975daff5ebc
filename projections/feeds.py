"""What a feed tells: the log from a place on, as far as somebody may see it and asked for it.

Filtered by audience first, then by what was asked for. What is left out has no place in a page, and still the
page ends after it: a reader moves on past what is not for them.
"""

from __future__ import annotations

import msgspec

from eventlog.audience import visible
from eventlog.codec import core_type
from eventlog.core import SessionClosed
from eventlog.corrections import CORRECTION_EVENTS
from eventlog.envelope import Envelope
from eventlog.history.points import tape_at
from eventlog.store import Store
from projections.cursors import Log, Place, SessionLog
from projections.difference import Operation, patch_between, plain
from projections.naming import names
from projections.table import TableDocument, state_document
from rulesets.people import Viewer

CLOSED = core_type(SessionClosed)
CORRECTIONS = frozenset(core_type(event) for event in CORRECTION_EVENTS)

MOST_EVENTS, MOST_ACTIONS = 256, 16
"""How much one page reads, so that nobody waits long for its first frame or holds much in memory."""


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """Which events a reader asked for; `None` means any. `character` is an id the event names.

    `action` is what happened in the place the action has in the story: its events, its answers, every
    correction that touched it, and what it became by them.
    """

    types: frozenset[str] | None = None
    character: str | None = None
    action: int | None = None

    def fits(self, event: Envelope, log: Log) -> bool:
        """Whether an event of a log that the reader may see is one of these."""
        return (
            (self.types is None or event.type in self.types)
            and (self.action is None or _is_of(event, self.action))
            and (self.character is None or names(event, self.character, lambda: log.game(event)))
        )


ALL = Sought()


class _Touched(msgspec.Struct, frozen=True, kw_only=True):
    slot: int


class _Correction(msgspec.Struct, frozen=True, kw_only=True):
    targets: tuple[_Touched, ...] = ()
    consequences: tuple[_Touched, ...] = ()


def _is_of(event: Envelope, action: int) -> bool:
    if action in {event.action, event.slot}:
        return True
    if event.type not in CORRECTIONS or not event.data:
        return False
    correction = msgspec.json.decode(event.data, type=_Correction)
    return any(touched.slot == action for touched in (*correction.targets, *correction.consequences))


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a feed: the events from one place to the next that are for the reader. `closes` ends the session."""

    after: int
    place: Place
    events: tuple[Envelope, ...]
    closes: bool = False


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What an action did to the table as one person sees it, as a JSON Patch (RFC 6902) of its `state`.

    `at` and `version` are where the table stands then, `state_hash` is the hash of the `state` it becomes.
    """

    at: int
    version: int
    patch: tuple[Operation, ...]
    state_hash: str


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a feed of tables: the changes from one place to the next, each with the place after its action."""

    after: int
    place: Place
    changes: tuple[tuple[Place, Change], ...]
    closes: bool = False


def told(log: Log, viewer: Viewer, sought: Sought, after: Place) -> Told:
    """The next page after a place; one that ends where it began when there is nothing new."""
    events = log.read(after.number, MOST_EVENTS)
    if not events:
        return Told(after=after.number, place=after, events=())
    last = events[-1]
    place = Place(log.number(last), last.hash)
    return Told(
        after=after.number,
        place=place,
        events=tuple(event for event in visible(viewer, events) if sought.fits(event, log)),
        closes=last.type == CLOSED and log.closed_at(place),
    )


def table_at(store: Store, session: str, viewer: Viewer, place: Place) -> tuple[Place, TableDocument]:
    """The table as somebody saw it after the last whole action before a place, and the place it stands at."""
    tape = tape_at(store, session, _whole_action(store, session, place.number))
    return Place(tape.version, tape.hash), state_document(tape, viewer)


def changes(store: Store, session: str, viewer: Viewer, after: Place) -> Changes:
    """The next page of changes after a place, which is the end of an action."""
    following = store.envelopes(session, after.number, 1)
    if not following:
        return Changes(after=after.number, place=after, changes=())
    first = following[0].action
    events = store.actions(session, first, first + MOST_ACTIONS - 1)
    last = events[-1]
    place = Place(last.seq, last.hash)
    return Changes(
        after=after.number,
        place=place,
        changes=tuple(_changes(store, session, viewer, events)),
        closes=last.type == CLOSED and SessionLog(store, session).closed_at(place),
    )


def _changes(
    store: Store, session: str, viewer: Viewer, events: list[Envelope]
) -> list[tuple[Place, Change]]:
    seen = {event.action for event in visible(viewer, events)}
    ends = {event.action: event for event in events}
    first = events[0].action
    before = plain(state_document(tape_at(store, session, first - 1), viewer).state) if first else {}
    found = []
    for action, end in ends.items():
        table = state_document(tape_at(store, session, action), viewer)
        after = plain(table.state)
        patch = patch_between(before, after)
        if patch or action in seen:
            change = Change(at=action, version=end.seq, patch=patch, state_hash=table.state_hash)
            found.append((Place(end.seq, end.hash), change))
        before = after
    return found


def _whole_action(store: Store, session: str, seq: int) -> int:
    """The last action that has ended at a `seq`. The opening is there before anything is told of a table."""
    around = store.envelopes(session, max(0, seq - 1), 2)
    if seq == 0 or len(around) < 2 or around[1].action != around[0].action:
        return around[0].action
    return max(0, around[0].action - 1)
