"""Passages: what belongs together in a log, an action with the answers that joined its place in the story.

Of a slot that corrections touched, the revision that stands is shown, or the last that did; steps that have no
part in it any more are passages of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from eventlog.audience import visible
from eventlog.codec import codec_for, core_type, is_core
from eventlog.commands import command_type, rules_of, tag_of
from eventlog.core import ActionTaken, NoteAdded, SessionOpened
from eventlog.corrections import CORRECTION_EVENTS, ActionRevised
from eventlog.envelope import Envelope
from eventlog.history.points import tape_at
from eventlog.history.reading import Past
from eventlog.tape import first_table
from projections.tables import WrittenTables
from rulesets.contract import Event, Ruleset
from rulesets.errors import RulesNotDecided
from rulesets.people import Viewer

ACTION_TAKEN, OPENED, REVISED = core_type(ActionTaken), core_type(SessionOpened), core_type(ActionRevised)
NOTE = core_type(NoteAdded)
CORRECTIONS = frozenset(core_type(event) for event in CORRECTION_EVENTS)


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """The events of one entry with the tables around them.

    `envelopes` are those of the revision that is shown, `earlier` those of other revisions of the same steps.
    `origin` is the first event of the action as it was taken, `answering` the commands that answer a question,
    `inserted` tells that it was put in between others.
    """

    number: int
    slot: int | None
    inserted: bool = False
    envelopes: tuple[Envelope, ...]
    before: Any
    after: Any
    origin: Envelope
    standing: bool = True
    changed_by: tuple[int, ...] = ()
    earlier: tuple[Envelope, ...] = ()
    answering: frozenset[str] = frozenset()


@dataclass(slots=True)
class Step:
    """One action's events in one revision of a slot; all of an action that has no slot."""

    number: int
    slot: int | None
    revision: int
    envelopes: list[Envelope] = field(default_factory=list)


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
        tables = _Tables(self.past, envelopes)
        steps = self._steps(envelopes, first, last)
        found = [
            passage
            for group in self._groups(steps)
            if any(first <= step.number <= last for step in group)
            for passage in self._told(group, tables, _words_of(steps, group[0].slot))
        ]
        wanted = [passage for passage in found if first <= passage.number <= last]
        return sorted(wanted, key=lambda passage: passage.number)

    def alone(self, envelopes: Sequence[Envelope], slot: int, number: int) -> Passage | None:
        """One step of a slot for itself, such as an answer."""
        steps = [each for each in self._steps(envelopes, slot, number) if each.number == number]
        if not steps:
            return None
        shown = [each for each in steps if each.revision == self.past.history.shown(slot)]
        tables = _Tables(self.past, envelopes)
        return self._of_revision(steps, shown or steps[-1:], tables, standing=bool(shown))

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

    def _told(self, group: list[Step], tables: _Tables, words: tuple[Envelope, ...]) -> Iterator[Passage]:
        """A group as its shown revision; answers that are not in it any more for themselves, struck out."""
        slot = group[0].slot
        if slot is None:
            if not self.past.history.is_inserted(group[0].number):
                yield self._plain(group, tables)
            return
        shown = self.past.history.shown(slot)
        there = [step for step in group if step.revision == shown]
        numbers = {step.number for step in there}
        if there:
            passage = self._of_revision(group, there, tables)
            yield msgspec.structs.replace(passage, envelopes=(*passage.envelopes, *words))
        gone = [step for step in group if step.number not in numbers]
        for number in dict.fromkeys(step.number for step in gone):
            same = [step for step in gone if step.number == number]
            yield self._of_revision(same, same[-1:], tables, standing=False)

    def _plain(self, group: list[Step], tables: _Tables) -> Passage:
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
        )

    def _of_revision(
        self, group: list[Step], shown: list[Step], tables: _Tables, *, standing: bool = True
    ) -> Passage:
        history, slot = self.past.history, shown[0].slot
        assert slot is not None  # noqa: S101 - called for slots alone
        envelopes = tuple(each for step in shown for each in step.envelopes)
        touched = history.of(slot)
        if shown[0].revision == 1:
            before, after = tables.around(envelopes)
        else:
            stands = history.stands(slot, shown[0].revision)
            before, after = self.tables.around(slot, envelopes, stands=stands)
        return Passage(
            number=shown[0].number,
            slot=slot,
            inserted=history.is_inserted(slot),
            envelopes=envelopes,
            before=before,
            after=after,
            origin=next((step for step in group if step.number == shown[0].number), shown[0]).envelopes[0],
            standing=standing and history.stands(slot, shown[0].revision),
            changed_by=touched.changed_by if touched else (),
            earlier=tuple(
                each for step in group if step.revision != shown[0].revision for each in step.envelopes
            ),
            answering=self.answering() or frozenset(),
        )


def _words_of(steps: Iterable[Step], slot: int | None) -> tuple[Envelope, ...]:
    """The words that came with the correction that put a slot in: they are about what was put in."""
    return tuple(
        each
        for step in steps
        if step.slot is None and slot is not None and step.number == slot
        for each in step.envelopes
        if each.type == NOTE
    )


def split(envelopes: Iterable[Envelope]) -> Iterator[Step]:
    """Events cut into steps, each beginning with what was asked."""
    step: Step | None = None
    for each in envelopes:
        key = (each.slot, each.revision)
        begins = each.type in (ACTION_TAKEN, REVISED, OPENED)
        if step is None or begins or (step.slot, step.revision) != key or _is_other(step, each):
            if step is not None:
                yield step
            step = Step(_number(each), *key)
        step.envelopes.append(each)
    if step is not None:
        yield step


def _is_other(step: Step, envelope: Envelope) -> bool:
    return step.envelopes[0].action != envelope.action


def _number(envelope: Envelope) -> int:
    if envelope.type != REVISED or envelope.data is None:
        return envelope.action
    return msgspec.json.decode(envelope.data, type=ActionRevised).action


class _Tables:
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


def evolved(ruleset: Ruleset[Any], state: Any, envelope: Envelope) -> Any:
    """The table after one more event of the log; the recorder's own change nothing, but for the opening."""
    if is_core(envelope.type) and envelope.type != OPENED:
        return state
    match codec_for(ruleset).event(envelope):
        case None:
            return state
        case SessionOpened() as opened:
            return first_table(ruleset, opened)
        case event:
            return ruleset.record.evolve(state, event)


def type_of(begun: Event | None) -> str | None:
    """The command's type, where the event says what was asked."""
    return command_type(begun.command) if isinstance(begun, ActionTaken | ActionRevised) else None


_WORDS = re.compile(rb"[a-z][a-z0-9_-]*")


def kinds(ruleset: Ruleset[Any], passage: Passage, viewer: Viewer) -> set[str | None]:
    """The command types this person may see in an entry: the action's own and those of its answers."""
    codec = codec_for(ruleset)
    return {
        type_of(codec.event(envelope))
        for envelope in visible(viewer, passage.envelopes)
        if envelope.type in (ACTION_TAKEN, REVISED)
    }


def mentions(passage: Passage, viewer: Viewer, who: str) -> bool:
    """Whether what this person may see of an entry names that id."""
    wanted = who.encode()
    return any(
        wanted in _WORDS.findall(envelope.data or b"") for envelope in visible(viewer, passage.envelopes)
    )
