"""Webhooks as a store keeps them: whom to tell, how far each was told, and what became of every attempt.

The log is the outbox. A hook has a cursor in each session it listens to; a worker leases the cursor, sends what
comes after it, and moves it on. Times are UTC as the log writes them, so that they compare as text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, Protocol, TypeAlias

import msgspec

from rulesets.people import Viewer

Format: TypeAlias = Literal["standard", "discord"]
Outcome: TypeAlias = Literal["delivered", "failed", "held", "gone", "dead"]
Pause: TypeAlias = Literal["asked", "gone", "no-seat"]
"""Why nothing is sent: somebody asked, the receiver wants no more, or its eyes are of somebody who has no seat."""

AT_ONCE: dict[Format, int] = {"standard": 8, "discord": 1}
"""How many sessions of one hook are sent from at the same time. Discord counts its limits for each webhook."""

MOST_LOGGED = 1000
"""Attempts kept for each hook; older ones go."""


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """What messages are signed with, as `whsec_` and base64. One that was replaced is good `until` a time."""

    value: str
    until: str | None = None


class Hook(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody to tell what happens in one session, or in all (`session` is `None`).

    Told is what `viewer` may see, and of that the events of these `types` (all when there are none).
    `revision` counts the changes. `asked` is the fingerprint of the request that made it. `held_until` is what
    the receiver asked for: nothing is sent before.
    """

    id: str
    session: str | None
    name: str = ""
    url: str
    format: Format = "standard"
    types: tuple[str, ...] = ()
    viewer: Viewer
    secrets: tuple[Secret, ...] = ()
    paused: Pause | None = None
    created_at: str
    asked: bytes = b""
    revision: int = 1
    held_until: str | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How far a hook was told of a session: up to `seq` of `version`; `tries` of the next failed so far."""

    session: str
    seq: int
    version: int
    tries: int = 0
    next_at: str | None = None


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """The right to send what comes after `seq` of a session to a hook, until a time, for its owner alone."""

    hook: Hook
    session: str
    seq: int
    tries: int
    owner: str
    until: str


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One message that was sent, or tried: when, how long it took, and how it was answered.

    `status` is the HTTP status, `None` where there was no answer; `error` says in a few words what failed.
    What was answered is not kept. A trial message belongs to no session.
    """

    id: str
    session: str | None
    seq: int | None
    attempt: int
    at: str
    duration_ms: int
    status: int | None
    outcome: Outcome
    error: str | None = None


class Logged(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt in a hook's log, and its number there."""

    number: int
    attempt: Attempt


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """A message that was given up after so many tries. It can be sent again from its place in the log."""

    id: str
    session: str
    seq: int
    at: str
    tries: int
    status: int | None
    error: str | None


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """The message a receiver made of an action in that slot, to be edited later."""

    action: int
    slot: int | None
    message: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt led to, stored together: where the cursor is now, and what to remember.

    `until` is how long the lease is wanted from now on; `None` lets go of it. `next_at` is when the next
    message may be tried again, `held_until` when the receiver may be asked for anything. A delivered message
    takes its dead letter away. `pause` stops the hook.
    """

    seq: int
    tries: int = 0
    next_at: str | None = None
    held_until: str | None = None
    until: str | None
    attempt: Attempt | None = None
    dead: DeadLetter | None = None
    remembered: Message | None = None
    forgotten: int | None = None
    pause: Pause | None = None


class HookStore(Protocol):
    """Keeps hooks beside the logs. Every method may be called from any thread.

    Unknown sessions raise `SessionUnknown`. A session that is removed takes its hooks and cursors with it.
    """

    def add(self, hook: Hook, after: int | None = None) -> None:
        """Keep a hook. It is told what comes after `seq` `after` of its session, or from now on.

        One for all sessions is told of those that are there from now on, and of later ones what happens there
        since the hook was made.
        """
        ...

    def hook(self, hook: str) -> Hook | None:
        """The hook of that id."""
        ...

    def hooks(self, session: str | None) -> list[Hook]:
        """The hooks of a session, or those for all sessions, oldest first."""
        ...

    def change(self, hook: str, edit: Callable[[Hook], Hook]) -> Hook | None:
        """Change a hook's name, address, types, secrets, pause or wait; as kept now, `None` if it is gone.

        `edit` is called while nobody else changes it. After that nothing is sent any more as it was before, but
        for a message under way, and what failed is tried again at once. At another address nothing can be
        edited, so that the messages are forgotten.
        """
        ...

    def drop(self, hook: str) -> bool:
        """Remove a hook with its cursors, log and letters; whether there was one."""
        ...

    def standings(self, hook: str, limit: int = 100) -> list[Standing]:
        """How far a hook was told, of the sessions it has cursors in, those furthest behind first."""
        ...

    def lease(self, owner: str, now: str, until: str, limit: int) -> list[Lease]:
        """Lease cursors that have something to send, at most so many, each to nobody else before `until`.

        Not those of paused hooks, of receivers that asked to wait, of messages to be tried later, nor more of
        one hook than `AT_ONCE`.
        """
        ...

    def record(self, lease: Lease, step: Step) -> Lease | None:
        """Store what an attempt led to; the lease to go on with.

        `None` where it ended: it was let go of, the hook was changed or paused meanwhile, or somebody else has
        the cursor by now. In the last case only the attempt is noted.
        """
        ...

    def rewind(self, hook: str, session: str, seq: int) -> None:
        """Go on telling a hook from after this `seq`, at once, whatever its receiver asked for.

        Whoever has the lease loses it.
        """
        ...

    def note(self, hook: str, attempt: Attempt) -> None:
        """Write an attempt into a hook's log, beside its cursors."""
        ...

    def attempts(self, hook: str, before: int | None = None, limit: int = 100) -> list[Logged]:
        """What was tried, newest first, below a number of the log."""
        ...

    def dead_letters(self, hook: str, after: int = 0, limit: int = 100) -> list[tuple[int, DeadLetter]]:
        """What was given up, oldest first, each with its number, above a number."""
        ...

    def message(self, hook: str, session: str, action: int) -> Message | None:
        """The message a hook's receiver made of an action."""
        ...

    def messages(self, hook: str, session: str, slots: Collection[int]) -> list[Message]:
        """The messages made of actions in these slots, by their numbers."""
        ...
