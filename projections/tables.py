"""The tables around what people read of: along the log, and around what corrections wrote."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from eventlog.codec import is_core
from eventlog.envelope import Envelope
from eventlog.history.copied import AsLogged
from eventlog.history.points import folded, known_before, tape_at
from eventlog.history.reading import Past
from eventlog.history.slots import Content
from eventlog.history.standing import History, Place
from projections.steps import CORRECTIONS, OPENED, evolved

KEPT_EVERY = 8
"""Slots between two tables that are kept on the way."""

AT_ONCE = 64
"""Slots that are read at once; as far back a table that is kept is gone on from."""

TRIED = 8
"""Kept tables that are looked at for one to go on from."""


class WrittenTables:
    """The tables before slots as they were when a correction had written something there.

    What is told once is kept, so that the next slot goes on from it.
    """

    def __init__(self, past: Past) -> None:
        self._past = past
        self._pasts: dict[int, Past] = {}
        self._corrections = _Corrections(past.history)
        self._places: list[Place] = []
        self._tables: list[dict[int, Any]] = []

    def around(
        self, slot: int, revision: Sequence[Envelope], shown: Sequence[Envelope], *, stands: bool
    ) -> tuple[Any, Any]:
        """The tables around some of the events of a revision, which are told after those before them in it.

        In the history as it is, or for a revision that fell as it was when the last of these was taken or written:
        what stands today before an emptied revision need not hold whom it speaks of.
        """
        table = self.before(slot, self._past.tape.action if stands else shown[-1].action)
        before = self._along(table, (each for each in revision if each.seq < shown[0].seq))
        between = (each for each in revision if shown[0].seq <= each.seq <= shown[-1].seq)
        return before, self._along(before, between)

    def _along(self, table: Any, envelopes: Iterable[Envelope]) -> Any:
        for each in envelopes:
            table = evolved(self._past.ruleset, table, each)
        return table

    def before(self, slot: int, action: int) -> Any:
        """The table before a slot as it was known after an action."""
        history = self._past.history
        place = history.place(slot)
        past = self._as_known(place, action)
        floor, state = self._nearest(past, place, action)
        for content in self._between(past, floor, place):
            here = history.place(content.slot)
            if here[0] >= floor[0] + KEPT_EVERY:
                self._keep(here, action, state)
                floor = here
            state = folded(past.ruleset, state, [content])
        self._keep(place, action, state)
        return state

    def _as_known(self, place: Place, action: int) -> Past:
        """The history after an action; today's where nothing before the place was corrected since."""
        if self._corrections.last(place, action) == self._corrections.last(place, self._past.tape.action):
            return self._past
        if action not in self._pasts:
            tape = tape_at(self._past.log, self._past.tape.session, action)
            self._pasts[action] = Past(AsLogged(self._past.log), tape)
        return self._pasts[action]

    def _nearest(self, past: Past, place: Place, action: int) -> tuple[Place, Any]:
        """The nearest table before a place: one kept here, or one kept with the log."""
        index = bisect_right(self._places, place) - 1
        for near in range(index, max(-1, index - TRIED), -1):
            kept, tables = self._places[near], self._tables[near]
            known = self._corrections.last(kept, action)
            if known in tables and place[0] - kept[0] <= AT_ONCE:
                return kept, tables[known]
        state, start = known_before(past, place[0])
        return (start, 0, 0), state

    def _keep(self, place: Place, action: int, table: Any) -> None:
        index = bisect_left(self._places, place)
        if index == len(self._places) or self._places[index] != place:
            self._places.insert(index, place)
            self._tables.insert(index, {})
        self._tables[index][self._corrections.last(place, action)] = table

    def _between(self, past: Past, floor: Place, place: Place) -> Iterator[Content]:
        """What stands from one place on and before another, read in runs."""
        for first in range(floor[0], place[0] + 1, AT_ONCE):
            for content in past.between(first, min(place[0], first + AT_ONCE - 1)):
                if floor <= self._past.history.place(content.slot) < place:
                    yield content


class _Corrections:
    """Which corrections touched anything before a place in the story: between two of them its table is the same."""

    def __init__(self, history: History) -> None:
        slots = history.in_order(each.slot for each in history.touched)
        touched = {each.slot: each.changed_by for each in history.touched}
        self._places = [history.place(slot) for slot in slots]
        self._changed_by = [touched[slot] for slot in slots]
        self._before: dict[int, list[int]] = {0: []}

    def last(self, place: Place, action: int) -> int:
        """The last correction up to an action that touched anything before a place; 0 where none did."""
        found = self._up_to(bisect_left(self._places, place))
        index = bisect_right(found, action) - 1
        return found[index] if index >= 0 else 0

    def _up_to(self, index: int) -> list[int]:
        """The corrections that touched the first slots of those that were touched, rising."""
        if index not in self._before:
            known = max(each for each in self._before if each < index)
            later = (number for each in self._changed_by[known:index] for number in each)
            self._before[index] = sorted({*self._before[known], *later})
        return self._before[index]


# --- along the log ------------------------------------------------------------------------------------------


class TablesAlong:
    """The tables along a stretch of the log, as they were known then; that after a correction is read when asked for."""

    def __init__(self, past: Past, envelopes: Sequence[Envelope]) -> None:
        self._past = past
        self._after: dict[int, Any] = {}
        self._before: dict[int, Any] = {}
        self._known: dict[_At, Any] = {}
        first = envelopes[0].action if envelopes else 0
        state = _At(first - 1) if first else None
        corrections = {each.action for each in envelopes if each.type in CORRECTIONS}
        for each in envelopes:
            self._before[each.seq] = state
            if each.action not in corrections:
                state = self._evolved(state, each)
            elif each.type in CORRECTIONS:
                state = _At(each.action)
            self._after[each.seq] = state

    def around(self, envelopes: Sequence[Envelope]) -> tuple[Any, Any]:
        """The tables before the first and after the last of these events."""
        return self._read(self._before[envelopes[0].seq]), self._read(self._after[envelopes[-1].seq])

    def _evolved(self, state: Any, each: Envelope) -> Any:
        """The table after one more event, which only the game's own change."""
        if is_core(each.type) and each.type != OPENED:
            return state
        return evolved(self._past.ruleset, self._read(state), each)

    def _read(self, state: Any) -> Any:
        if not isinstance(state, _At):
            return state
        if state not in self._known:
            self._known[state] = tape_at(self._past.log, self._past.tape.session, state.action).state
        return self._known[state]


@dataclass(frozen=True, slots=True)
class _At:
    """The table after an action, which nobody has asked for yet."""

    action: int
