"""What a store promises: the contract every store keeps, proved by the contract test in `eventlog.testing`.

`append` is the only way an event gets in. A look-up that takes no longer in a long log is quick enough for an event
loop; what grows with a log, and whatever waits for the disk, is called from a thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import msgspec

from eventlog.envelope import Envelope
from eventlog.hooks import HookStore
from eventlog.logs import Checkpoint, Head, Logs, Parent
from rulesets.people import Role, Viewer


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A way in: whose, to which session (`None` = the whole server), as what. Only its hash is kept.

    `key_hash` is the SHA-256 of the secret. `revoked_at` is set once and for all.
    """

    id: str
    session: str | None
    role: Role
    name: str
    characters: tuple[str, ...] = ()
    key_hash: bytes
    created_at: str
    revoked_at: str | None = None


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A session that begins with this append. `seed` is kept apart from the log and leaves only at the close.

    Where the events of its `parent` are held by another session, the append goes on from there. `log` is
    the id of the log's first session, at which its chain begins; when empty, that of the parent, or its own.
    """

    ruleset: str
    rules: int
    title: str
    seed: bytes
    log: str = ""
    parent: Parent | None = None


class RequestKey(msgspec.Struct, frozen=True, kw_only=True):
    """An idempotency key: `scope` is who sent it and where, `fingerprint` the hash of what was sent."""

    scope: str
    key: str
    fingerprint: bytes


class Redaction(msgspec.Struct, frozen=True, kw_only=True):
    """The one exception to append-only: the words of event `seq` go, `digest` stands for them from now on."""

    seq: int
    digest: bytes


class Retold(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction makes of the tables kept of the history as it stands: from slot `first` on they are these.

    A table's `action` is the slot it comes after.
    """

    first: int
    tables: tuple[Checkpoint, ...]


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """All that one accepted request stores, together or not at all.

    One that had nothing left to do has no events: it keeps its `key` alone, so that it never does anything later.
    `expected` is the version the events were decided on (0 = the session must not exist; the first event of a
    fork then follows the shared ones). `checkpoint` is
    the encoded tape after the last event, a cache, and `checkpoints` are those in between where the events
    are many actions at once. `retold` are the tables of the history a correction changed. `closes` marks the
    session closed. `reader` is told of the events once they are stored.
    """

    session: str
    expected: int
    events: tuple[Envelope, ...]
    key: RequestKey | None = None
    opening: Opening | None = None
    checkpoint: bytes | None = None
    checkpoints: tuple[Checkpoint, ...] = ()
    retold: Retold | None = None
    tokens: tuple[Token, ...] = ()
    redaction: Redaction | None = None
    closes: bool = False
    reader: Viewer | None = None


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """The events are on disk; the first one has this position in the store (0 where a key was kept alone).

    `frames` is the JSON of the events as the item's reader may see them, spelled by whoever had the store append.
    """

    position: int
    frames: bytes = b""


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """The key was used before: nothing was appended now. `action` of `session` is what it led to then.

    `ignored` tells that it led to nothing: the session stood after that action, and stayed there.
    """

    session: str
    action: int
    fingerprint: bytes
    ignored: bool = False


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """The session is at another version than the events were decided on; nothing was appended."""

    version: int


Outcome: TypeAlias = Stored | Replayed | Conflict


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Some sessions of a list, newest first, and the cursor of the next page."""

    heads: tuple[Head, ...]
    next: str | None = None


class Removed(msgspec.Struct, frozen=True, kw_only=True):
    """What stays of a session that was removed: its id and the receipt of its last event."""

    session: str
    version: int
    hash: bytes
    removed_at: str


class Store(Logs, Protocol):
    """Keeps logs, and all that stands beside them."""

    @property
    def hooks(self) -> HookStore:
        """The webhooks kept beside the logs."""
        ...

    def append(self, items: Sequence[Append]) -> list[Outcome]:
        """Append what fits of the items, in one durable commit, and answer for each.

        Per item, first: a known key answers `Replayed`; then a version other than expected `Conflict`
        (`expected` 0 with an existing session too); else all of it is stored. Two items of one session in
        one call are taken in order. When this returns, what is `Stored` survives the loss of power. An item without
        events keeps its key, with where the session stands; it takes no position, and moves nothing on.

        Words a fork shares are removed in the session they belong to: `WordsShared` names it.
        """
        ...

    def known_key(self, scope: str, key: str) -> Replayed | None:
        """What an idempotency key led to, if it was used."""
        ...

    def sessions(self, *, search: str = "", after: str | None = None, limit: int = 50) -> Page:
        """Sessions newest first, those whose title or id contains the search words, a page at a time."""
        ...

    def stream(self, after: int = 0, limit: int = 1000) -> list[Envelope]:
        """The events of all sessions with `position` above `after`, in commit order; shared ones once, as the parent's."""
        ...

    def last(self) -> Envelope | None:
        """The event of all sessions with the highest `position`; `None` while there is none."""
        ...

    def add_token(self, token: Token) -> None:
        """Keep a token."""
        ...

    def token(self, key_hash: bytes) -> Token | None:
        """The token with that hash, revoked or not."""
        ...

    def tokens(self, session: str | None) -> list[Token]:
        """The tokens of a session, or of the server, oldest first."""
        ...

    def revoke_token(self, token: str, at: str) -> bool:
        """Revoke a token by its id; whether there was one to revoke."""
        ...

    def remove(self, session: str, at: str) -> Removed:
        """Remove a session opened by mistake, whole; its id and head hash stay and the id is never reused.

        Raises `SessionHasForks` where others share its events.
        """
        ...

    def removed(self, session: str) -> Removed | None:
        """What stays of a removed session."""
        ...

    def ready(self) -> None:
        """Return when the store can take an append. Raises `StoreUnusable`, saying what to do."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
