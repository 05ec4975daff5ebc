"""A check of a stored log as one reader may know it: all of it is checked, and nothing hidden is counted or named."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from eventlog.audience import visible
from eventlog.envelope import Envelope
from eventlog.logs import Logs, pages
from eventlog.verification.forks import REMOVED_THERE
from eventlog.verification.report import Checked, Fault, Found, Verification
from eventlog.verification.thrown import Dice
from eventlog.verification.verifying import verify
from rulesets.people import Viewer


def verify_for(logs: Logs, session: str, viewer: Viewer) -> Verification:
    """What `verify` finds, for one reader. The GM is told everything; others no number that counts what is hidden.

    Raises `SessionUnknown`.
    """
    found = verify(logs, session)
    if viewer.role == "gm":
        return found
    head = logs.head(session)
    everything, shown = Dice(head.log, whole=False), Dice(head.log, whole=False)
    removed: list[int] = []
    for events in pages(logs, session, found.checked.events):
        seen = visible(viewer, events)
        _throw(everything, events)
        _throw(shown, seen)
        removed += [event.seq for event in seen if event.data is None]
    everything.finish()
    shown.finish()
    untold = set(everything.notes) - set(shown.notes)
    if head.parent is None or not any(seq <= head.parent.version for seq in removed):
        untold |= {note for note in found.notes if note.startswith(REMOVED_THERE)}
    return replace(
        found,
        checked=Checked(
            events=found.checked.events,
            actions=None,
            dice=shown.compared,
            redecided=None,
            redacted=tuple(removed),
        ),
        first_fault=found.first_fault and _fault(logs, session, viewer, found.first_fault),
        notes=tuple(note for note in found.notes if note not in untold),
    )


def _throw(dice: Dice, events: Iterable[Envelope]) -> None:
    for event in events:
        try:
            dice.see(event)
        except Found:  # `verify` has found it as well, and says so
            return


def _fault(logs: Logs, session: str, viewer: Viewer, fault: Fault) -> Fault:
    """The fault; at an event this reader may not see, only that it is there."""
    try:
        events = logs.envelopes(session, fault.seq - 1, 1)
    except (msgspec.MsgspecError, ValueError):  # then nobody can say who may see it
        events = []
    if not events or events[0].seq != fault.seq or visible(viewer, events):
        return fault
    return Fault(
        seq=fault.seq,
        action=None,
        field="hidden",
        message=f"Event {fault.seq}, which you may not see, is not as it was recorded",
    )
