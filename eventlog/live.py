"""Sessions in memory: as many as are being played, each read again when somebody asks after it was let go."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from eventlog.dice import commitment
from eventlog.errors import SeedNotPromised
from eventlog.history.points import tape_at
from eventlog.store import Store
from eventlog.tape import Tape

MOST_LIVE = 256
"""Sessions kept in memory; the one unused for longest is let go."""


@dataclass(slots=True)
class Live:
    """A session in memory: its tape as stored, its seed, and the lock that keeps requests in a row."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    tape: Tape[Any] | None = None
    seed: bytes = b""
    promise: str = ""

    def promised_seed(self) -> bytes:
        """The seed, as it was promised before the first die. Raises `SeedNotPromised`; the log can still be read."""
        if self.tape is not None and self.promise != self.tape.dice_commitment:
            raise SeedNotPromised(
                "The secret seed of this session was changed or lost in the database, so that its dice could not "
                "be proved: nothing more is recorded. Restore a backup",
                session=self.tape.session,
            )
        return self.seed


class LiveSessions:
    """The sessions of one store that are in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._live: OrderedDict[str, Live] = OrderedDict()

    def seat(self, session: str) -> Live:
        """The session's place in memory, made if there is none; its tape may not be read yet."""
        live = self._live.get(session)
        if live is None:
            self._make_room()
            live = self._live[session] = Live()
        self._live.move_to_end(session)
        return live

    def load(self, session: str, live: Live) -> Tape[Any]:
        """The session's tape, read where it is not there; call it with the lock held. Raises `SessionUnknown`."""
        if live.tape is None:
            try:
                live.tape = tape_at(self._store, session)
                live.seed = self._store.seed(session)
                live.promise = commitment(live.seed)
            except Exception:
                self.forget(session)
                raise
        return live.tape

    def forget(self, session: str) -> None:
        """Let go of a session."""
        self._live.pop(session, None)

    def _make_room(self) -> None:
        if len(self._live) < MOST_LIVE:
            return
        for session, live in self._live.items():
            if not live.lock.locked():
                del self._live[session]
                return
