"""What can be followed: the events of a session or of all of them, or the table as it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import jsonpatch
import msgspec

from tabletape.client.call import Parameters, joined, path_of
from tabletape.client.shapes.events import Event
from tabletape.client.shapes.table import Table

_event = msgspec.json.Decoder(Event).decode
_table = msgspec.json.Decoder(Table).decode


@dataclass(frozen=True, slots=True)
class Events:
    """Events, each once and in order."""

    path: str
    params: Parameters

    def told(self, kind: str, line: bytes) -> Event | None:
        """The event of a frame that has one."""
        return _event(line) if kind == "event" else None


def events(session: str | None, types: Sequence[str], character: str | None, action: int | None) -> Events:
    """The events of a session, or of all sessions of the server; only those that fit whatever is given.

    A plain string is one type.
    """
    params = {"types": joined(types), "character": character, "action": action}
    return Events("/feed" if session is None else path_of(session, "feed"), params)


class _Change(msgspec.Struct, frozen=True, kw_only=True):
    """What an action did to the table."""

    at: int
    version: int
    patch: list[dict[str, Any]]
    state_hash: str


_change = msgspec.json.Decoder(_Change).decode


@dataclass(slots=True)
class Tables:
    """The table as it stands, and again after each action; from one connection to the next, each once."""

    path: str
    params: Parameters = field(default_factory=lambda: {"format": "state"})
    _last: Table | None = None

    def told(self, kind: str, line: bytes) -> Table | None:
        """The table a frame leads to, where it is another one."""
        if kind == "state":
            before, self._last = self._last, _table(line)
            return self._last if before is None or before.version != self._last.version else None
        if kind == "patch" and self._last is not None:
            self._last = _patched(self._last, _change(line))
            return self._last
        return None


def _patched(table: Table, change: _Change) -> Table:
    state = jsonpatch.apply_patch(table.state, change.patch)
    return Table(at=change.at, version=change.version, state=state, state_hash=change.state_hash)
