"""Which revision of which slot stands, and in which order the slots tell the story.

Only what corrections touched is kept here: any other slot stands in its first revision, in the order of its
number. So this stays small on the tape, however long the session.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from eventlog.corrections import ActionInserted, ActionRedone, Change, CorrectionEvent
from eventlog.errors import HistoryDoesNotFold

Place: TypeAlias = tuple[int, int, int]
"""Where a slot stands in the story; places compare as the story goes."""

FIRST_INSERTED_REVISION = 2
"""What an inserted slot begins with: its first revision is that it was not there."""


class Touched(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, array_like=True):
    """A slot that corrections named: the revision that stands (`None` = empty) and the last that did.

    `top` is the highest revision it ever had, `changed_by` the corrections that named it. An emptied slot with
    a `stock` (`strike:zadie`) gives its dice to that actor's next command of that type, which is its `heir`.
    """

    slot: int
    revision: int | None
    last: int
    top: int
    changed_by: tuple[int, ...]
    stock: str | None = None
    heir: int | None = None


class Inserted(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A slot that was put in before another, its `anchor`."""

    slot: int
    anchor: int


class TakenBack(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A correction that was taken back, and the one that did it."""

    correction: int
    by: int


class History(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What corrections made of the history: touched slots by number, inserted ones as the story goes."""

    touched: tuple[Touched, ...] = ()
    inserted: tuple[Inserted, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()

    def of(self, slot: int) -> Touched | None:
        """What corrections did to a slot, if any did."""
        index = bisect_left(self.touched, slot, key=_slot)
        found = self.touched[index] if index < len(self.touched) else None
        return found if found is not None and found.slot == slot else None

    def revision(self, slot: int) -> int | None:
        """The revision of a slot that stands; `None` where it is empty."""
        touched = self.of(slot)
        return 1 if touched is None else touched.revision

    def stands(self, slot: int | None, revision: int) -> bool:
        """Whether an event of that slot and revision is part of the history; what has no slot always is."""
        return slot is None or self.revision(slot) == revision

    def shown(self, slot: int) -> int:
        """The revision people are shown: the one that stands, or the last that did."""
        touched = self.of(slot)
        return 1 if touched is None else touched.last

    def next_revision(self, slot: int) -> int:
        """The number of the slot's next revision."""
        touched = self.of(slot)
        return 1 + (1 if touched is None else touched.top)

    def place(self, slot: int) -> Place:
        """Where the slot stands in the story."""
        for index, each in enumerate(self.inserted):
            if each.slot == slot:
                return (each.anchor, 0, index)
        return (slot, 1, 0)

    def anchor(self, slot: int) -> int:
        """The slot itself, or for an inserted one the slot that was there first and comes after it."""
        return self.place(slot)[0]

    def is_inserted(self, slot: int) -> bool:
        """Whether the slot was put in between others."""
        return any(each.slot == slot for each in self.inserted)

    def inserted_before(self, first: int, last: int) -> Iterator[int]:
        """Inserted slots that stand right before one of the slots numbered first to last."""
        return (each.slot for each in self.inserted if first <= each.anchor <= last)

    def in_order(self, slots: Iterable[int]) -> list[int]:
        """Slots as the story goes."""
        if not self.inserted:
            return sorted(slots)
        places = {each.slot: (each.anchor, 0, index) for index, each in enumerate(self.inserted)}
        return sorted(slots, key=lambda slot: places.get(slot, (slot, 1, 0)))

    @property
    def earliest(self) -> int | None:
        """The lowest number a correction touched: before it the history is the log."""
        numbers = [each.slot for each in self.touched[:1]] + [each.anchor for each in self.inserted]
        return min(numbers, default=None)

    def taken_back_by(self, correction: int) -> int | None:
        """The correction that took this one back, as it stands now; `None` where it is in force."""
        undone: dict[int, int] = {}
        for each in reversed(self.taken_back):
            if each.by not in undone:
                undone.setdefault(each.correction, each.by)
        return undone.get(correction)

    @property
    def latest(self) -> int:
        """The number of the last correction; 0 where there was none."""
        return max((each.changed_by[-1] for each in self.touched), default=0)

    def heirless(self, stock: str) -> list[int]:
        """The emptied slots whose dice that actor's next commands of that type throw again, the earliest first."""
        waiting = [
            each.slot
            for each in self.touched
            if each.stock == stock and each.revision is None and each.heir is None and not self._kin_of(each)
        ]
        return sorted(waiting, key=self.place)

    def dice_are_with(self, slot: int) -> int | None:
        """The filled slot that threw this one's dice again, or whose dice this one threw again; else `None`."""
        touched = self.of(slot)
        return next(iter(self._kin_of(touched)), None) if touched else None

    def family(self, slot: int) -> list[int]:
        """The slots that share dice with one, itself included: those that threw them again, and so on."""
        family, grown = {slot}, True
        while grown:
            linked = [each for each in self.touched if each.heir and {each.slot, each.heir} & family]
            new = {slot for each in linked for slot in (each.slot, each.heir) if slot is not None} - family
            family, grown = family | new, bool(new)
        return sorted(family)

    def _kin_of(self, touched: Touched) -> list[int]:
        """The filled slots among those that share dice with one."""
        family = self.family(touched.slot)
        return [slot for slot in family if slot != touched.slot and self.revision(slot) is not None]

    # --- what events make of it -------------------------------------------------------------------------------

    def corrected(self, event: CorrectionEvent, action: int) -> History:
        """The history after a correction that was taken as that action."""
        history = self
        if isinstance(event, ActionInserted):
            for target in event.targets:
                history = history.with_inserted(target.slot, event.before)
        touched = {each.slot: each for each in history.touched}
        for change in changes_of([event]):
            touched[change.slot] = _after(touched.get(change.slot), change, action)
        taken_back = history.taken_back
        if (
            isinstance(event, ActionRedone)
            and TakenBack(correction=event.correction, by=action) not in taken_back
        ):
            taken_back = (*taken_back, TakenBack(correction=event.correction, by=action))
        return msgspec.structs.replace(history, touched=_sorted(touched.values()), taken_back=taken_back)

    def inherited(self, slot: int, heir: int) -> History:
        """The history once the dice of an emptied slot were thrown again as another.

        Raises `HistoryDoesNotFold` where no correction ever named that slot.
        """
        touched = {each.slot: each for each in self.touched}
        if slot not in touched:
            raise HistoryDoesNotFold(
                f"Action {heir} throws the dice of action {slot} again, which was never undone"
            )
        touched[slot] = msgspec.structs.replace(touched[slot], heir=heir)
        return msgspec.structs.replace(self, touched=_sorted(touched.values()))

    def with_inserted(self, slot: int, before: int) -> History:
        """The history with a slot put in right before another."""
        others = list(self.inserted)
        for index, each in enumerate(others):
            if each.slot == before:
                others.insert(index, Inserted(slot=slot, anchor=each.anchor))
                return msgspec.structs.replace(self, inserted=tuple(others))
        return msgspec.structs.replace(self, inserted=(*others, Inserted(slot=slot, anchor=before)))


def _slot(touched: Touched) -> int:
    return touched.slot


def _sorted(touched: Iterable[Touched]) -> tuple[Touched, ...]:
    return tuple(sorted(touched, key=_slot))


def _after(known: Touched | None, change: Change, action: int) -> Touched:
    last = change.after or change.before or (known.last if known else 1)
    return Touched(
        slot=change.slot,
        revision=change.after,
        last=last,
        top=max(known.top if known else 1, change.after or 1),
        changed_by=(*(known.changed_by if known else ()), action),
        stock=change.stock,
        heir=known.heir if known else None,
    )


def changes_of(events: Sequence[CorrectionEvent]) -> tuple[Change, ...]:
    """Every change a correction's events record."""
    return tuple(change for event in events for change in (*event.targets, *event.consequences))
