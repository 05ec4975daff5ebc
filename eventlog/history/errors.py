"""Everything that can be wrong with a correction or a request for one, each fault by name."""

from __future__ import annotations

from typing import Any

from eventlog.errors import EventLogError


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
