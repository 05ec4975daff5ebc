"""Standard Webhooks: a signed message for each event, `{type, timestamp, data}`."""

from __future__ import annotations

import msgspec

from api.webhooks.letters import Letter, Parcel, Verdict, asked_wait, is_wanted
from api.webhooks.sending import Answered
from eventlog.audience import visible
from eventlog.envelope import Envelope
from eventlog.frames import shown
from eventlog.hooks import Hook
from eventlog.store import Store

TRIAL = "tabletape.test"
EVENTS_AT_ONCE = 50
_encode = msgspec.json.Encoder().encode


class StandardFormat:
    """A message for each event its viewer may see."""

    signs = True

    def parcel(self, store: Store, hook: Hook, session: str, after: int) -> Parcel | None:
        """The next event for this hook. Read anew for each, so that removed words do not go out late."""
        events = store.envelopes(session, after, EVENTS_AT_ONCE)
        if not events:
            return None
        for event in visible(hook.viewer, events):
            if is_wanted(hook, event):
                return Parcel(upto=event.seq, letters=(Letter(seq=event.seq, body=message(event)),))
        return Parcel(upto=events[-1].seq)

    def judge(self, letter: Letter, answered: Answered) -> Verdict:
        """2xx took it, 410 wants no more, 429 asks for patience; all else failed."""
        del letter
        wait = asked_wait(answered)
        if answered.is_good:
            return Verdict(outcome="delivered")
        if answered.status == 410:
            return Verdict(outcome="gone")
        if answered.status == 429 and wait is not None:
            return Verdict(outcome="held", wait=wait)
        return Verdict(outcome="failed", wait=wait or 0.0)

    def trial(self, hook: Hook, at: str) -> Letter:
        """A message of the type `tabletape.test`."""
        told = {"webhook": hook.id, "session": hook.session}
        return Letter(seq=0, body=_encode({"type": TRIAL, "timestamp": at, "data": told}))


def message(event: Envelope) -> bytes:
    """The body about an event: the event as it is read from the log."""
    return _encode({"type": event.type, "timestamp": event.at, "data": shown(event)})
