"""Everything that can be wrong with a log or a request to it, each fault by name.

No HTTP number here: `api` maps these to answers in one table. Every error has a stable kebab-case `code`, a
message for the person at the table, and typed `fields`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self


class EventLogError(Exception):
    """Something about the log, not about the rules of a game."""

    code: ClassVar[str] = "log-error"

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.message = message
        self.fields: dict[str, Any] = fields


class SessionUnknown(EventLogError):
    """No session has that id."""

    code = "unknown-session"


class ActionUnknown(EventLogError):
    """The session has no action of that number, as far as whoever asks may know."""

    code = "unknown-action"

    @classmethod
    def of(cls, number: int) -> Self:
        """The refusal of that number, which names no other: a hidden action is refused like one never taken."""
        return cls(f"There is no action {number} here", action=number)


class HistoryDoesNotFold(EventLogError):
    """An event does not fit the table before it: a pool would go below zero, a character is not there."""

    code = "history-does-not-fold"

    @classmethod
    def at(cls, seq: int, **fields: Any) -> HistoryDoesNotFold:
        """The same, of one event. What was not found there may be hidden from whoever reads this, and is not named."""
        return cls(
            f"Event {seq} does not fit the table before it: the log was damaged, and its verification says where",
            seq=seq,
            **fields,
        )


class SessionIsClosed(EventLogError):
    """The session was closed: it is read, never written."""

    code = "session-closed"


class SessionExists(EventLogError):
    """A session of that id is already in this store."""

    code = "session-exists"


class VersionMismatch(EventLogError):
    """Somebody acted since the caller last looked (they named the version they had seen)."""

    code = "version-mismatch"


class Busy(EventLogError):
    """Others kept writing to this session while the command was decided; sending it again is safe."""

    code = "busy"


class KeyReused(EventLogError):
    """An idempotency key came back with another body."""

    code = "idempotency-key-reused"


class CommandMalformed(EventLogError):
    """The command has an unknown type or field, a wrong type, or a value out of range."""

    code = "malformed-command"


class NotAnAnswer(EventLogError):
    """What was sent as an answer answers nothing: it would be a second deed in one place, or go unheard."""

    code = "not-an-answer"


class NotAllowed(EventLogError):
    """The role may not do this."""

    code = "not-allowed"


class TableDiceOff(EventLogError):
    """Faces were typed in, and the session's setting does not take them from this person."""

    code = "table-dice-off"


class VisibilityNotPossible(EventLogError):
    """What changes the table everybody sees cannot itself be hidden."""

    code = "visibility-not-possible"


class CursorUnknown(EventLogError):
    """A cursor comes from another log, or from a point this log has not reached."""

    code = "cursor-unknown"


class NothingToRedact(EventLogError):
    """The event has no words of somebody's own, or they were removed before."""

    code = "nothing-to-redact"


class WordsShared(EventLogError):
    """The words belong to the session a fork began as, and are removed there for both."""

    code = "words-shared"


class SessionHasForks(EventLogError):
    """Other sessions begin with this one's events, so it cannot be removed before them."""

    code = "session-has-forks"


class UnknownEventType(EventLogError):
    """The log holds an event this installation cannot read."""

    code = "unknown-event-type"


class EventUnreadable(EventLogError):
    """An event's data is not what its type says."""

    code = "unreadable-event"


class SequenceBroken(EventLogError):
    """An event is missing, doubled or out of order."""

    code = "sequence-broken"


class ChainBroken(EventLogError):
    """An event is not the one that was appended."""

    code = "chain-broken"


class SeedNotPromised(EventLogError):
    """The secret seed in the store is not the one the log promised: what it throws could not be proved."""

    code = "seed-not-promised"


class ImportRefused(EventLogError):
    """A file is not a complete, valid copy of a log."""

    code = "import-refused"


class ImportConflict(ImportRefused):
    """A copy is valid, but the session in this store is not the same; neither was changed."""

    code = "import-conflict"


class OlderThanHead(ImportConflict):
    """The copy is an earlier part of the log that is already here."""

    code = "older-than-head"


class NewerThanHead(ImportConflict):
    """The copy goes on beyond the log that is already here."""

    code = "newer-than-head"


class LogDiverged(ImportConflict):
    """The copy and the log that is already here went different ways."""

    code = "diverged"


class DatabaseInUse(EventLogError):
    """Another process writes this database file."""

    code = "database-in-use"


class DatabaseNewer(EventLogError):
    """The database was made by a newer version."""

    code = "database-newer"


class StoreUnusable(EventLogError):
    """The file is no database of ours, or the disk will not keep what is written."""

    code = "store-unusable"
