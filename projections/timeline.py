"""The timeline: the readable list of what happened, paged both ways and searched, as one person may see it."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from eventlog.audience import visible
from eventlog.errors import ActionUnknown
from eventlog.history.points import tape_at
from eventlog.history.reading import Past, stretch
from eventlog.store import Store
from eventlog.tape import CHECKPOINT_EVERY
from projections.entries import Entry, entry, with_notes
from projections.naming import Game
from projections.passages import Passage, as_seen, kinds, mentions
from projections.reading import Reader
from rulesets.people import Viewer

MOST_READ = 2000
"""Actions one page reads at most in search of entries, so that no page costs more in a longer session."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries somebody looks for; `None` means any."""

    character: str | None = None
    kind: str | None = None
    round: int | None = None
    undone: bool | None = None
    text: str | None = None


EVERYTHING = Wanted()


class TimelinePage(msgspec.Struct, frozen=True, kw_only=True):
    """Entries in the order of their numbers; `next` and `previous` are the numbers to go on `after` and `before`."""

    actions: tuple[Entry, ...]
    next: int | None
    previous: int | None
    version: int


def timeline(  # noqa: PLR0913 - where from, how many, and what to look for are each one question
    store: Store,
    session: str,
    viewer: Viewer,
    *,
    after: int | None = None,
    before: int | None = None,
    limit: int = 50,
    wanted: Wanted = EVERYTHING,
) -> TimelinePage:
    """A page of the timeline: from the beginning, `after` a number, or the last ones `before` a number.

    One page reads at most `MOST_READ` actions, unless it searches for a text: where little is found, a page may
    be short and still have a `next` or `previous` to go on from.
    """
    past = Past(store, tape_at(store, session))
    head, reader = past.tape, _Walk(past, Reader.of(past), viewer, wanted)
    if before is not None:
        found, stopped = reader.down(min(before, head.action + 1) - 1, limit)
        page = found[:limit][::-1]
        previous = page[0].number if len(found) > limit else stopped
        following = page[-1].number if page and page[-1].number < head.action else None
    else:
        start = 0 if after is None else max(0, after + 1)
        found, stopped = reader.up(start, head.action, limit)
        page = found[:limit]
        following = page[-1].number if len(found) > limit else stopped
        previous = start if start > 0 else None
    entries = _with_notes(store, session, viewer, page)
    return TimelinePage(actions=entries, next=following, previous=previous, version=head.version)


def timeline_entry(store: Store, session: str, viewer: Viewer, number: int) -> Entry:
    """The entry of one action; an answer has one of its own here, which names the action it `continues`.

    Raises `ActionUnknown` for a number that is not there for this person.
    """
    past = Past(store, tape_at(store, session))
    if 0 <= number <= past.tape.action:
        passage = _passage(past, number)
        found = entry(past.ruleset, passage, viewer) if passage else None
        if found is not None:
            return _with_notes(store, session, viewer, [found])[0]
    raise ActionUnknown.of(number)


def _passage(past: Past, number: int) -> Passage | None:
    first = past.action(number)[0]
    slot = number if first.slot is None else first.slot
    envelopes = stretch(past.log, past.tape.session, slot, number, past.tape.action)
    reader = Reader.of(past)
    found = next((each for each in reader.passages(envelopes, slot, number) if each.number == number), None)
    return found or reader.alone(envelopes, slot, number)


# --- walking ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Walk:
    """Walks the timeline one way, from checkpoint to checkpoint, for entries that are wanted.

    Both ways answer the entries found, one more than the limit where there are more, and the number where
    the reader gave up before the end, to go on from.
    """

    past: Past
    reader: Reader
    viewer: Viewer
    wanted: Wanted

    def up(self, start: int, last: int, limit: int) -> tuple[list[Entry], int | None]:
        """Entries from a number on, rising."""
        found, first = list[Entry](), start
        while start <= last and len(found) <= limit:
            if self._has_read_enough(start - first):
                return found, start - 1
            end = min(last, start - start % CHECKPOINT_EVERY + CHECKPOINT_EVERY)
            found += self._seen(start, end)
            start = end + 1
        return found[: limit + 1], None

    def down(self, end: int, limit: int) -> tuple[list[Entry], int | None]:
        """Entries from a number back, falling."""
        found, first = list[Entry](), end
        while end >= 0 and len(found) <= limit:
            if self._has_read_enough(first - end):
                return found, end + 1
            start = max(0, (end - 1) // CHECKPOINT_EVERY * CHECKPOINT_EVERY + 1)
            found += reversed(self._seen(start, end))
            end = start - 1
        return found[: limit + 1], None

    def _has_read_enough(self, actions: int) -> bool:
        return self.wanted.text is None and actions >= MOST_READ

    def _seen(self, start: int, end: int) -> list[Entry]:
        past = self.past
        envelopes = stretch(past.log, past.tape.session, start, end, past.tape.action)
        found = self.reader.passages(envelopes, start, end)
        return _seen(past, found, self.viewer, self.wanted)


def _with_notes(store: Store, session: str, viewer: Viewer, page: list[Entry]) -> tuple[Entry, ...]:
    """The entries of a page with what was noted about them since."""
    if not page:
        return ()
    last = max((page[-1].number, *(number for entry in page for number in entry.answers)))
    notes = visible(viewer, store.notes_about(session, page[0].number, last))
    return tuple(with_notes(entry, notes) for entry in page)


def _seen(past: Past, every: list[Passage], viewer: Viewer, wanted: Wanted) -> list[Entry]:
    found = [known for passage in every if (known := as_seen(passage, viewer)) is not None]
    if wanted.character is not None:
        game = Game(past.tape.ruleset, past.tape.rules)
        found = [passage for passage in found if mentions(passage, viewer, wanted.character, game)]
    if wanted.kind is not None:
        found = [passage for passage in found if wanted.kind in kinds(past.ruleset, passage, viewer)]
    entries = (entry(past.ruleset, passage, viewer) for passage in found)
    return [each for each in entries if each is not None and _fits(each, wanted)]


# --- searching ----------------------------------------------------------------------------------------------


def _fits(entry: Entry, wanted: Wanted) -> bool:
    return (
        (wanted.round is None or (entry.moment is not None and entry.moment.round == wanted.round))
        and (wanted.undone is None or wanted.undone == (entry.status == "undone"))
        and (wanted.text is None or wanted.text.casefold() in _words(entry).casefold())
    )


def _words(entry: Entry) -> str:
    return "\n".join((entry.line, *(note.text for note in entry.notes)))
