"""Actions: what somebody asks of a session, and the answer once it is on disk."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import post
from litestar.params import FromPath, RequestBody

from api.answers import Answer, answer
from api.desk import desk_of
from api.frames import ShownFrame
from api.headers import IdempotencyKey, IfMatch, expected_version, request_key
from api.seats import ACTS, Asked, at_the_table
from eventlog import requests
from eventlog.core import VisibleTo
from projections.events import event_frames
from projections.table import choices_for
from rulesets.contract import Choice, Text
from rulesets.people import Viewer

MOST_ANSWERS = 50
MOST_DICE = 1000

Command = Annotated[
    msgspec.Raw,
    msgspec.Meta(
        description="A command of the session's ruleset, or one of the recorder's own, named by its `type`",
        extra_json_schema={"$ref": "#/components/schemas/Command"},
    ),
]
Code = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{0,59}$", description="A refusal's code")]


class TakeAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command, perhaps with answers to the questions it will open and faces thrown at the table.

    Without `dice` the server throws. `overrule` names refusals the GM passes over, `text` says why, or what it
    looks like. `visible_to` hides rolls and notes; a command of the game cannot be hidden.
    """

    command: Command
    answers: Annotated[tuple[Command, ...], msgspec.Meta(max_length=MOST_ANSWERS)] = ()
    dice: (
        Annotated[
            tuple[Annotated[int, msgspec.Meta(ge=0, le=1_000_000)], ...], msgspec.Meta(max_length=MOST_DICE)
        ]
        | None
    ) = None
    text: Text = ""
    overrule: Annotated[tuple[Code, ...], msgspec.Meta(max_length=20)] = ()
    visible_to: VisibleTo = "everyone"


class Accepted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an action led to, for the eyes of who asked: its events, and what can be done next.

    `version` is the last `seq` of the session, `head_hash` the receipt of everything up to it. `ignored` tells
    that the command had nothing left to do, so that nothing was recorded.
    """

    action: int
    version: int
    head_hash: str
    events: tuple[ShownFrame, ...]
    choices: tuple[Choice, ...]
    ignored: bool = False


@post("/sessions/{session:str}/actions", before_request=at_the_table(*ACTS), tags=["actions"])
async def take_action(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[TakeAction],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted]:
    """Record a command with everything it causes, whole or not at all."""
    asked = requests.Request(
        command=bytes(data.command),
        answers=tuple(map(bytes, data.answers)),
        dice=data.dice,
        text=data.text,
        overrule=data.overrule,
        visible_to=data.visible_to,
        issuer=request.user.issuer,
        key=request_key(request, idempotency_key, session, await request.body()),
        expected=expected_version(if_match),
    )
    return await recorded(request, session, asked)


async def recorded(request: Asked, session: str, asked: requests.Request) -> Answer[Accepted]:
    """Record a request and answer with what its issuer may see of what it led to."""
    result = await desk_of(request).recorder.record(session, asked)
    request.scope["tabletape_action"] = result.tape.action  # type: ignore[typeddict-unknown-key]  # for the log line
    return answer(
        accepted(result, asked.issuer),
        status=200 if result.ignored else 201,
        version=result.tape.version,
        replayed=result.replayed,
    )


def accepted(result: requests.Recorded, viewer: Viewer) -> Accepted:
    """The answer to a recorded request, filtered for the viewer."""
    tape = result.tape
    return Accepted(
        action=tape.action,
        version=tape.version,
        head_hash=tape.hash.hex(),
        events=event_frames(result.events, viewer),
        choices=choices_for(tape, viewer),
        ignored=result.ignored,
    )
