"""Recording what was asked, and answering for the eyes of who asked; all routes that write come through here."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from api.answers import Answer, Spelled, answer
from api.desk import desk_of
from api.foresight import foreseen, with_lines
from api.frames import ShownFrame
from api.seats import Asked
from eventlog import requests
from eventlog.history.errors import HistoryConflict
from projections.events import event_frames
from projections.table import choices_for
from rulesets.contract import Choice
from rulesets.people import Viewer

_CHOICES = Spelled()


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


class Receipt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """That an action is on disk, for a sender who prefers to hear no more (`Prefer: return=minimal`).

    `version` is the last `seq` of the session, `head_hash` proves everything up to it. `ignored` tells that the
    command had nothing left to do, so that nothing was recorded.
    """

    action: int
    version: int
    head_hash: str
    ignored: bool = False


async def recorded(request: Asked, session: str, asked: requests.Request) -> Answer[Any]:
    """Record a request and answer with what its issuer may see of what it led to.

    A correction refused for what it touches says so in lines, by whichever route it came.
    """
    desk = desk_of(request)
    try:
        result = await desk.recorder.record(session, asked)
    except HistoryConflict as conflict:
        touched, tape = conflict.fields["touched"], await desk.recorder.tape(session)
        conflict.fields["touched"] = with_lines(desk.store, tape, asked.issuer, touched, conflict.revised)
        raise
    request.scope["tabletape_action"] = result.tape.action  # type: ignore[typeddict-unknown-key]  # for the log line
    given = answer(
        accepted(result, asked.issuer) if asked.tells else _receipt(result),
        status=200 if result.ignored else 201,
        version=result.tape.version,
        replayed=result.replayed,
    )
    return given if asked.tells else given.also(b"preference-applied", b"return=minimal")


def accepted(result: requests.Recorded, viewer: Viewer) -> Accepted:
    """The answer to a recorded request, filtered for the viewer."""
    tape = result.tape
    return Accepted(
        action=tape.action,
        version=tape.version,
        head_hash=tape.hash.hex(),
        events=_frames(result, viewer),
        choices=tuple([_CHOICES.spelled(choice) for choice in choices_for(tape, viewer)]),
        ignored=result.ignored,
    )


def _receipt(result: requests.Recorded) -> Receipt:
    tape = result.tape
    return Receipt(
        action=tape.action, version=tape.version, head_hash=tape.hash.hex(), ignored=result.ignored
    )


def _frames(result: requests.Recorded, viewer: Viewer) -> tuple[ShownFrame, ...]:
    """The events in the answer: the JSON that was made where they were stored may stand in their place."""
    if result.frames:
        return cast("tuple[ShownFrame, ...]", msgspec.Raw(result.frames))
    return event_frames(result.events, viewer)


async def corrected(request: Asked, session: str, asked: requests.Request, *, dry_run: bool) -> Answer[Any]:
    """Record a correction, or tell what it would do."""
    if not dry_run:
        return await recorded(request, session, asked)
    desk = desk_of(request)
    tape, told = await desk.recorder.foresee(session, asked)
    return answer(foreseen(desk.store, tape, told, request.user.viewer), version=tape.version)
