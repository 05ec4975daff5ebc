"""The webhooks of a SQLite file: the promises of `HookStore`."""

from __future__ import annotations

from collections.abc import Callable, Collection

from eventlog.hooks import Attempt, DeadLetter, Hook, Lease, Logged, Message, Standing, Step
from eventlog.sqlite import hook_cursors, hook_letters, hook_rows
from eventlog.sqlite.connections import Connections


class SqliteHooks:
    """Keeps hooks in the file of a store."""

    def __init__(self, held: Connections) -> None:
        self._held = held

    def add(self, hook: Hook, after: int | None = None) -> None:
        """Keep a hook, told what comes after `seq` `after` of its session, or from now on."""
        with self._held.writing() as db:
            hook_rows.add(db, hook, after)

    def hook(self, hook: str) -> Hook | None:
        """The hook of that id."""
        with self._held.reading() as db:
            return hook_rows.find(db, hook)

    def hooks(self, session: str | None) -> list[Hook]:
        """The hooks of a session, or those for all sessions, oldest first."""
        with self._held.reading() as db:
            return hook_rows.listed(db, session)

    def change(self, hook: str, edit: Callable[[Hook], Hook]) -> Hook | None:
        """Change a hook's name, address, types, secrets or pause."""
        with self._held.writing() as db:
            return hook_rows.change(db, hook, edit)

    def drop(self, hook: str) -> bool:
        """Remove a hook with its cursors, log and letters; whether there was one. Its secret goes from the files."""
        with self._held.writing() as db:
            dropped = hook_rows.drop(db, hook)
        self._held.flush()
        return dropped

    def standings(self, hook: str, limit: int = 100) -> list[Standing]:
        """How far a hook was told, those furthest behind first."""
        with self._held.reading() as db:
            return hook_cursors.standings(db, hook, limit)

    def lease(self, owner: str, now: str, until: str, limit: int) -> list[Lease]:
        """Lease cursors that have something to send. Looks before it writes: mostly there is nothing."""
        with self._held.reading() as db:
            if not hook_cursors.is_due(db, now):
                return []
        with self._held.writing() as db:
            return hook_cursors.lease(db, owner, now, until, limit)

    def record(self, lease: Lease, step: Step) -> Lease | None:
        """Store what an attempt led to; the lease to go on with."""
        with self._held.writing() as db:
            return hook_cursors.record(db, lease, step)

    def rewind(self, hook: str, session: str, seq: int) -> None:
        """Go on telling a hook from after this `seq`, at once. Whoever has the lease loses it."""
        with self._held.writing() as db:
            hook_cursors.rewind(db, hook, session, seq)

    def note(self, hook: str, attempt: Attempt) -> None:
        """Write an attempt into a hook's log, beside its cursors."""
        with self._held.writing() as db:
            number = hook_rows.number_of(db, hook)
            if number is not None:
                hook_letters.note(db, number, attempt)

    def attempts(self, hook: str, before: int | None = None, limit: int = 100) -> list[Logged]:
        """What was tried, newest first, below a number of the log."""
        with self._held.reading() as db:
            return hook_letters.attempts(db, hook, before, limit)

    def dead_letters(self, hook: str, after: int = 0, limit: int = 100) -> list[tuple[int, DeadLetter]]:
        """What was given up, oldest first, each with its number, above a number."""
        with self._held.reading() as db:
            return hook_letters.dead_letters(db, hook, after, limit)

    def message(self, hook: str, session: str, action: int) -> Message | None:
        """The message a hook's receiver made of an action."""
        with self._held.reading() as db:
            return hook_letters.message(db, hook, session, action)

    def messages(self, hook: str, session: str, slots: Collection[int]) -> list[Message]:
        """The messages made of actions in these slots, by their numbers."""
        with self._held.reading() as db:
            return hook_letters.messages(db, hook, session, slots)
