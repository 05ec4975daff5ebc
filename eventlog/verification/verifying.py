"""All checks of a log, in one walk from its first event to its last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from eventlog.envelope import Envelope
from eventlog.frames import HiddenFrame
from eventlog.history.copied import AsLogged, CopiedLog
from eventlog.store import Store
from eventlog.verification.chained import End, Link, chained
from eventlog.verification.forks import Forks, log_of, removed_in
from eventlog.verification.kept import as_kept
from eventlog.verification.report import Found, Verification
from eventlog.verification.thrown import Dice
from eventlog.verification.walking import Walk
from rulesets.contract import Ruleset
from rulesets.errors import RulesetNotInstalled
from rulesets.installed import ruleset_named

EVENTS_AT_ONCE = 512


def verify(store: Store, session: str, *, redecide: bool = True) -> Verification:
    """Check a stored session: chain, order, head, checkpoints, dice, and that its commands lead to its events.

    Also that the store lists it as its log says, and keeps the seed that was promised.

    Raises `SessionUnknown`; whatever is wrong with the log is in the answer.
    """
    head, ruleset, notes = store.head(session), None, list[str]()
    try:
        ruleset = ruleset_named(head.ruleset)
    except RulesetNotInstalled as error:
        notes.append(f"The table and the decisions were not checked: {error}")
    walk = Walk(
        session=session,
        ruleset=ruleset,
        log=AsLogged(store),
        redecide=redecide,
        dice=Dice(head.log),
        forks=Forks(session, head.log),
        removed_in=lambda seq: removed_in(store, session, seq),
    )
    walk.checkpoints.update(_checkpoints(store, session, head.action))
    events = as_kept(store, head, _stored(store, session, head.version))
    return _verified(walk, events, (head.version, head.hash), notes)


def verify_envelopes(
    ruleset: Ruleset[Any] | None,
    session: str,
    events: Sequence[Link],
    *,
    end: End | None = None,
    redecide: bool = True,
) -> Verification:
    """Check a log outside of any store, perhaps with hidden events; `end` is the version and hash it should reach.

    Without a ruleset, or where events are hidden, what needs them is not checked, and the answer says so.
    """
    whole, notes = not any(isinstance(event, HiddenFrame) for event in events), []
    if not whole:
        ruleset = None
        notes.append(
            "Some events are hidden from the reader of this copy: the chain and the dice shown were checked"
        )
    elif ruleset is None:
        notes.append("The ruleset is not installed here: the table and the decisions were not checked")
    shown = [event for event in events if isinstance(event, Envelope)]
    forks = Forks(session, log_of(session, shown))
    walk = Walk(
        session=session,
        ruleset=ruleset,
        log=CopiedLog(session, shown),
        redecide=redecide,
        dice=Dice(forks.log, whole=whole),
        forks=forks,
        removed_in=forks.owner,
    )
    return _verified(walk, events, end, notes)


def _checkpoints(store: Store, session: str, last: int) -> Iterator[tuple[int, bytes]]:
    while last >= 0 and (kept := store.checkpoint(session, last)):
        yield kept.action, kept.tape
        last = kept.action - 1


def _verified(walk: Walk, events: Iterable[Link], end: End | None, notes: Sequence[str] = ()) -> Verification:
    fault = None
    try:
        for _, action in groupby(chained(walk.session, walk.forks.log, events, end), key=_action):
            walk.see(list(action))
        walk.finish()
    except Found as found:
        fault = found.fault
    return Verification(
        ok=fault is None,
        checked=walk.checked(),
        first_fault=fault,
        notes=(*notes, *walk.notes, *walk.dice.notes),
    )


def _action(event: Link) -> int | None:
    return event.action if isinstance(event, Envelope) else None


def _stored(store: Store, session: str, version: int) -> Iterator[Envelope]:
    """The events of a store up to a version; one it cannot even read is a fault of that event."""
    after = 0
    while after < version:
        try:
            events = store.envelopes(session, after, min(EVENTS_AT_ONCE, version - after))
        except (msgspec.MsgspecError, ValueError):
            events = list(_until_unreadable(store, session, after))
        if not events:
            return
        yield from events
        after = events[-1].seq


def _until_unreadable(store: Store, session: str, after: int) -> Iterator[Envelope]:
    seq = after
    while True:
        seq += 1
        try:
            yield from store.envelopes(session, seq - 1, 1)
        except (msgspec.MsgspecError, ValueError) as error:
            if seq == after + 1:
                message = f"Event {seq} cannot be read from the store"
                raise Found(seq, None, "row", message) from error
            return
