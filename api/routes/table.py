"""The table: as it stands or stood, what can be done now, and what it might lead to."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import FromPath, QueryParameter, RequestBody

from api.answers import Answer, answer, answer_unless_known
from api.desk import desk_of
from api.headers import IfNoneMatch
from api.routes.actions import Command
from api.seats import READS, Asked, at_the_table
from eventlog.history.points import tape_at
from projections.table import TableDocument, choices_for, odds_for, state_document
from rulesets.contract import Choice, Outcome

MOST = 2**53 - 1

At = Annotated[
    int | None, QueryParameter(ge=0, le=MOST, description="The number of an action; the latest when left out")
]


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What can be done now by the reader, who else may do it, and within which limits."""

    version: int
    choices: tuple[Choice, ...]


class Ask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command that was not sent yet."""

    command: Command


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """The exact chances of everything a command can come to; empty where nothing is thrown."""

    version: int
    outcomes: tuple[Outcome, ...]


@get("/sessions/{session:str}/state", before_request=at_the_table(*READS), tags=["table"])
async def show_state(
    request: Asked, session: FromPath[str], at: At = None, if_none_match: IfNoneMatch = None
) -> Answer[TableDocument]:
    """The table after an action, as it was known then and as the reader may see it."""
    desk = desk_of(request)
    tape = await desk.recorder.tape(session)
    if at is not None and at != tape.action:
        tape = tape_at(desk.store, session, at)
    return answer_unless_known(state_document(tape, request.user.viewer), tape.version, if_none_match)


@get("/sessions/{session:str}/choices", before_request=at_the_table(*READS), tags=["table"])
async def show_choices(request: Asked, session: FromPath[str]) -> Answer[Choices]:
    """What can be done now: drives forms and bots."""
    tape = await desk_of(request).recorder.tape(session)
    choices = choices_for(tape, request.user.viewer)
    return answer(Choices(version=tape.version, choices=choices), version=tape.version)


@post("/sessions/{session:str}/odds", before_request=at_the_table(*READS), status_code=200, tags=["table"])
async def show_odds(request: Asked, session: FromPath[str], data: RequestBody[Ask]) -> Answer[Odds]:
    """The exact chances of a command, before it is sent. Nothing is recorded and no die is drawn."""
    tape = await desk_of(request).recorder.tape(session)
    outcomes = odds_for(tape, request.user.viewer, bytes(data.command))
    return answer(Odds(version=tape.version, outcomes=outcomes), version=tape.version)
