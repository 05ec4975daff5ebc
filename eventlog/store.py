"""What a store promises: the contract every store keeps, proved by the contract test in `eventlog.testing`.

A store is called from threads, never from the event loop's own code paths that must not wait. `append` is
the only way an event gets in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeAlias

import msgspec

from eventlog.core import ForkKind
from eventlog.envelope import Envelope, Row
from eventlog.hooks import HookStore
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


class Parent(msgspec.Struct, frozen=True, kw_only=True):
    """The session another one begins as: its events up to `version`, the end of action `at`, are the first of both.

    They are stored once, and `held_by` is the session whose log holds them here: the parent as a rule, or one that
    was taken in with the parent's events. A log that was itself taken in holds its own (`None`).
    """

    session: str
    at: int
    version: int
    kind: ForkKind
    held_by: str | None


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


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The encoded tape after an action, so that nothing before it need be folded."""

    action: int
    version: int
    tape: bytes


class Retold(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction makes of the tables kept of the history as it stands: from slot `first` on they are these.

    A table's `action` is the slot it comes after.
    """

    first: int
    tables: tuple[Checkpoint, ...]


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """All that one accepted request stores, together or not at all.

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
    """The events are on disk; the first one has this position in the store.

    `frames` is the JSON of the events as the item's reader may see them, spelled by whoever had the store append.
    """

    position: int
    frames: bytes = b""


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """The key was used before: nothing was appended now. `action` of `session` is what it led to then."""

    session: str
    action: int
    fingerprint: bytes


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """The session is at another version than the events were decided on; nothing was appended."""

    version: int


Outcome: TypeAlias = Stored | Replayed | Conflict


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session stands, without reading its log.

    `log` is the id of the log's first session, at which the chain begins; `parent` the one it was forked from.
    """

    session: str
    log: str
    ruleset: str
    rules: int
    title: str
    version: int
    action: int
    hash: bytes
    opened_at: str
    changed_at: str
    closed_at: str | None = None
    parent: Parent | None = None


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


class Store(Protocol):
    """Keeps logs. Every method may be called from any thread. Unknown sessions raise `SessionUnknown`.

    The log of a fork is read as one from its first event on, under its own id; what it shares with its parents
    is stored once, and ends where it was forked, whatever they did since.
    """

    @property
    def hooks(self) -> HookStore:
        """The webhooks kept beside the logs."""
        ...

    def append(self, items: Sequence[Append]) -> list[Outcome]:
        """Append what fits of the items, in one durable commit, and answer for each.

        Per item, first: a known key answers `Replayed`; then a version other than expected `Conflict`
        (`expected` 0 with an existing session too); else all of it is stored. Two items of one session in
        one call are taken in order. When this returns, what is `Stored` survives the loss of power.

        Words a fork shares are removed in the session they belong to: `WordsShared` names it.
        """
        ...

    def known_key(self, scope: str, key: str) -> Replayed | None:
        """What an idempotency key led to, if it was used."""
        ...

    def head(self, session: str) -> Head:
        """Where the session stands."""
        ...

    def sessions(self, *, search: str = "", after: str | None = None, limit: int = 50) -> Page:
        """Sessions newest first, those whose title or id contains the search words, a page at a time."""
        ...

    def forks(self, session: str) -> list[Head]:
        """The sessions that were forked from this one, oldest first."""
        ...

    def seed(self, session: str) -> bytes:
        """The secret seed of the session's dice; empty where it was lost."""
        ...

    def rows(self, session: str, after: int = 0, upto_action: int | None = None) -> Iterator[Row]:
        """The stored events after a version, in order, in the short form that folding reads."""
        ...

    def envelopes(self, session: str, after: int = 0, limit: int | None = None) -> list[Envelope]:
        """The stored events with `seq` above `after`, in order."""
        ...

    def actions(self, session: str, first: int, last: int) -> list[Envelope]:
        """The stored events of the actions numbered first to last, in order."""
        ...

    def taken(self, session: str, first: int, last: int) -> list[Envelope]:
        """The stored events of the actions numbered first to last, without what corrections wrote anew for slots.

        What joined a slot later is there, also where a correction had written that slot anew before.
        """
        ...

    def revised(self, session: str, slots: Sequence[int]) -> list[Envelope]:
        """The stored events of these slots that are not of their first revision, in order."""
        ...

    def notes_about(self, session: str, first: int, last: int) -> list[Envelope]:
        """The notes without a place in the story that speak of the actions numbered first to last, in order.

        What they speak of is the `about` of their data. Removed words no longer say.
        """
        ...

    def stream(self, after: int = 0, limit: int = 1000) -> list[Envelope]:
        """The events of all sessions with `position` above `after`, in commit order; shared ones once, as the parent's."""
        ...

    def last(self) -> Envelope | None:
        """The event of all sessions with the highest `position`; `None` while there is none."""
        ...

    def since_checkpoint(self, session: str, action: int) -> tuple[Checkpoint | None, Iterator[Row]]:
        """The latest checkpoint at or before an action, and the events from there up to it, in short form."""
        ...

    def checkpoint(self, session: str, action: int) -> Checkpoint | None:
        """The latest checkpoint at or before an action."""
        ...

    def checkpoints(self, session: str, first: int, last: int) -> list[Checkpoint]:
        """Every checkpoint of the actions numbered first to last, in order."""
        ...

    def corrected_checkpoint(self, session: str, slot: int) -> Checkpoint | None:
        """The latest table kept of the history as it stands, at or before a slot."""
        ...

    def corrected_checkpoints(self, session: str) -> list[Checkpoint]:
        """Every table kept of the history as it stands, in order of their slots."""
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

    def walking_process(self) -> Sequence[str] | None:
        """How to start a process that walks stretches of these logs beside this one; `None` where none can.

        It reads an `eventlog.verification.stretches.Stretch` a line and writes a `Walked` a line, both as JSON.
        """
        ...

    def ready(self) -> None:
        """Return when the store can take an append. Raises `StoreUnusable`, saying what to do."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
