"""The timeline: the readable list of what happened, paged both ways and searched, as one person may see it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from eventlog.envelope import Envelope
from eventlog.errors import ActionUnknown
from eventlog.store import Store
from eventlog.tape import CHECKPOINT_EVERY, tape_at
from projections.entries import Entry, Passage, entry, mentions, passages
from rulesets.contract import Ruleset, Viewer
from rulesets.installed import ruleset_named

LOOK_AHEAD = 8
"""Actions read beyond a stretch for the answers that belong to its last entry; doubled while more are found."""


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
    """A page of the timeline: from the beginning, `after` a number, or the last ones `before` a number."""
    head = store.head(session)
    if before is not None:
        found = list(
            islice(_entries_down(store, session, viewer, min(before, head.action + 1), wanted), limit + 1)
        )
        more, page = len(found) > limit, found[:limit][::-1]
        following = page[-1].number if page and page[-1].number < head.action else None
        previous = page[0].number if more else None
    else:
        start = 0 if after is None else after + 1
        found = list(islice(_entries_up(store, session, viewer, start, wanted), limit + 1))
        more, page = len(found) > limit, found[:limit]
        following = page[-1].number if more else None
        previous = page[0].number if page and page[0].number > 0 else None
    return TimelinePage(actions=tuple(page), next=following, previous=previous, version=head.version)


def timeline_entry(store: Store, session: str, viewer: Viewer, number: int) -> Entry:
    """The entry of one action; an answer has one of its own here, which names the action it `continues`.

    Raises `ActionUnknown` for a number that is not there for this person.
    """
    head = store.head(session)
    if 0 <= number <= head.action:
        ruleset = ruleset_named(head.ruleset)
        first = store.actions(session, number, number)
        own = first[0].slot in (None, number)
        passage = (
            _stretch(store, ruleset, session, number, number)[0] if own else _answer(store, session, first)
        )
        found = entry(ruleset, passage, viewer)
        if found is not None:
            return found
    raise ActionUnknown(f"There is no action {number}", action=number)


def _answer(store: Store, session: str, envelopes: list[Envelope]) -> Passage:
    number = envelopes[0].action
    before, after = (tape_at(store, session, action).state for action in (number - 1, number))
    return Passage(envelopes=tuple(envelopes), before=before, after=after)


# --- walking ------------------------------------------------------------------------------------------------


def _entries_up(store: Store, session: str, viewer: Viewer, start: int, wanted: Wanted) -> Iterator[Entry]:
    head = store.head(session)
    ruleset, last = ruleset_named(head.ruleset), head.action
    while start <= last:
        end = min(last, start - start % CHECKPOINT_EVERY + CHECKPOINT_EVERY)
        yield from _seen(ruleset, _stretch(store, ruleset, session, start, end), viewer, wanted)
        start = end + 1


def _entries_down(store: Store, session: str, viewer: Viewer, before: int, wanted: Wanted) -> Iterator[Entry]:
    ruleset = ruleset_named(store.head(session).ruleset)
    end = before - 1
    while end >= 0:
        start = max(0, (end - 1) // CHECKPOINT_EVERY * CHECKPOINT_EVERY + 1)
        yield from reversed(_seen(ruleset, _stretch(store, ruleset, session, start, end), viewer, wanted))
        end = start - 1


def _stretch(store: Store, ruleset: Ruleset[Any], session: str, first: int, last: int) -> list[Passage]:
    """The passages of the entries numbered first to last, each with all its answers."""
    envelopes, ahead = store.actions(session, first, last), last
    reach = LOOK_AHEAD
    while _may_go_on(envelopes, last) and (more := store.actions(session, ahead + 1, ahead + reach)):
        envelopes += more
        ahead, reach = ahead + reach, reach * 2
    tape = tape_at(store, session, first - 1) if first else None
    return [
        passage
        for passage in passages(ruleset, tape, envelopes)
        if first <= passage.number <= last and passage.envelopes[0].slot in (None, passage.number)
    ]


def _may_go_on(envelopes: list[Envelope], last: int) -> bool:
    """Whether answers to the last entry may still come: none do once a later slot has begun."""
    return all(envelope.slot is None or envelope.slot <= last for envelope in reversed(envelopes))


def _seen(ruleset: Ruleset[Any], found: list[Passage], viewer: Viewer, wanted: Wanted) -> list[Entry]:
    if wanted.character is not None:
        found = [passage for passage in found if mentions(passage, viewer, wanted.character)]
    entries = (entry(ruleset, passage, viewer) for passage in found)
    return [each for each in entries if each is not None and _fits(each, wanted)]


# --- searching ----------------------------------------------------------------------------------------------


def _fits(entry: Entry, wanted: Wanted) -> bool:
    return (
        (wanted.kind is None or entry.type == wanted.kind)
        and (wanted.round is None or (entry.moment is not None and entry.moment.round == wanted.round))
        and (wanted.undone is None or wanted.undone == (entry.status == "undone"))
        and (wanted.text is None or wanted.text.casefold() in " ".join((entry.line, *entry.notes)).casefold())
    )
