"""A stored event beside what it says, as the checks hand it on."""

from __future__ import annotations

import msgspec

from eventlog.envelope import Envelope
from rulesets.contract import Event


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """An event as it is in the log; `event` is `None` where its words were removed."""

    envelope: Envelope
    event: Event | None
