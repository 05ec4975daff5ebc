"""The table: as it stands or stood, what can be done now, and what it might lead to."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.params import FromPath, QueryParameter, RequestBody

from api.answers import Answer, answer, answer_unless_known
from api.asking import Command
from api.desk import desk_of
from api.faults import Forbidden
from api.headers import IfNoneMatch
from api.seats import READS, SEATS_PEOPLE, Asked, at_the_table
from eventlog.errors import SessionUnknown
from eventlog.history.points import corrected_at, tape_at
from eventlog.tape import Tape
from projections.difference import Difference, difference
from projections.table import TableDocument, choices_for, odds_for, state_document
from rulesets.contract import Choice, Outcome

MOST = 2**53 - 1

At = Annotated[
    int | None, QueryParameter(ge=0, le=MOST, description="The number of an action; the latest when left out")
]


Corrected = Annotated[
    bool,
    QueryParameter(description="What stands up to that action as it is known now, not as it was known then"),
]


From = Annotated[
    int | None,
    QueryParameter(name="from", ge=0, le=MOST, description="The number of an action; the latest by default"),
]
Against = Annotated[
    str | None, QueryParameter(max_length=80, description="A fork of this session to compare it with (GM)")
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
    request: Asked,
    session: FromPath[str],
    at: At = None,
    corrected: Corrected = False,  # noqa: FBT002 - a query parameter
    if_none_match: IfNoneMatch = None,
) -> Answer[TableDocument]:
    """The table after an action, as it was known then and as the reader may see it."""
    tape = await _tape(request, session, at, corrected=corrected)
    return answer_unless_known(state_document(tape, request.user.viewer), tape.version, if_none_match)


@get("/sessions/{session:str}/diff", before_request=at_the_table(*READS), tags=["table"])
async def show_difference(  # noqa: PLR0913, PLR0917 - two points, of which history, and in which session
    request: Asked,
    session: FromPath[str],
    since: From = None,
    to: At = None,
    corrected: Corrected = False,  # noqa: FBT002 - a query parameter
    against: Against = None,
) -> Answer[Difference]:
    """What changed on the table between two actions, or in a fork: as a JSON Patch of the state, and in lines.

    Left out, `from` and `to` are the latest action. With `against`, `to` is an action of that fork.
    """
    if against is not None:
        _own_fork(request, session, against)
    before = state_document(await _tape(request, session, since, corrected=corrected), request.user.viewer)
    after = await _tape(request, against or session, to, corrected=corrected)
    return answer(difference(before, state_document(after, request.user.viewer)))


def _own_fork(request: Asked, session: str, other: str) -> None:
    """Refuse to compare with anything but a fork of this session, for its GM: nobody else is told of those.

    Raises `Forbidden` or `SessionUnknown`.
    """
    if request.user.role not in SEATS_PEOPLE:
        raise Forbidden(request.user.role, SEATS_PEOPLE)
    if other not in {fork.session for fork in desk_of(request).store.forks(session)}:
        raise SessionUnknown(f"No fork {other} was made of this session", session=other)


async def _tape(request: Asked, session: str, at: int | None, *, corrected: bool) -> Tape[Any]:
    """The tape after an action, told as it was known then or as it is known now."""
    desk = desk_of(request)
    tape = await desk.recorder.tape(session)
    if at is None:
        return tape
    if corrected:
        return corrected_at(desk.store, tape, at)
    return tape if at == tape.action else tape_at(desk.store, session, at, tape)


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
