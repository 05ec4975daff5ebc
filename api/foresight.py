"""What a correction would do, for the person who is about to make it: what it touches, in lines, and the table after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from eventlog.errors import ActionUnknown
from eventlog.history.touching import Revised, Told, Touching
from eventlog.store import Store
from eventlog.tape import Tape
from projections.difference import Difference, difference
from projections.foretold import foretold
from projections.table import state_document
from projections.timeline import timeline_entry
from rulesets.people import Viewer

MOST_LINES = 20
"""Touched actions that are told with their line; of more, the rest by number alone."""


class Touched(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An action a correction touches, its line in the timeline, and the line it would have: what it `becomes`.

    `outcome` is `undone`, `redone`, `amended` or `inserted` for what was asked for, `changes` or `falls` for what
    follows from it, `open` where it depends on dice that would be thrown. `before` and `after` are revisions; none
    is an empty place. `code` and `message` are the refusal of what falls; `dropped` are answers and book-keeping
    that lose their place, `replaced` tells that recommended answers stand in for some. `dice` are the faces of
    the roll for `purpose`, with null for those that would be thrown; of an action you may not see, none are told.
    """

    action: int
    outcome: str
    line: str | None = None
    becomes: str | None = None
    before: int | None = None
    after: int | None = None
    code: str | None = None
    message: str = ""
    dropped: tuple[int, ...] = ()
    replaced: bool = False
    purpose: str | None = None
    dice: tuple[int | None, ...] = ()


class Foreseen(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction would do now. `difference` tells the table apart; null where dice would be thrown."""

    dry_run: bool
    version: int
    targets: tuple[Touched, ...]
    consequences: tuple[Touched, ...]
    difference: Difference | None


def foreseen(store: Store, tape: Tape[Any], told: Told, viewer: Viewer) -> Foreseen:
    """A correction that was only told, for this person's eyes."""
    targets, consequences = told.targets, told.consequences
    lines = with_lines(store, tape, viewer, [*targets, *consequences], told.revised)
    return Foreseen(
        dry_run=True,
        version=tape.version,
        targets=lines[: len(targets)],
        consequences=lines[len(targets) :],
        difference=_difference(tape, told, viewer),
    )


def _difference(tape: Tape[Any], told: Told, viewer: Viewer) -> Difference | None:
    if told.state is None:
        return None
    after = msgspec.structs.replace(tape, state=told.state)
    return difference(state_document(tape, viewer), state_document(after, viewer))


def with_lines(
    store: Store, tape: Tape[Any], viewer: Viewer, touchings: Sequence[Touching], revised: Iterable[Revised]
) -> tuple[Touched, ...]:
    """Touched actions with their lines: the first with those they have and would have, the rest by number."""
    anew = {each.slot: each for each in revised}
    lined = (_lined(store, tape, viewer, each, anew.get(each.action)) for each in touchings[:MOST_LINES])
    unlined = (
        _lined(store, tape, viewer, each, None) if each.dice else _touched(each)
        for each in touchings[MOST_LINES:]
    )
    return (*lined, *unlined)


def _lined(
    store: Store, tape: Tape[Any], viewer: Viewer, touching: Touching, revised: Revised | None
) -> Touched:
    """With its lines, or without the faces of an action this person may not see; what is put in has no line yet."""
    becomes = foretold(tape, revised, viewer) if revised else None
    try:
        line = timeline_entry(store, tape.session, viewer, touching.action).line
    except ActionUnknown:
        if touching.outcome == "inserted":
            return _touched(touching, becomes=becomes)
        return _touched(msgspec.structs.replace(touching, purpose=None, dice=()), becomes=becomes)
    return _touched(touching, line, becomes if becomes != line else None)


def _touched(touching: Touching, line: str | None = None, becomes: str | None = None) -> Touched:
    return Touched(**msgspec.structs.asdict(touching), line=line, becomes=becomes)
