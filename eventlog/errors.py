"""Everything that can be wrong with a log or a request to it, each fault by name.

No HTTP number here: `api` maps these to answers in one table. Every error has a stable kebab-case `code`, a
message for the person at the table, and typed `fields`.
"""

from __future__ import annotations

from typing import Any, ClassVar


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
    """The session has no action of that number."""

    code = "unknown-action"


class HistoryDoesNotFold(EventLogError):
    """An event does not fit the table before it: a pool would go below zero, a character is not there."""

    code = "history-does-not-fold"


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


class HistoryConflict(EventLogError):
    """A correction would touch later actions, and it was asked to touch none.

    `revised` are the slots as they would be written, for those who tell what would change.
    """

    code = "history-conflict"
    revised: tuple[Any, ...] = ()


class AlreadyUndone(EventLogError):
    """The action, or the correction, was undone before."""

    code = "already-undone"


class NotUndone(EventLogError):
    """What should be redone stands: nothing took it out."""

    code = "not-undone"


class NothingToUndo(EventLogError):
    """There is no action left in the history, or this one never was a part of it."""

    code = "nothing-to-undo"


class NothingToAmend(EventLogError):
    """An amendment leaves the action as it stands: nothing was sent that is otherwise."""

    code = "nothing-to-amend"


class CorrectedSince(EventLogError):
    """A later correction changed the same action, so the earlier one cannot be taken back on its own."""

    code = "corrected-since"


class NotTouched(EventLogError):
    """Something was sent for an action that the correction does not decide again, so that it would go unheard."""

    code = "not-touched"


class AmendInstead(EventLogError):
    """An answer that later actions follow is not undone alone: the action is amended with another answer."""

    code = "amend-instead"


class DiceNeeded(EventLogError):
    """Dice thrown at the table are missing for what a correction makes of an action."""

    code = "dice-needed"


class DiceWereThrown(EventLogError):
    """Faces were typed in for dice the server threw: those stay what they are."""

    code = "dice-were-thrown"


class DiceTaken(EventLogError):
    """The dice of an undone action fell again as another one, so both cannot stand."""

    code = "dice-taken"


class TooMuchTouched(EventLogError):
    """A correction would revise more actions than one correction may."""

    code = "too-much-touched"


class UndoOff(EventLogError):
    """The session's setting `undo` does not allow this person to correct anything."""

    code = "undo-off"


class NotYours(EventLogError):
    """A player may undo their own last action only, and this one is not."""

    code = "not-your-action"


class ActedSince(EventLogError):
    """Somebody acted after the action a player wants to undo."""

    code = "acted-since"


class DiceShown(EventLogError):
    """Dice were shown in the action a player wants to undo: decisions are taken back, dice are not."""

    code = "dice-shown"


class RequestOpen(EventLogError):
    """Another request to undo something is waiting for the GM."""

    code = "undo-request-open"


class NoSuchRequest(EventLogError):
    """No request of that number is open."""

    code = "no-such-request"


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
