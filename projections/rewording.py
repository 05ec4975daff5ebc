"""What corrections made of the words of an action: of amended ones before and after, and where forgotten ones were put."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from eventlog.codec import codec_for, core_type
from eventlog.corrections import ActionAmended, ActionInserted, Change
from eventlog.envelope import Envelope
from eventlog.history.reading import Past, stretch
from projections.passages import Passage, PutIn, Rewording
from projections.steps import Step, evolved, split
from projections.tables import WrittenTables

Grouped: TypeAlias = Callable[[Iterable[Step]], Iterator[list[Step]]]
"""Cuts the steps of a slot into those that make one entry."""

REWORDING = frozenset({core_type(ActionAmended), core_type(ActionInserted)})


def put_in_before(past: Past, slot: int) -> PutIn | None:
    """Where a forgotten action was put in."""
    codec = codec_for(past.ruleset)
    for each in past.log.taken(past.tape.session, slot, slot):
        event = codec.event(each) if each.type in REWORDING else None
        if isinstance(event, ActionInserted):
            return PutIn(said=each, before=event.before, there=tuple(past.action(event.before)))
    return None


class Rewordings:
    """Reads what corrections made of the actions they were asked for."""

    def __init__(self, past: Past, tables: WrittenTables, grouped: Grouped) -> None:
        self._past = past
        self._tables = tables
        self._grouped = grouped

    def of(self, envelopes: Iterable[Envelope]) -> Iterator[Rewording]:
        """What the events of a correction tell of."""
        for each in envelopes:
            event = codec_for(self._past.ruleset).event(each) if each.type in REWORDING else None
            if isinstance(event, ActionAmended | ActionInserted):
                for change in event.targets:
                    yield from self._of_slot(each, change)

    def _of_slot(self, said: Envelope, change: Change) -> Iterator[Rewording]:
        steps, table = self._steps(change.slot), self._tables.before(change.slot, said.action)
        stood = [
            step
            for step in steps
            if step.revision == change.before and step.envelopes[0].action < said.action
        ]
        stands = [step for step in steps if step.envelopes[0].action == said.action]
        was, now = self._passages(stood, steps, table), self._passages(stands, steps, table)
        for number in sorted({*was, *now}):
            yield Rewording(said=said, number=number, was=was.get(number), now=now.get(number))

    def _steps(self, slot: int) -> list[Step]:
        """Every step of a slot in every revision."""
        past = self._past
        own = (
            []
            if past.history.is_inserted(slot)
            else stretch(past.log, past.tape.session, slot, slot, past.tape.action)
        )
        first = [each for each in own if each.slot == slot and each.revision == 1]
        return list(split([*first, *past.revised([slot])]))

    def _passages(self, steps: Sequence[Step], every: Sequence[Step], table: Any) -> dict[int, Passage]:
        """The entries that these steps make, by number, with the tables along them."""
        around: dict[int, tuple[Any, Any]] = {}
        for step in steps:
            before = table
            for each in step.envelopes:
                table = evolved(self._past.ruleset, table, each)
            around[step.number] = (before, table)
        return {
            group[0].number: Passage(
                number=group[0].number,
                slot=group[0].slot,
                envelopes=tuple(each for step in group for each in step.envelopes),
                before=around[group[0].number][0],
                after=around[group[-1].number][1],
                origin=next(step for step in every if step.number == group[0].number).envelopes[0],
            )
            for group in self._grouped(steps)
        }
