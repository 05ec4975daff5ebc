"""The log: its readable lines, its events, what was counted in it, and whether it is whole."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import get
from litestar.params import FromPath, QueryParameter

from api.answers import Answer, answer
from api.desk import desk_of
from api.frames import Events
from api.narrowing import id_named, types_named
from api.routes.table import MOST
from api.seats import READS, Asked, at_the_table
from eventlog.verification import Verification, verify_for
from projections.entries import Entry
from projections.events import event_page, parse_cursor
from projections.statistics import Statistics, statistics
from projections.timeline import TimelinePage, Wanted, timeline, timeline_entry

MOST_ON_A_PAGE = 500

ActionNumber = Annotated[int | None, QueryParameter(ge=0, le=MOST, description="The number of an action")]
Limit = Annotated[int, QueryParameter(ge=1, le=MOST_ON_A_PAGE, description="How many at most")]
Words = Annotated[str | None, QueryParameter(max_length=200, description="Words the line contains")]
Named = Annotated[str | None, QueryParameter(max_length=80, description="An id the entry names")]
Kind = Annotated[
    str | None, QueryParameter(max_length=80, description="The `type` of its command or of an answer")
]
Round = Annotated[
    int | None, QueryParameter(ge=0, le=MOST, description="The round of a conflict it happened in")
]
Undone = Annotated[bool | None, QueryParameter(description="Only what was undone, or only what stands")]


@get("/sessions/{session:str}/actions", before_request=at_the_table(*READS), tags=["log"])
async def list_actions(  # noqa: PLR0913, PLR0917 - each is one way to narrow the list
    request: Asked,
    session: FromPath[str],
    after: ActionNumber = None,
    before: ActionNumber = None,
    limit: Limit = 100,
    character: Named = None,
    kind: Kind = None,
    round: Round = None,  # noqa: A002 - the rule book's word
    undone: Undone = None,
    text: Words = None,
) -> Answer[TimelinePage]:
    """The timeline, forwards from `after` or backwards from `before`; undone actions are struck through."""
    page = await asyncio.to_thread(
        timeline,
        desk_of(request).store,
        session,
        request.user.viewer,
        after=after,
        before=before,
        limit=limit,
        wanted=Wanted(character=id_named(character), kind=kind, round=round, undone=undone, text=text),
    )
    return answer(page)


@get("/sessions/{session:str}/actions/{number:int}", before_request=at_the_table(*READS), tags=["log"])
async def show_action(request: Asked, session: FromPath[str], number: FromPath[int]) -> Answer[Entry]:
    """One line of the timeline."""
    return answer(timeline_entry(desk_of(request).store, session, request.user.viewer, number))


@get("/sessions/{session:str}/events", before_request=at_the_table(*READS), tags=["log"])
async def list_events(
    request: Asked,
    session: FromPath[str],
    after: Annotated[
        str | None, QueryParameter(max_length=40, description="A cursor, or a bare `seq`")
    ] = None,
    limit: Limit = 100,
    types: Annotated[
        str | None,
        QueryParameter(name="type", max_length=1000, description="Type names, with commas between"),
    ] = None,
) -> Answer[Events]:
    """The events themselves. A page once read never changes; hidden ones keep their place and show a digest."""
    store = desk_of(request).store
    start = parse_cursor(store, session, after) if after else 0
    wanted = types_named(store, session, types)
    page = event_page(store, session, request.user.viewer, after=start, limit=limit, types=wanted)
    return answer(Events(events=page.events, version=page.version, next=page.next))


@get("/sessions/{session:str}/statistics", before_request=at_the_table(*READS), tags=["log"])
async def show_statistics(request: Asked, session: FromPath[str]) -> Answer[Statistics]:
    """Luck and deeds, counted from what the reader may see."""
    return answer(await asyncio.to_thread(statistics, desk_of(request).store, session, request.user.viewer))


@get("/sessions/{session:str}/verification", before_request=at_the_table(*READS), tags=["log"])
async def show_verification(request: Asked, session: FromPath[str]) -> Answer[Verification]:
    """Whether the log is whole: its chain, its order, every command decided again, every die once the seed is out.

    All of it is checked for everybody; what a reader may not see is counted for the GM alone.
    """
    return answer(await asyncio.to_thread(verify_for, desk_of(request).store, session, request.user.viewer))
