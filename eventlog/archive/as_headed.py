"""Whether the first line of a copy says what the log below it says: a header alone is anybody's word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from eventlog.archive.header import COMPLETE_FOR, Header
from eventlog.audience import may_be_seen
from eventlog.core import SessionForked, SessionOpened
from eventlog.envelope import Envelope
from eventlog.frames import HiddenFrame
from eventlog.verification import Fault
from eventlog.verification.chained import ROLES, Link
from eventlog.verification.forks import forks_in, log_of
from eventlog.verification.thrown import OPENED

HEADER = 0
"""The `seq` of a fault in the header: it stands before event 1."""

_opened = msgspec.json.Decoder(SessionOpened).decode


def opening_in(events: Sequence[Link]) -> SessionOpened | None:
    """The opening of a log; `None` where it is hidden or missing, or cannot be read."""
    first = events[0] if events else None
    if not isinstance(first, Envelope) or first.type != OPENED or first.data is None:
        return None
    try:
        return _opened(first.data)
    except (msgspec.MsgspecError, ValueError):
        return None


def last_fork(events: Sequence[Link]) -> SessionForked | None:
    """Where a log was forked last, if it was."""
    return next(reversed(list(forks_in(events))), None)


def misheaded(header: Header, events: Sequence[Link]) -> Fault | None:
    """The first thing that a header says otherwise than its log; `None` where there is none.

    Where a log ends, and as which session, is checked with the log itself.
    """
    if not events:
        return None
    opened = opening_in(events)
    if opened is None:
        message = "Everybody may see the opening of a log, and event 1 is none that can be read"
        return Fault(seq=1, action=None, field="type", message=message)
    for name in _otherwise(header, opened, events):
        return _fault(
            name, f"The header does not say what the opening of the log says: its {name} is another"
        )
    return _made_for(header, events)


def _otherwise(header: Header, opened: SessionOpened, events: Sequence[Link]) -> Iterator[str]:
    fork = last_fork(events)
    said = {
        "ruleset": (header.ruleset, opened.ruleset),
        "rules": (header.rules, opened.rules),
        "title": (header.title, opened.title if fork is None else fork.title),
        "log": (header.log or header.session, log_of(header.session, events)),
    }
    return (name for name, (here, there) in said.items() if here != there)


def _made_for(header: Header, events: Sequence[Link]) -> Fault | None:
    """What the header says of the copy's reader, against what the copy shows them."""
    complete, role = header.copy == "complete", header.exported_for.role
    if complete and any(isinstance(each, HiddenFrame) for each in events):
        return _fault("copy", "The header says that the copy is complete, and some of its events are hidden")
    if role not in ROLES or complete is not (role in COMPLETE_FOR):
        return _fault(
            "exported_for", f"The header says that a {header.copy} copy was made for one in the role {role!r}"
        )
    shown = [each for each in events if isinstance(each, Envelope)]
    if not complete and not all(may_be_seen(role, header.exported_for.name, each.audience) for each in shown):
        return _fault(
            "exported_for", "The header says that the copy was made for somebody who may not see all it shows"
        )
    return None


def _fault(name: str, message: str) -> Fault:
    return Fault(seq=HEADER, action=None, field=f"header.{name}", message=message)
