"""Actions: what somebody asks of a session, and the answer once it is on disk."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import post
from litestar.params import FromPath, RequestBody

from api.answers import Answer
from api.asking import (
    ActionNumber,
    Code,
    Command,
    Looking,
    ModeOf,
    TypedFace,
    Withs,
    read_withs,
)
from api.faults import BodyMalformed
from api.foresight import Foreseen
from api.headers import IdempotencyKey, IfMatch, Prefer, expected_version, request_key, wants_receipt
from api.recording import Accepted, Receipt, corrected, recorded
from api.seats import ACTS, Asked, at_the_table
from eventlog import requests
from eventlog.core import VisibleTo
from eventlog.corrections import MOST_ANSWERS, MOST_DICE, Insert
from rulesets.contract import Text


class TakeAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command, perhaps with answers to the questions it will open and faces thrown at the table.

    Without `dice` the server throws. `overrule` names refusals the GM passes over, `text` says why, or what it
    looks like. `visible_to` hides rolls and notes; a command of the game cannot be hidden.

    `before` puts a forgotten action into the history before that one (GM); `mode`, `with` and `dry_run` then say
    what becomes of later actions, as with any correction.
    """

    command: Command
    answers: Annotated[tuple[Command, ...], msgspec.Meta(max_length=MOST_ANSWERS)] = ()
    dice: Annotated[tuple[TypedFace, ...], msgspec.Meta(max_length=MOST_DICE)] | None = None
    text: Text = ""
    overrule: Annotated[tuple[Code, ...], msgspec.Meta(max_length=20)] = ()
    visible_to: VisibleTo = "everyone"
    before: ActionNumber | None = None
    mode: ModeOf = "strict"
    dry_run: Looking = False
    others: Withs = msgspec.field(default=(), name="with")


@post("/sessions/{session:str}/actions", before_request=at_the_table(*ACTS), tags=["actions"])
async def take_action(  # noqa: PLR0913, PLR0917 - path, body and three headers
    request: Asked,
    session: FromPath[str],
    data: RequestBody[TakeAction],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
    prefer: Prefer = None,
) -> Answer[Accepted | Foreseen | Receipt]:
    """Record a command with everything it causes, whole or not at all."""
    asked = requests.Request(
        command=bytes(data.command),
        answers=tuple(map(bytes, data.answers)),
        dice=data.dice,
        text=data.text,
        overrule=data.overrule,
        visible_to=data.visible_to,
        issuer=request.user.issuer,
        key=request_key(request, idempotency_key, session, await request.body())
        if idempotency_key is not None
        else None,
        expected=expected_version(if_match),
        tells=not wants_receipt(prefer),
    )
    if data.before is None:
        _alone(data)
        return await recorded(request, session, asked)
    inserted = msgspec.structs.replace(asked, command=_insert(data, data.before), answers=(), overrule=())
    return await corrected(request, session, inserted, dry_run=data.dry_run)


def _alone(data: TakeAction) -> None:
    """Refuse what only a forgotten action takes. Raises `BodyMalformed`."""
    if data.mode != "strict" or data.dry_run or data.others:
        raise BodyMalformed(
            "`mode`, `with` and `dry_run` go with `before` here; to look ahead to an undo, a redo or an amendment, "
            "send it to /actions/{number}/undo, /redo or /amend. Chances of a command not yet sent are told by /odds"
        )


def _insert(data: TakeAction, before: int) -> bytes:
    if data.visible_to != "everyone":
        raise BodyMalformed(
            "What is put in between is as visible as the rules make it: leave `visible_to` out"
        )
    command = Insert(
        before=before,
        command=msgspec.Raw(data.command),
        answers=tuple(map(msgspec.Raw, data.answers)),
        overrule=data.overrule,
        mode=data.mode,
        others=read_withs(data.others),
    )
    return msgspec.json.encode(command)
