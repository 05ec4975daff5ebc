"""Reading the history out of a log: what a slot holds, what stands from a slot on, every die thrown for a slot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from eventlog.audience import visible
from eventlog.envelope import Envelope
from eventlog.errors import ActionUnknown, HistoryDoesNotFold
from eventlog.history.slots import Content, Thrown, contents, thrown_in
from eventlog.history.standing import History
from eventlog.logs import Log
from eventlog.tape import Tape
from rulesets.contract import Ruleset
from rulesets.installed import ruleset_named
from rulesets.people import Viewer

LOOK_AHEAD = 8
"""Actions read beyond a stretch for the answers that belong to its last slot; doubled while more are found."""

LOOK_BACK = 16
"""Actions read at once when going back for the last filled slot."""


def stretch(log: Log, session: str, first: int, last: int, end: int) -> list[Envelope]:
    """The events of the actions numbered first to last and of the answers that joined their slots later.

    Nothing after action `end` is read, nor what corrections wrote anew.
    """
    found, ahead, reach = log.taken(session, first, min(last, end)), last, LOOK_AHEAD
    while ahead < end and _may_go_on(found, last):
        more = log.taken(session, ahead + 1, min(ahead + reach, end))
        found += more
        ahead, reach = ahead + reach, reach * 2
    return found


def _may_go_on(envelopes: Iterable[Envelope], last: int) -> bool:
    """Whether answers to the last slot may still come: none do once a later slot has begun."""
    return all(each.slot is None or each.revision > 1 or each.slot <= last for each in envelopes)


def as_taken(envelopes: Sequence[Envelope]) -> list[Envelope]:
    """Whole actions without what corrections wrote anew for slots."""
    corrections = {each.action for each in envelopes if each.slot is None}
    return [each for each in envelopes if each.revision == 1 or each.action not in corrections]


@dataclass(frozen=True, slots=True)
class Past:
    """The history of a session up to the last action of a tape, read from its log."""

    log: Log
    tape: Tape[Any]

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game."""
        return ruleset_named(self.tape.ruleset)

    @property
    def history(self) -> History:
        """What corrections made of it."""
        return self.tape.history

    def action(self, number: int) -> list[Envelope]:
        """The events of one action. Raises `ActionUnknown`."""
        if not 0 <= number <= self.tape.action:
            raise self.unknown(number)
        return self.log.actions(self.tape.session, number, number)

    def event(self, seq: int) -> Envelope | None:
        """The event with that `seq`; `None` where there is none."""
        row = next(self.log.rows(self.tape.session, seq - 1), None) if seq <= self.tape.version else None
        return next(each for each in self.action(row.action) if each.seq == seq) if row else None

    def slot(self, number: int) -> int | None:
        """The slot an action belongs to; `None` for what has no place in the story. Raises `ActionUnknown`."""
        return number if self.history.is_inserted(number) else self.action(number)[0].slot

    def slot_by(self, action: int) -> int:
        """The last slot that had begun by an action; the first action where none had."""
        end = action
        while end > 0:
            events = self.log.actions(self.tape.session, max(1, end - LOOK_BACK + 1), end)
            slot = next((each.slot for each in reversed(events) if each.slot and each.revision == 1), None)
            if slot is not None:
                return slot
            end -= LOOK_BACK
        return 1

    def unknown(self, number: int) -> ActionUnknown:
        """The error for a number nobody took an action by, as far as the one who asks may know."""
        return ActionUnknown.of(number)

    def content(self, slot: int, revision: int) -> Content:
        """One revision of a slot. Raises `HistoryDoesNotFold` where the log has none of that number."""
        events = self._first(slot, slot) if revision == 1 else self.revised([slot])
        found = contents(self.ruleset, (each for each in events if each.slot == slot))
        if (slot, revision) not in found:
            raise HistoryDoesNotFold(
                f"Nothing is recorded as revision {revision} of action {slot}, which a correction names",
                seq=self.tape.version,
            )
        return found[slot, revision]

    def line(self, slot: int) -> list[Content]:
        """What stands from a slot on, itself included, as the story goes."""
        return self._standing(self._from(self.history.anchor(slot)), slot)

    def between(self, first: int, last: int) -> list[Content]:
        """What stands in the slots numbered first to last, with those inserted before them."""
        if last < first:
            return []
        inserted = list(self.history.inserted_before(first, last))
        numbers = {*range(first, last + 1)} - {each.slot for each in self.history.inserted}
        touched = [each.slot for each in self.history.touched if each.slot in numbers]
        events = self._first(first, last) + self.revised(touched + inserted)
        wanted = {*numbers, *inserted}
        return self._standing([each for each in events if each.slot in wanted], None)

    def thrown(self, slot: int) -> list[Thrown]:
        """Every roll ever made for a slot or for those it shares dice with, whatever revision made it."""
        family = self.history.family(slot)
        events = self.revised(family)
        for each in family:
            if not self.history.is_inserted(each):
                events += self._first(each, each)
        return thrown_in(self.ruleset, sorted(events, key=lambda event: event.seq))

    def last_filled(self, before: int | None = None, seen_by: Viewer | None = None) -> int | None:
        """The last slot that is filled, of those before another one, or in which somebody sees anything.

        `None` where none is.
        """
        end = self.tape.action if before is None else self.history.anchor(before)
        ceiling = None if before is None else self.history.place(before)
        while end >= 0:
            start = max(0, end - LOOK_BACK + 1)
            found = self._slots(start, end)
            filled = [
                slot
                for slot in self.history.in_order(found)
                if self.history.revision(slot) is not None
                and (ceiling is None or self.history.place(slot) < ceiling)
            ]
            found_last = next((slot for slot in reversed(filled) if self._sees(seen_by, slot)), None)
            if found_last is not None:
                return found_last
            end = start - 1
        return None

    def _sees(self, viewer: Viewer | None, slot: int) -> bool:
        """Whether this person sees anything of what stands in a slot; the log itself sees all."""
        revision = self.history.revision(slot)
        if viewer is None or revision is None:
            return viewer is None
        return bool(visible(viewer, [self.content(slot, revision)]))

    # --- reading ----------------------------------------------------------------------------------------------

    def _slots(self, first: int, last: int) -> set[int]:
        """The slots of the actions numbered first to last, and those inserted before them."""
        events = self.log.actions(self.tape.session, first, last)
        made = {each.action for each in events if each.slot == each.action and each.revision == 1}
        return made | set(self.history.inserted_before(first, last))

    def _first(self, first: int, last: int) -> list[Envelope]:
        """The first revisions of the slots numbered first to last."""
        events = stretch(self.log, self.tape.session, first, last, self.tape.action)
        return [
            each
            for each in events
            if each.revision == 1 and each.slot is not None and first <= each.slot <= last
        ]

    def revised(self, slots: Sequence[int]) -> list[Envelope]:
        """The events of these slots that are not of their first revision, in order."""
        events = self.log.revised(self.tape.session, slots) if slots else []
        return [each for each in events if each.action <= self.tape.action]

    def _from(self, action: int) -> list[Envelope]:
        return self.log.actions(self.tape.session, action, self.tape.action)

    def _standing(self, events: Iterable[Envelope], since: int | None) -> list[Content]:
        history = self.history
        floor = None if since is None else history.place(since)
        stands: dict[tuple[int, int], bool] = {}
        kept = []
        for each in events:
            if each.slot is None:
                continue
            key = (each.slot, each.revision)
            if key not in stands:
                stands[key] = history.stands(*key) and (floor is None or history.place(each.slot) >= floor)
            if stands[key]:
                kept.append(each)
        found = {slot: content for (slot, _), content in contents(self.ruleset, kept).items()}
        return [found[slot] for slot in history.in_order(found)]
