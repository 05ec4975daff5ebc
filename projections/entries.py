"""Entries of the timeline: what people read of one place in the story, its answers folded in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from eventlog.audience import visible
from eventlog.codec import codec_for
from eventlog.core import ActionTaken, NoteAdded, RulingMade
from eventlog.corrections import ActionRevised
from eventlog.envelope import By, Envelope
from eventlog.history.stock import address_of
from projections.lines import EntryRewording, in_words, is_sent_along, line_of, only_removed
from projections.passages import Passage, as_seen
from projections.steps import NOTE, type_of
from projections.telling import SOMEBODY, WORDS_REMOVED
from rulesets.contract import Event, Moment, Ruleset
from rulesets.dice import Roll
from rulesets.people import EVERYONE, Viewer


class EntryDie(msgspec.Struct, frozen=True, kw_only=True):
    """One die on the table: its face, where it came from, how many sides it has."""

    face: int
    origin: str
    sides: int


class EntryRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll as the timeline shows it; `roll` is its number."""

    roll: int
    source: Literal["server", "table"]
    purpose: str
    dice: tuple[EntryDie, ...]


class EntryNote(msgspec.Struct, frozen=True, kw_only=True):
    """Words about an action: sent along with it, or noted as action `number`."""

    number: int
    by: By
    at: str
    text: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the timeline and what is behind it.

    `answers` are the numbers of the actions folded into it, `continues` the action an answer belongs to.
    `events` are the first and last `seq` of what may be seen. `type` is that of the command, `None` where only a
    consequence of it may be seen; `by` is who took the action, `None` where no event that may be seen says so. An `undone` entry is no part of the story any more; `revision` is
    the one shown, `changed_by` are the corrections that touched it, `earlier` rolls that fell for it before and
    are not part of it now. `marks` are `inserted` for a forgotten action, `overruled`, `ruling`,
    `table-dice`, `redrawn` for the dice of an undone action that fell again, and `private` for what not everybody
    sees. `before` is the action that a forgotten one was put in before; `reworded` are the lines that an amendment was
    asked for, as they were and as they are now.
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
    earlier: tuple[EntryRoll, ...] = ()
    continues: int | None = None
    answers: tuple[int, ...] = ()
    notes: tuple[EntryNote, ...] = ()
    marks: tuple[str, ...] = ()
    moment: Moment | None = None
    before: int | None = None
    reworded: tuple[EntryRewording, ...] = ()
    events: tuple[int, int]


def entry(ruleset: Ruleset[Any], passage: Passage, viewer: Viewer) -> Entry | None:
    """The entry as this person may see it, or `None` where nothing of it is for them."""
    known = as_seen(passage, viewer)
    return None if known is None else _entry(ruleset, known, viewer)


def _entry(ruleset: Ruleset[Any], passage: Passage, viewer: Viewer) -> Entry:
    seen = visible(viewer, passage.envelopes)
    codec = codec_for(ruleset)
    events = [codec.event(envelope) for envelope in seen]
    number, slot = passage.number, passage.slot
    taken = next(
        (event for each, event in zip(seen, events, strict=True) if _is_command(each, event, number)), None
    )
    signed = taken is not None or _is_signed(passage, viewer)
    by = passage.origin.by if signed else SOMEBODY
    before, reworded = _put_in(passage, viewer), tuple(_reworded(ruleset, passage, viewer))
    rolls = [event.roll for event in events if isinstance(getattr(event, "roll", None), Roll)]  # type: ignore[union-attr]
    return Entry(
        number=number,
        slot=slot,
        type=type_of(taken),
        by=by if signed else None,
        at=passage.origin.at,
        line=line_of(ruleset, passage, seen, events, by, in_words(reworded))
        + ("" if before is None else f" (put in before action {before})"),
        rolls=tuple(_roll(roll) for roll in rolls),
        status="standing" if passage.standing else "undone",
        revision=max(1, seen[0].revision),
        changed_by=passage.changed_by,
        earlier=_earlier(ruleset, passage, viewer, rolls),
        continues=slot if slot != number and type_of(taken) in passage.answering else None,
        answers=tuple(dict.fromkeys(n for n in map(_asked_as, seen, events) if n not in (None, number))),
        notes=tuple(_notes(seen, events)),
        marks=tuple(_marks(passage, seen, events, rolls)),
        moment=_moment(ruleset, passage),
        before=before,
        reworded=reworded,
        events=(seen[0].seq, seen[-1].seq),
    )


def _is_signed(passage: Passage, viewer: Viewer) -> bool:
    """Whether any event of the action as it was taken says to this person who took it."""
    told = visible(viewer, (*passage.envelopes, *passage.earlier))
    return any(each.action == passage.origin.action for each in told)


def _put_in(passage: Passage, viewer: Viewer) -> int | None:
    """The action it was put in before, as far as both may be seen."""
    put_in = passage.put_in
    if put_in is None or not visible(viewer, [put_in.said]) or not visible(viewer, put_in.there):
        return None
    return put_in.before


def _reworded(ruleset: Ruleset[Any], passage: Passage, viewer: Viewer) -> Iterator[EntryRewording]:
    """Lines that a correction made others, as this person may read them before and after it."""
    for each in passage.reworded:
        if visible(viewer, [each.said]):
            was, now = (
                None if told is None or (read := entry(ruleset, told, viewer)) is None else read.line
                for told in (each.was, each.now)
            )
            if was != now:
                yield EntryRewording(number=each.number, was=was, now=now)


def _asked_as(envelope: Envelope, event: Event | None) -> int | None:
    """The number of the action this belongs to; what a correction wrote anew says so at its beginning alone."""
    if isinstance(event, ActionRevised):
        return event.action
    return envelope.action if envelope.revision == 1 or isinstance(event, ActionTaken) else None


def _earlier(
    ruleset: Ruleset[Any], passage: Passage, viewer: Viewer, rolls: Sequence[Roll]
) -> tuple[EntryRoll, ...]:
    """Rolls of other revisions with a die that is none of those shown."""
    shown = {address for roll in rolls for address in _addresses(roll)}
    codec, found = codec_for(ruleset), dict[tuple[int, tuple[int, ...]], Roll]()
    for envelope in visible(viewer, passage.earlier):
        roll = getattr(codec.event(envelope), "roll", None)
        if isinstance(roll, Roll) and not set(_addresses(roll)) <= shown:
            found.setdefault((roll.number, tuple(die.face for die in roll.dice)), roll)
    return tuple(_roll(roll) for roll in found.values())


def _addresses(roll: Roll) -> list[tuple[int, int]]:
    return [address_of(roll, place) for place in range(1, len(roll.dice) + 1)]


def _roll(roll: Roll) -> EntryRoll:
    dice = tuple(EntryDie(face=die.face, origin=die.origin, sides=die.sides) for die in roll.dice)
    return EntryRoll(roll=roll.number, source=roll.source, purpose=roll.purpose, dice=dice)


def _moment(ruleset: Ruleset[Any], passage: Passage) -> Moment | None:
    """Where in the story it was done; what begins a conflict belongs to the round it begins."""
    before = None if passage.before is None else ruleset.record.moment(passage.before)
    return before or ruleset.record.moment(passage.after)


def _is_command(envelope: Envelope, event: Event | None, action: int) -> bool:
    return isinstance(event, ActionTaken | ActionRevised) and _asked_as(envelope, event) == action


def _notes(seen: Sequence[Envelope], events: Sequence[Event | None]) -> Iterator[EntryNote]:
    if only_removed(events):
        return
    for envelope, event in zip(seen, events, strict=True):
        if isinstance(event, NoteAdded) and is_sent_along(envelope, event):
            yield _note(envelope, event.text)
        elif event is None and envelope.type == NOTE:
            yield _note(envelope, WORDS_REMOVED)


def _note(envelope: Envelope, text: str) -> EntryNote:
    return EntryNote(number=envelope.action, by=envelope.by, at=envelope.at, text=text)


def with_notes(entry: Entry, notes: Sequence[Envelope]) -> Entry:
    """The entry with what was noted about it later, of notes this person may see."""
    about = {entry.number, *entry.answers}
    own = {note.number for note in entry.notes}
    added = [
        _note(envelope, event.text)
        for envelope in notes
        if envelope.data is not None and envelope.action not in own
        for event in [msgspec.json.decode(envelope.data, type=NoteAdded)]
        if event.about in about
    ]
    return msgspec.structs.replace(entry, notes=(*entry.notes, *added)) if added else entry


def _marks(
    passage: Passage, seen: Sequence[Envelope], events: Sequence[Event | None], rolls: Sequence[Roll]
) -> Iterator[str]:
    if passage.inserted:
        yield "inserted"
    rulings = [event for event in events if isinstance(event, RulingMade)]
    if any(ruling.codes for ruling in rulings):
        yield "overruled"
    if any(ruling.question for ruling in rulings):
        yield "ruling"
    if any(roll.source == "table" for roll in rolls):
        yield "table-dice"
    if any(isinstance(event, ActionTaken) and event.redraws is not None for event in events):
        yield "redrawn"
    if seen[0].audience != EVERYONE:
        yield "private"
