"""Events and commands of corrections: what changes the history of a session, and never its log."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from eventlog.envelope import By

Mode = Literal["strict", "rebase", "cascade"]
"""What becomes of later actions that a correction touches: refuse it, take them along, or empty them."""

Outcome = Literal["undone", "redone", "amended", "inserted", "changes", "falls"]
"""What a correction did to a slot: asked for, or as a consequence (it would go otherwise, or is no longer legal)."""

ActionNumber = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1, description="The number of an action")]
MOST_ANSWERS = 50
MOST_DICE = 1000


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a correction did to one slot: the revision that stood before and the one that stands after it.

    `None` is an empty slot. `code` tells why a consequence fell, `step` which answer or book-keeping alone was
    taken out of the slot. `stock` names whose next command of which type (`strike:zadie`) meets the dice of an
    emptied slot again.
    """

    slot: int
    outcome: Outcome
    before: int | None = None
    after: int | None = None
    code: str | None = None
    step: int | None = None
    stock: str | None = None


# --- events -------------------------------------------------------------------------------------------------


class ActionUndone(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Actions were taken out of the history: those asked for, and what could not stand without them."""

    targets: tuple[Change, ...]
    consequences: tuple[Change, ...] = ()


class ActionRedone(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A correction was taken back, whole: its targets restored, its consequences refilled."""

    correction: int
    targets: tuple[Change, ...]
    consequences: tuple[Change, ...] = ()


class ActionAmended(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An action goes on with another command, other answers or other typed faces."""

    targets: tuple[Change, ...]
    consequences: tuple[Change, ...] = ()


class ActionInserted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A forgotten action was put into the history before the slot `before`."""

    before: int
    targets: tuple[Change, ...]
    consequences: tuple[Change, ...] = ()


class ActionRevised(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step of a slot's new revision begins, as `ActionTaken` begins that of the first.

    The envelope names slot and revision. `action` is the number of the action whose step this is and `by` who
    took it. `replaced` tells that answers no longer fitted and the recommended ones stand in for them.
    """

    action: int
    by: By
    command: msgspec.Raw
    answers: tuple[msgspec.Raw, ...] = ()
    source: Literal["server", "table"] | None = None
    overrule: tuple[str, ...] = ()
    rulings: Literal["default"] | None = None
    replaced: bool = False


class UndoRequested(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player asks the GM to undo an action."""

    target: int
    by: str


class UndoRequestClosed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The request made as action `request` is settled; `superseded` when its target was emptied otherwise."""

    request: int
    outcome: Literal["approved", "denied", "cancelled", "superseded"]


CorrectionEvent: TypeAlias = ActionUndone | ActionRedone | ActionAmended | ActionInserted
CORRECTION_EVENTS = (ActionUndone, ActionRedone, ActionAmended, ActionInserted)

HISTORY_EVENTS: tuple[type[msgspec.Struct], ...] = (
    *CORRECTION_EVENTS,
    ActionRevised,
    UndoRequested,
    UndoRequestClosed,
)


# --- commands -----------------------------------------------------------------------------------------------


class Otherwise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a later action goes on with when a correction changes it: other answers, faces for dice it lacks."""

    action: ActionNumber
    answers: Annotated[tuple[msgspec.Raw, ...], msgspec.Meta(max_length=MOST_ANSWERS)] | None = None
    dice: (
        Annotated[
            tuple[Annotated[int, msgspec.Meta(ge=0, le=1_000_000)], ...], msgspec.Meta(max_length=MOST_DICE)
        ]
        | None
    ) = None


Others = Annotated[tuple[Otherwise, ...], msgspec.Meta(max_length=100)]


class Undo(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    tag="undo",
):
    """Take an action out of the history (the last one where none is named); `through` = and all after it."""

    target: ActionNumber | None = None
    through: bool = False
    mode: Mode = "strict"
    others: Others = msgspec.field(default=(), name="with")


class Redo(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    tag="redo",
):
    """Take back a correction: the one of that number, or the one that emptied the action of that number."""

    target: ActionNumber
    mode: Mode = "strict"
    others: Others = msgspec.field(default=(), name="with")


UNCHANGED = msgspec.Raw(b"null")
"""The command of an amendment that leaves it as it was."""


class Amend(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    tag="amend",
):
    """Let an action go on with another command or other answers; what is left out stays as it was.

    Faces that come with the request stand for those that were typed in before. An `overrule` replaces the former.
    """

    target: ActionNumber
    command: msgspec.Raw = msgspec.field(default_factory=lambda: UNCHANGED)
    answers: Annotated[tuple[msgspec.Raw, ...], msgspec.Meta(max_length=MOST_ANSWERS)] | None = None
    overrule: Annotated[tuple[str, ...], msgspec.Meta(max_length=20)] | None = None
    mode: Mode = "strict"
    others: Others = msgspec.field(default=(), name="with")


class Insert(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    tag="insert",
):
    """Put a forgotten action into the history, before the action of that number."""

    before: ActionNumber
    command: msgspec.Raw
    answers: Annotated[tuple[msgspec.Raw, ...], msgspec.Meta(max_length=MOST_ANSWERS)] = ()
    overrule: Annotated[tuple[str, ...], msgspec.Meta(max_length=20)] = ()
    mode: Mode = "strict"
    others: Others = msgspec.field(default=(), name="with")


class AskUndo(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="ask_undo"
):
    """Ask the GM to undo an action."""

    target: ActionNumber


class SettleRequest(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    tag="settle_undo_request",
):
    """Approve, deny or cancel the open request made as action `request`."""

    request: ActionNumber
    verdict: Literal["approve", "deny", "cancel"]
    mode: Mode = "strict"
    others: Others = msgspec.field(default=(), name="with")


CorrectionCommand: TypeAlias = Undo | Redo | Amend | Insert
HistoryCommand: TypeAlias = CorrectionCommand | AskUndo | SettleRequest

HISTORY_COMMANDS: tuple[type[msgspec.Struct], ...] = (Undo, Redo, Amend, Insert, AskUndo, SettleRequest)
