"""Actions: each is what somebody asked for and what that led to, or one event of the recorder's own."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog.envelope import Envelope
from eventlog.verification.forks import FORKED
from eventlog.verification.report import Found
from eventlog.verification.thrown import IMPORTED, OPENED, TAKEN
from rulesets.people import EVERYONE

BEGINS = frozenset({TAKEN, OPENED, IMPORTED, FORKED})
"""What an action can begin with. None of it is ever led to."""

KEEPERS = ("gm", "admin")
"""Who opens a session, forks one, or takes one in."""


@dataclass(slots=True)
class InActions:
    """Where the events of a log stand in their actions, as they pass. `whole` = none of them is hidden."""

    whole: bool = True
    _alone: bool = False

    def see(self, event: Envelope, *, begins: bool) -> None:
        """Check the place of an event in its action, which it `begins` or goes on with. Raises `Found`."""
        kind = event.type
        if kind in BEGINS:
            self._begins(event, begins=begins)
        elif self.whole and (begins or self._alone):
            raise _wrong(event, "type", "belongs to nothing that anybody asked for")

    def _begins(self, event: Envelope, *, begins: bool) -> None:
        if not begins:
            raise _wrong(event, "type", "begins an action, and stands where another goes on")
        if (event.type == OPENED) is not (event.seq == 1):
            raise _wrong(event, "type", "is no opening" if event.seq == 1 else "opens the log a second time")
        self._alone = event.type != TAKEN
        if self._alone:
            _by_a_keeper(event)


def _by_a_keeper(event: Envelope) -> None:
    """An opening, a fork, the arrival of a copy: no player's, for everybody to see, and without a place in the story."""
    if event.by.role not in KEEPERS:
        raise _wrong(event, "by", "is signed by somebody who neither leads a table nor keeps a server")
    if event.audience != EVERYONE:
        raise _wrong(event, "audience", "is one that everybody may see, and is kept from some")
    if event.slot is not None:
        raise _wrong(event, "slot", "has no place in the story, and was given one")
    if event.revision != 1:
        raise _wrong(event, "revision", "is never revised")


def _wrong(event: Envelope, field: str, how: str) -> Found:
    return Found(event.seq, event.action, field, f"Event {event.seq} {how}")
