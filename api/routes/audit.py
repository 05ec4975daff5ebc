"""The audit: what a table needs to talk about its dice, its rulings and its corrections."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from litestar import get
from litestar.params import FromPath, QueryParameter

from api.answers import Answer, answer
from api.desk import desk_of
from api.routes.table import MOST
from api.seats import READS, Asked, at_the_table
from api.streams import streamed
from projections.audit import Audit, audit, ledger
from projections.spreadsheet import ledger_csv

CSV = "text/csv; header=present"
MOST_ON_A_PAGE = 1000


@get("/sessions/{session:str}/audit", before_request=at_the_table(*READS), tags=["log"])
async def show_audit(
    request: Asked,
    session: FromPath[str],
    after: Annotated[
        int,
        QueryParameter(ge=0, le=MOST, description="The `next` of the page before: the number of an event"),
    ] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_ON_A_PAGE, description="How much at most")] = 200,
    form: Annotated[
        Literal["json", "csv"],
        QueryParameter(name="format", description="A page, or every die as a table for spreadsheets (csv)"),
    ] = "json",
) -> Answer[Audit]:
    """Every die with what it was thrown for and by whom, rulings, what the GM set by hand, who corrected how often."""
    store, viewer = desk_of(request).store, request.user.viewer
    if form == "csv":
        lines = ledger_csv(await asyncio.to_thread(ledger, store, session, viewer))
        return await streamed(lines, CSV, f"tabletape-{session}-dice.csv")
    return answer(await asyncio.to_thread(audit, store, session, viewer, after=after, limit=limit))
