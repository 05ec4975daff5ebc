"""The history as it stands, step by step with the tables around each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import merge
from typing import Any

import msgspec

from eventlog.codec import core_type
from eventlog.corrections import UndoRequestClosed, UndoRequested
from eventlog.envelope import Envelope
from eventlog.history.points import table_up_to
from eventlog.history.reading import Past
from projections.steps import CORRECTIONS, Step, evolved, split

ACTIONS_AT_ONCE = 64
NO_PART_OF_IT = CORRECTIONS | {core_type(UndoRequested), core_type(UndoRequestClosed)}


class StandingStep(msgspec.Struct, frozen=True, kw_only=True):
    """An action as it goes in the history that stands: its events, the tables before and after it.

    `inserted` tells that it was forgotten and put in. `origin` is the first event of the action as it was taken, `changed_by` the corrections that touched its slot.
    """

    number: int
    slot: int | None
    inserted: bool
    envelopes: tuple[Envelope, ...]
    before: Any
    after: Any
    origin: Envelope
    changed_by: tuple[int, ...] = ()


def standing_steps(past: Past, first: int, last: int) -> Iterator[StandingStep]:
    """What stands of the actions numbered first to last, as the story goes: notes and settings too, no corrections.

    What was put in counts as where it was put.
    """
    revised = _revised(past, last)
    start = _beginning(past, first, revised)
    state = table_up_to(past, start - 1) if start else None
    later = (step for step in revised if past.history.anchor(_slot(step)) >= start)
    for step in merge(_first_revisions(past, start, last), later, key=_place_in(past)):
        before = state
        for each in step.envelopes:
            state = evolved(past.ruleset, state, each)
        if first <= _counted(past, step) <= last:
            yield _standing(past, step, before, state)


def _slot(step: Step) -> int:
    """The slot of a step, or its own number where it has none."""
    return step.number if step.slot is None else step.slot


def _beginning(past: Past, first: int, revised: list[Step]) -> int:
    """The first slot to tell: the one the action belongs to, or an earlier one that was answered anew since."""
    slots = [
        _slot(step) for step in revised if step.number >= first and not past.history.is_inserted(_slot(step))
    ]
    slot = past.action(first)[0].slot
    return min([first, *slots, *([] if slot is None else [past.history.anchor(slot)])])


def _counted(past: Past, step: Step) -> int:
    """The number a step is found by in the order of the story."""
    slot = _slot(step)
    return past.history.anchor(slot) if past.history.is_inserted(slot) else step.number


def _place_in(past: Past) -> Callable[[Step], tuple[int, int, int, int]]:
    """Sorts steps as the story goes: an inserted slot before its anchor, what was answered anew in its slot."""

    def place(step: Step) -> tuple[int, int, int, int]:
        return (*past.history.place(step.number if step.revision == 1 else _slot(step)), step.number)

    return place


def _first_revisions(past: Past, start: int, last: int) -> Iterator[Step]:
    """What stands as it was taken, and what has no place in the story and is no correction."""
    for begin in range(start, last + 1, ACTIONS_AT_ONCE):
        end = min(last, begin + ACTIONS_AT_ONCE - 1)
        envelopes = past.log.actions(past.tape.session, begin, end)
        left_out = {each.action for each in envelopes if each.type in NO_PART_OF_IT}
        for step in split(envelopes):
            if step.revision == 1 and step.number not in left_out and past.history.stands(step.slot, 1):
                yield step


def _revised(past: Past, last: int) -> list[Step]:
    """What corrections made of slots up to a number, where that is what stands; as the story goes."""
    history = past.history
    slots = [
        each.slot
        for each in history.touched
        if each.revision not in (None, 1) and history.anchor(each.slot) <= last
    ]
    steps = [step for step in split(past.revised(slots)) if history.stands(step.slot, step.revision)]
    return sorted(steps, key=_place_in(past))


def _standing(past: Past, step: Step, before: Any, after: Any) -> StandingStep:
    touched = None if step.slot is None else past.history.of(step.slot)
    origin = step.envelopes[0]
    if step.revision > 1:
        taken = past.action(step.number)[0]
        origin = origin if taken.slot is None else taken
    return StandingStep(
        number=step.number,
        slot=step.slot,
        inserted=step.slot is not None and past.history.is_inserted(step.slot),
        envelopes=tuple(step.envelopes),
        before=before,
        after=after,
        origin=origin,
        changed_by=touched.changed_by if touched else (),
    )
