"""The last roll: where an overlay begins, so that it shows one at once and does not read a whole evening."""

from __future__ import annotations

from eventlog.audience import visible
from eventlog.store import Store
from rulesets.people import Viewer

ROLL = b'"roll":{'
MOST_READ, AT_ONCE = 4096, 256


def before_last_roll(store: Store, session: str, viewer: Viewer) -> int:
    """The `seq` right before the last roll somebody may see; the end of the log where there was none lately.

    Rolls that a correction decided anew are not the last ones: their place in the story is an earlier one.
    """
    end = store.head(session).version
    for last in range(end, max(0, end - MOST_READ), -AT_ONCE):
        first = max(0, last - AT_ONCE)
        seen = visible(viewer, store.envelopes(session, first, last - first))
        rolls = [event.seq for event in seen if event.revision == 1 and ROLL in (event.data or b"")]
        if rolls:
            return rolls[-1] - 1
    return end
