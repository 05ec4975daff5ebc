"""Reading the passages of a session out of its log: which steps make one entry, and what of them is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from eventlog.audience import covers
from eventlog.codec import codec_for
from eventlog.commands import rules_of, tag_of
from eventlog.envelope import Envelope
from eventlog.history.reading import Past
from projections.passages import Passage, Rewording
from projections.rewording import Rewordings, put_in_before
from projections.steps import ACTION_TAKEN, NOTE, Step, split, type_of
from projections.tables import TablesAlong, WrittenTables
from rulesets.contract import Ruleset
from rulesets.errors import RulesNotDecided


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the passages of one session, as its history stands on a tape."""

    past: Past
    tables: WrittenTables

    @classmethod
    def of(cls, past: Past) -> Reader:
        """A reader of this past."""
        return cls(past, WrittenTables(past))

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game."""
        return self.past.ruleset

    def passages(self, envelopes: Sequence[Envelope], first: int, last: int) -> list[Passage]:
        """The entries numbered first to last; the envelopes are those of these actions and of later answers."""
        tables = TablesAlong(self.past, envelopes)
        steps = self._steps(envelopes, first, last)
        found = [
            passage
            for group in self._groups(steps)
            if any(first <= step.number <= last for step in group)
            for passage in self._told(group, steps, tables)
        ]
        wanted = [passage for passage in found if first <= passage.number <= last]
        return sorted(wanted, key=lambda passage: passage.number)

    def alone(self, envelopes: Sequence[Envelope], slot: int, number: int) -> Passage | None:
        """One step of a slot for itself, such as an answer."""
        every = self._steps(envelopes, slot, number)
        steps = [each for each in every if each.number == number]
        if not steps:
            return None
        shown = [each for each in steps if each.revision == self.past.history.shown(slot)]
        tables = TablesAlong(self.past, envelopes)
        return self._of_revision(steps, shown or steps[-1:], every, tables, standing=bool(shown))

    # --- steps ------------------------------------------------------------------------------------------------

    def _steps(self, envelopes: Sequence[Envelope], first: int, last: int) -> list[Step]:
        """All steps of the slots numbered first to last in all their revisions, and the actions without a slot."""
        slots = {
            each.slot
            for each in envelopes
            if each.type == ACTION_TAKEN
            and each.slot is not None
            and (first <= each.slot <= last or first <= each.action <= last)
        }
        touched = [slot for slot in slots if self.past.history.of(slot) is not None]
        inserted = [each.slot for each in self.past.history.inserted if first <= each.slot <= last]
        revised = self.past.revised(sorted({*touched, *inserted}))
        own = [each for each in envelopes if each.revision == 1]
        return list(split([*own, *revised]))

    def _groups(self, steps: Iterable[Step]) -> Iterator[list[Step]]:
        """Steps that make one entry: an action with its answers; book-keeping in between has entries of its own."""
        groups: dict[tuple[int | None, int], list[Step]] = {}
        for step in steps:
            head = step.slot if step.slot is not None and self._folds_in(step) else step.number
            groups.setdefault((step.slot, head), []).append(step)
        for (_, head), group in groups.items():
            if any(step.number == head for step in group):  # else it began before the stretch
                yield group

    def _folds_in(self, step: Step) -> bool:
        if step.number == step.slot:
            return True
        answering = self.answering()
        return answering is None or type_of(codec_for(self.ruleset).event(step.envelopes[0])) in answering

    def answering(self) -> frozenset[str] | None:
        """The commands that answer a question; `None` where the rules are forgotten, and all that joined did."""
        try:
            answers = rules_of(self.past.tape.ruleset, self.past.tape.rules).answers
        except RulesNotDecided:
            return None
        return frozenset(map(tag_of, answers))

    # --- passages ---------------------------------------------------------------------------------------------

    def _told(self, group: list[Step], every: list[Step], tables: TablesAlong) -> Iterator[Passage]:
        """A group as its shown revision; answers that are not in it any more for themselves, struck out."""
        slot = group[0].slot
        if slot is None:
            if not self.past.history.is_inserted(group[0].number):
                yield self._plain(group, tables)
            return
        shown = self.past.history.shown(slot)
        there = [step for step in group if step.revision == shown]
        numbers = {step.number for step in there}
        head = slot if any(step.number == slot for step in group) else group[0].number
        if head in numbers:  # else it began before the stretch
            passage, words = self._of_revision(group, there, every, tables), _words_of(every, slot)
            once = tuple(self._once(group, there, every, tables))
            yield msgspec.structs.replace(passage, envelopes=(*passage.envelopes, *words), once=once)
        gone = [step for step in group if step.number not in numbers]
        for number in dict.fromkeys(step.number for step in gone):
            same = [step for step in gone if step.number == number]
            yield self._of_revision(same, same[-1:], every, tables, standing=False)

    def _once(
        self, group: list[Step], shown: list[Step], every: list[Step], tables: TablesAlong
    ) -> Iterator[Passage]:
        """Earlier revisions that others saw than see the one that is shown, the latest first."""
        seen = shown[0].envelopes[0].audience
        earlier = {step.revision for step in group if step.revision < shown[0].revision}
        for revision in sorted(earlier, reverse=True):
            steps = [step for step in group if step.revision == revision]
            if not covers(seen, steps[0].envelopes[0].audience):
                yield self._of_revision(group, steps, every, tables, standing=False)

    def _plain(self, group: list[Step], tables: TablesAlong) -> Passage:
        envelopes = tuple(each for step in group for each in step.envelopes)
        number = envelopes[0].action
        before, after = tables.around(envelopes)
        by = self.past.history.taken_back_by(number)
        return Passage(
            number=number,
            slot=None,
            envelopes=envelopes,
            before=before,
            after=after,
            origin=envelopes[0],
            standing=by is None,
            changed_by=() if by is None else (by,),
            reworded=self.reworded(envelopes),
        )

    def reworded(self, envelopes: Iterable[Envelope]) -> tuple[Rewording, ...]:
        """What a correction made of the actions it was asked for; nothing of any other action."""
        return tuple(Rewordings(self.past, self.tables, self._groups).of(envelopes))

    def _of_revision(
        self,
        group: list[Step],
        shown: list[Step],
        every: list[Step],
        tables: TablesAlong,
        *,
        standing: bool = True,
    ) -> Passage:
        """One entry: these steps of a group, told after whatever else its slot held before them in that revision."""
        history, slot = self.past.history, shown[0].slot
        assert slot is not None  # noqa: S101 - called for slots alone
        envelopes = tuple(each for step in shown for each in step.envelopes)
        touched = history.of(slot)
        if shown[0].revision == 1:
            before, after = tables.around(envelopes)
        else:
            before, after = self.tables.around(
                slot, _whole(every, shown[0]), envelopes, stands=history.stands(slot, shown[0].revision)
            )
        return Passage(
            number=shown[0].number,
            slot=slot,
            inserted=history.is_inserted(slot),
            put_in=put_in_before(self.past, slot) if history.is_inserted(slot) else None,
            envelopes=envelopes,
            before=before,
            after=after,
            origin=next((step for step in group if step.number == shown[0].number), shown[0]).envelopes[0],
            standing=standing and history.stands(slot, shown[0].revision),
            changed_by=tuple(each for each in touched.changed_by if each != slot) if touched else (),
            earlier=tuple(
                each for step in group if step.revision != shown[0].revision for each in step.envelopes
            ),
            answering=self.answering() or frozenset(),
        )


def _whole(steps: Iterable[Step], one: Step) -> list[Envelope]:
    """All that the revision of a slot holds which this step is part of."""
    same = (step for step in steps if (step.slot, step.revision) == (one.slot, one.revision))
    return [each for step in same for each in step.envelopes]


def _words_of(steps: Iterable[Step], slot: int | None) -> tuple[Envelope, ...]:
    """The words that came with the correction that put a slot in: they are about what was put in."""
    return tuple(
        each
        for step in steps
        if step.slot is None and slot is not None and step.number == slot
        for each in step.envelopes
        if each.type == NOTE
    )
