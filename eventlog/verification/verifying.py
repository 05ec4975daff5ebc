"""All checks of a log: as it was recorded, and as it was decided; what is said is where it goes wrong first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from eventlog.envelope import Envelope
from eventlog.history.copied import CopiedLog
from eventlog.logs import Logs, pages
from eventlog.verification.as_corrected import spoilt_table
from eventlog.verification.as_recorded import AsRecorded
from eventlog.verification.chained import End, Link
from eventlog.verification.forks import Forks, log_of, removed_in
from eventlog.verification.in_actions import InActions
from eventlog.verification.kept import as_kept
from eventlog.verification.report import Checked, Fault, Found, Verification
from eventlog.verification.side_by_side import side_by_side
from eventlog.verification.stretches import stretches, walked
from eventlog.verification.thrown import Dice
from eventlog.verification.walking import Walk, Walked
from rulesets.contract import Ruleset
from rulesets.errors import RulesetNotInstalled
from rulesets.installed import ruleset_named

UNTOLD = "The table and the decisions were not checked"
HIDDEN = "Some events are hidden from the reader of this copy: the chain and the dice shown were checked"


def verify(logs: Logs, session: str, *, redecide: bool = True) -> Verification:
    """Check a stored session: chain, order, head, checkpoints, dice, and that its commands lead to its events.

    Also that the store lists it as its log says, and keeps the seed that was promised.

    Raises `SessionUnknown`; whatever is wrong with the log is in the answer.
    """
    head = logs.head(session)
    log = AsRecorded(
        session,
        Dice(head.log),
        Forks(session, head.log),
        InActions(),
        lambda seq: removed_in(logs, session, seq),
    )
    events, end = as_kept(logs, head, _stored(logs, session, head.version)), (head.version, head.hash)
    try:
        ruleset_named(head.ruleset)
    except RulesetNotInstalled as error:
        found = _verification(log, log.fault(events, end), (), f"{UNTOLD}: {error}")
        return replace(found, undecided="ruleset")
    parts = stretches(logs, session, head.action, redecide=redecide)
    with side_by_side(logs, parts) as both:
        fault = log.fault(events, end)
        if fault is None:
            found = _verification(log, None, both.finish())
            spoilt = spoilt_table(logs, session) if found.ok else None
            return found if spoilt is None else replace(found, ok=False, first_fault=spoilt)
    parts = stretches(logs, session, log.whole, redecide=redecide)
    return _verification(log, fault, (walked(logs, part) for part in parts))


def verify_envelopes(  # noqa: PLR0913 - how far, and how closely
    ruleset: Ruleset[Any] | None,
    session: str,
    events: Sequence[Link],
    *,
    end: End | None = None,
    redecide: bool = True,
    walker: type[Walk] = Walk,
) -> Verification:
    """Check a log outside of any store, perhaps with hidden events; `end` is the version and hash it should reach.

    `walker` decides again. Without a ruleset, or where events are hidden, what needs them is not checked, and the answer says so.
    """
    shown = [event for event in events if isinstance(event, Envelope)]
    whole = len(shown) == len(events)
    forks = Forks(session, log_of(session, shown))
    log = AsRecorded(session, Dice(forks.log, whole=whole), forks, InActions(whole), forks.owner)
    fault = log.fault(events, end)
    if not whole:
        return replace(_verification(log, fault, (), HIDDEN), undecided="hidden")
    if ruleset is None:
        found = _verification(log, fault, (), f"{UNTOLD}: the ruleset is not installed here")
        return replace(found, undecided="ruleset")
    walk = walker(session=session, ruleset=ruleset, log=CopiedLog(session, shown), redecide=redecide)
    told = walk.over(list(action) for number, action in groupby(shown, _action) if number <= log.whole)
    return _verification(log, fault, [told])


def _verification(log: AsRecorded, fault: Fault | None, walks: Iterable[Walked], *notes: str) -> Verification:
    """What all checks came to: the fault is the earliest one, and nothing after it counts."""
    told: list[Walked] = []
    for walk in walks:
        told.append(walk)
        if walk.fault is not None:
            fault = walk.fault if fault is None else min(walk.fault, fault, key=attrgetter("seq"))
            break
    said = dict.fromkeys(note for walk in told for note in walk.notes)
    return Verification(
        ok=fault is None,
        checked=Checked(
            events=log.events,
            actions=sum(walk.actions for walk in told),
            dice=log.dice.compared,
            redecided=sum(walk.redecided for walk in told),
            redacted=tuple(event.seq for event in log.removed),
        ),
        first_fault=fault,
        notes=(*notes, *said, *log.notes, *log.dice.notes),
        undecided="rules" if any(walk.undecided for walk in told) else None,
    )


_action = attrgetter("action")


def _stored(logs: Logs, session: str, version: int) -> Iterator[Envelope]:
    """The events of a store up to a version; one it cannot even read is a fault of that event."""
    after = 0
    try:
        for events in pages(logs, session, version):
            yield from events
            after = events[-1].seq
    except (msgspec.MsgspecError, ValueError):
        yield from _one_by_one(logs, session, after, version)


def _one_by_one(logs: Logs, session: str, after: int, version: int) -> Iterator[Envelope]:
    """The events of a page that cannot be read, up to the one it is. Raises `Found` there."""
    for seq in range(after + 1, version + 1):
        try:
            yield from logs.envelopes(session, seq - 1, 1)
        except (msgspec.MsgspecError, ValueError) as error:
            raise Found(seq, None, "row", f"Event {seq} cannot be read from the store") from error
