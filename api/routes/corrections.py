"""Corrections: undo, redo, amend, and a player's request for one. They change the history, never the log."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath, RequestBody

from api.answers import Answer, answer
from api.asking import ActionNumber, Code, Command, Looking, ModeOf, TypedFace, Withs, read_withs
from api.desk import desk_of
from api.foresight import Foreseen
from api.headers import IdempotencyKey, IfMatch, expected_version, request_key
from api.recording import Accepted, corrected, recorded
from api.seats import ACTS, READS, Asked, at_the_table
from eventlog import requests
from eventlog.audience import visible
from eventlog.corrections import (
    MOST_ANSWERS,
    MOST_DICE,
    UNCHANGED,
    Amend,
    AskUndo,
    HistoryCommand,
    Redo,
    SettleRequest,
    Undo,
)
from rulesets.contract import Text


class Correct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a correction is meant, and why it is made."""

    mode: ModeOf = "strict"
    dry_run: Looking = False
    reason: Text = ""
    others: Withs = msgspec.field(default=(), name="with")


class UndoAction(Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to undo; `through` also takes everything after the action ("undo to here")."""

    through: bool = False


class AmendAction(Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the action goes on with: another command, other answers, other faces for dice that were typed in.

    What is left out stays as it was. Faces given here stand for all that the action threw.
    """

    command: Command = msgspec.field(default_factory=lambda: UNCHANGED)
    answers: Annotated[tuple[Command, ...], msgspec.Meta(max_length=MOST_ANSWERS)] | None = None
    dice: Annotated[tuple[TypedFace, ...], msgspec.Meta(max_length=MOST_DICE)] | None = None
    text: Text = ""
    overrule: Annotated[tuple[Code, ...], msgspec.Meta(max_length=20)] | None = None


class AskForUndo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which action the GM shall undo, and why."""

    target: ActionNumber
    reason: Text = ""


class Settle(Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an approved undo is meant; a reason goes with any verdict."""


class OpenUndoRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The undo a player asked for and the GM has not settled: the action it was asked as, its target, who asks."""

    number: int
    target: int
    by: str


class UndoRequests(msgspec.Struct, frozen=True, kw_only=True):
    """The request that is open, one at a time; `None` where none is."""

    request: OpenUndoRequest | None
    version: int


@post("/sessions/{session:str}/undo", before_request=at_the_table(*ACTS), tags=["corrections"])
async def undo_last(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[Correct],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted | Foreseen]:
    """Take the last action out of the history."""
    command = Undo(mode=data.mode, others=read_withs(data.others))
    return await _correct(request, session, command, data, idempotency_key, if_match)


@post(
    "/sessions/{session:str}/actions/{number:int}/undo",
    before_request=at_the_table(*ACTS),
    tags=["corrections"],
)
async def undo_action(  # noqa: PLR0913, PLR0917 - path, body and two headers
    request: Asked,
    session: FromPath[str],
    number: FromPath[int],
    data: RequestBody[UndoAction],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted | Foreseen]:
    """Take an action out of the history, with everything it caused. Of a correction: take it back, whole."""
    command = Undo(target=number, through=data.through, mode=data.mode, others=read_withs(data.others))
    return await _correct(request, session, command, data, idempotency_key, if_match)


@post(
    "/sessions/{session:str}/actions/{number:int}/redo",
    before_request=at_the_table(*ACTS),
    tags=["corrections"],
)
async def redo_action(  # noqa: PLR0913, PLR0917 - path, body and two headers
    request: Asked,
    session: FromPath[str],
    number: FromPath[int],
    data: RequestBody[Correct],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted | Foreseen]:
    """Bring an undone action back, by taking back the correction that emptied it."""
    command = Redo(target=number, mode=data.mode, others=read_withs(data.others))
    return await _correct(request, session, command, data, idempotency_key, if_match)


@post(
    "/sessions/{session:str}/actions/{number:int}/amend",
    before_request=at_the_table(*ACTS),
    tags=["corrections"],
)
async def amend_action(  # noqa: PLR0913, PLR0917 - path, body and two headers
    request: Asked,
    session: FromPath[str],
    number: FromPath[int],
    data: RequestBody[AmendAction],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted | Foreseen]:
    """Let an action go on otherwise, and everything after it as it then has to."""
    command = Amend(
        target=number,
        command=msgspec.Raw(data.command),
        answers=None if data.answers is None else tuple(map(msgspec.Raw, data.answers)),
        overrule=data.overrule,
        mode=data.mode,
        others=read_withs(data.others),
    )
    return await _correct(request, session, command, data, idempotency_key, if_match)


@get("/sessions/{session:str}/undo-requests", before_request=at_the_table(*READS), tags=["corrections"])
async def show_undo_requests(request: Asked, session: FromPath[str]) -> Answer[UndoRequests]:
    """The request that waits for the GM; none does in a session that is closed."""
    desk = desk_of(request)
    tape = await desk.recorder.tape(session)
    asked = None if tape.closed else tape.request
    if asked and not visible(request.user.viewer, desk.store.actions(session, asked.number, asked.number)):
        asked = None
    shown = None if asked is None else OpenUndoRequest(number=asked.number, target=asked.target, by=asked.by)
    return answer(UndoRequests(request=shown, version=tape.version), version=tape.version)


@post("/sessions/{session:str}/undo-requests", before_request=at_the_table("player"), tags=["corrections"])
async def ask_for_undo(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[AskForUndo],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted]:
    """Ask the GM to undo an action. One request is open at a time."""
    asked = await _asked(
        request, session, AskUndo(target=data.target), data.reason, idempotency_key, if_match
    )
    return await recorded(request, session, asked)


@post(
    "/sessions/{session:str}/undo-requests/{number:int}/{verdict:str}",
    before_request=at_the_table(*ACTS),
    tags=["corrections"],
)
async def settle_undo_request(  # noqa: PLR0913, PLR0917 - path, body and two headers
    request: Asked,
    session: FromPath[str],
    number: FromPath[int],
    verdict: FromPath[Literal["approve", "deny", "cancel"]],
    data: RequestBody[Settle],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted | Foreseen]:
    """`approve` or `deny` a request as the GM, or `cancel` one's own."""
    command = SettleRequest(request=number, verdict=verdict, mode=data.mode, others=read_withs(data.others))
    return await _correct(request, session, command, data, idempotency_key, if_match)


# --- steps ----------------------------------------------------------------------------------------------------


async def _asked(  # noqa: PLR0913, PLR0917 - a request, its command and the headers that steer it
    request: Asked,
    session: str,
    command: HistoryCommand,
    reason: str,
    idempotency_key: str | None,
    if_match: str | None,
    dice: tuple[int, ...] | None = None,
) -> requests.Request:
    return requests.Request(
        command=msgspec.json.encode(command),
        dice=dice,
        text=reason,
        issuer=request.user.issuer,
        key=request_key(request, idempotency_key, session, await request.body()),
        expected=expected_version(if_match),
    )


async def _correct(  # noqa: PLR0913, PLR0917 - as above
    request: Asked,
    session: str,
    command: HistoryCommand,
    data: Correct,
    idempotency_key: str | None,
    if_match: str | None,
) -> Answer[Accepted | Foreseen]:
    dice, words = (data.dice, data.text) if isinstance(data, AmendAction) else (None, "")
    asked = await _asked(request, session, command, data.reason or words, idempotency_key, if_match, dice)
    return await corrected(request, session, asked, dry_run=data.dry_run)
