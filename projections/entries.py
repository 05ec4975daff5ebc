"""Entries of the timeline: what people read of one place in the story, its answers folded in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from eventlog.audience import visible
from eventlog.codec import codec_for
from eventlog.core import ActionTaken, NoteAdded, RulingMade
from eventlog.envelope import By, Envelope
from eventlog.tape import Tape
from projections.telling import WORDS_REMOVED, name_of, ruled, told
from rulesets.contract import Die, Event, Moment, Roll, Ruleset, Viewer


class EntryRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll as the timeline shows it; `roll` is its number."""

    roll: int
    source: Literal["server", "table"]
    purpose: str
    dice: tuple[Die, ...]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the timeline and what is behind it.

    `answers` are the numbers of the actions folded into it, `continues` the action an answer belongs to.
    `events` are the first and last `seq`. `by`, `type` and `at` are those of the command, `None` where only
    a consequence of it may be seen. `marks` are `overruled`, `ruling`, `table-dice`.
    """

    number: int
    slot: int | None
    type: str | None
    by: By | None
    at: str
    line: str
    rolls: tuple[EntryRoll, ...] = ()
    status: Literal["standing", "undone"] = "standing"
    revision: int = 1
    changed_by: tuple[int, ...] = ()
    continues: int | None = None
    answers: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    moment: Moment | None = None
    events: tuple[int, int]


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """The events of one entry with the tables around them."""

    envelopes: tuple[Envelope, ...]
    before: Any
    after: Any

    @property
    def number(self) -> int:
        """The action the entry is numbered after."""
        return self.envelopes[0].action


def passages(
    ruleset: Ruleset[Any], tape: Tape[Any] | None, envelopes: Sequence[Envelope]
) -> Iterator[Passage]:
    """Stored events cut into entries: an action, with the answers that joined its slot.

    `tape` is the one right before the first event (`None` before the opening). Events of other actions may
    lie between an action and its answers: notes and book-keeping.
    """
    groups: dict[tuple[str, int], list[Envelope]] = {}
    for envelope in envelopes:
        key = ("slot", envelope.slot) if envelope.slot is not None else ("action", envelope.action)
        groups.setdefault(key, []).append(envelope)
    ends = {group[-1].seq: key for key, group in groups.items()}
    starts = {group[0].seq: key for key, group in groups.items()}
    state, before = tape.state if tape else None, dict[tuple[str, int], Any]()
    finished = dict[tuple[str, int], Passage]()
    for envelope in envelopes:
        if envelope.seq in starts:
            before[starts[envelope.seq]] = state
        state = _evolved(ruleset, state, envelope)
        if envelope.seq in ends:
            key = ends[envelope.seq]
            finished[key] = Passage(envelopes=tuple(groups[key]), before=before[key], after=state)
    yield from sorted(finished.values(), key=lambda passage: passage.number)


def _evolved(ruleset: Ruleset[Any], state: Any, envelope: Envelope) -> Any:
    if envelope.data is None or (
        envelope.type.startswith("core.") and envelope.type != "core.session-opened"
    ):
        return state
    event = codec_for(ruleset).read(envelope.type, envelope.v, envelope.data, envelope.seq)
    if envelope.type == "core.session-opened":
        parameters: Any = event.parameters  # type: ignore[attr-defined]  # the type name says what it is
        return ruleset.record.start(msgspec.json.decode(parameters, type=ruleset.record.parameters))
    return ruleset.record.evolve(state, event)


def entry(ruleset: Ruleset[Any], passage: Passage, viewer: Viewer) -> Entry | None:
    """The entry as this person may see it, or `None` where nothing of it is for them."""
    seen = visible(viewer, passage.envelopes)
    if not seen:
        return None
    events = [_read(ruleset, envelope) for envelope in seen]
    first = passage.number
    taken = next((each for each in zip(seen, events, strict=True) if _is_command(*each, first)), None)
    rolls = [event.roll for event in events if isinstance(getattr(event, "roll", None), Roll)]  # type: ignore[union-attr]
    return Entry(
        number=first,
        slot=seen[0].slot,
        type=_type(taken[1]) if taken else None,
        by=seen[0].by if taken or first == 0 else None,
        at=seen[0].at,
        line=_line(
            ruleset,
            passage.after,
            seen,
            events,
            seen[0].by if taken or first == 0 else By(role="hand unseen"),
        ),
        rolls=tuple(
            EntryRoll(roll=roll.number, source=roll.source, purpose=roll.purpose, dice=roll.dice)
            for roll in rolls
        ),
        revision=max(1, seen[0].revision),
        continues=passage.envelopes[0].slot if passage.envelopes[0].slot not in (None, first) else None,
        answers=tuple(dict.fromkeys(envelope.action for envelope in seen if envelope.action != first)),
        notes=tuple(_notes(seen, events)),
        marks=tuple(_marks(events, rolls)),
        moment=ruleset.record.moment(passage.before) if passage.before is not None else None,
        events=(passage.envelopes[0].seq, passage.envelopes[-1].seq),
    )


def _read(ruleset: Ruleset[Any], envelope: Envelope) -> Event | None:
    if envelope.data is None:
        return None
    return codec_for(ruleset).read(envelope.type, envelope.v, envelope.data, envelope.seq)


def _is_command(envelope: Envelope, event: Event | None, action: int) -> bool:
    return isinstance(event, ActionTaken) and envelope.action == action


def _type(taken: Event | None) -> str | None:
    return msgspec.json.decode(taken.command, type=_Typed).type if isinstance(taken, ActionTaken) else None


class _Typed(msgspec.Struct, frozen=True):
    type: str


def _line(
    ruleset: Ruleset[Any], state: Any, seen: Sequence[Envelope], events: Sequence[Event | None], by: By
) -> str:
    game = [
        event
        for envelope, event in zip(seen, events, strict=True)
        if event is not None and not _core(envelope)
    ]
    words = [ruleset.record.describe(state, game)] if game else _core_words(seen, events, by)
    words += [ruled(event) for event in events if isinstance(event, RulingMade)]
    return "; ".join(word for word in words if word) or f"{name_of(by)} acts"


def _core(envelope: Envelope) -> bool:
    return envelope.type.startswith("core.")


def _core_words(seen: Sequence[Envelope], events: Sequence[Event | None], by: By) -> list[str]:
    main = [event for event in events if not isinstance(event, ActionTaken)]
    if main == [None]:
        return [f"{name_of(seen[0].by)} notes: {WORDS_REMOVED}"]
    own = [event for event in main if event is not None and not isinstance(event, NoteAdded)] or main
    return [told(event, by) for event in own if event is not None]


_WORDS = re.compile(rb"[a-z][a-z0-9_-]*")


def mentions(passage: Passage, viewer: Viewer, who: str) -> bool:
    """Whether what this person may see of an entry names that id."""
    wanted = who.encode()
    return any(
        wanted in _WORDS.findall(envelope.data or b"") for envelope in visible(viewer, passage.envelopes)
    )


def _notes(seen: Sequence[Envelope], events: Sequence[Event | None]) -> Iterator[str]:
    for envelope, event in zip(seen, events, strict=True):
        if isinstance(event, NoteAdded) and event.about == envelope.action:
            yield event.text
        elif event is None and envelope.type == "core.note-added":
            yield WORDS_REMOVED


def _marks(events: Sequence[Event | None], rolls: Sequence[Roll]) -> Iterator[str]:
    rulings = [event for event in events if isinstance(event, RulingMade)]
    if any(ruling.codes for ruling in rulings):
        yield "overruled"
    if any(ruling.question for ruling in rulings):
        yield "ruling"
    if any(roll.source == "table" for roll in rolls):
        yield "table-dice"
