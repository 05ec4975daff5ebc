"""Copies: a log goes out as lines of JSON, and a complete one comes in."""

from __future__ import annotations

import asyncio
from base64 import b32encode
from hashlib import sha256
from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath, QueryParameter, RawBody

from api.answers import Answer, answer
from api.body import JSON, expect
from api.desk import Desk, desk_of
from api.headers import IdempotencyKey, check_key
from api.routes.sessions import links
from api.seats import READS, Asked, at_the_server, at_the_table
from api.streams import Streamed, streamed
from eventlog.archive import CheckedCopy, Imported, checked_copy, foreseen, take_in
from eventlog.recorder import new_id
from projections.copies import SUFFIXES, Form, copy_lines

LINES = "application/x-ndjson"
MEDIA_TYPES: dict[Form, str] = {
    "jsonl": LINES,
    "csv": "text/csv; header=present",
    "markdown": "text/markdown",
    "text": "text/plain",
}
LARGEST_IMPORT = 64 * 1024 * 1024
CHARSET = "; charset=utf-8"


As = Annotated[
    Literal["fork"] | None,
    QueryParameter(
        name="as",
        description="`fork`: take the copy in as a new session that goes on from its end, whatever is here already",
    ),
]


class ImportedSession(msgspec.Struct, frozen=True, kw_only=True):
    """A log that was taken in: `added` events, none when it was here already.

    `gm_token` is shown this once; null where the session has its tokens already. After a dry run nothing was
    stored, and `version` and `added` are what they would have been.
    """

    id: str
    title: str
    ruleset: str
    version: int
    added: int
    gm_token: str | None
    dry_run: bool
    links: dict[str, str]


@get("/sessions/{session:str}/export", before_request=at_the_table(*READS), media_type=LINES, tags=["copies"])
async def export(
    request: Asked,
    session: FromPath[str],
    form: Annotated[
        Form, QueryParameter(name="format", description="The log (jsonl), its dice (csv), or its story")
    ] = "jsonl",
) -> Streamed:
    """A session as a file, as far as the reader may see it: its log (the GM's is complete), its dice, or its story."""
    lines = await asyncio.to_thread(copy_lines, desk_of(request).store, session, request.user.viewer, form)
    media_type = f"{MEDIA_TYPES[form]}{CHARSET if form in ('markdown', 'text') else ''}"
    return await streamed(lines, media_type, f"tabletape-{session}.{SUFFIXES[form]}")


@post(
    "/sessions/import",
    before_request=at_the_server(),
    request_max_body_size=LARGEST_IMPORT,
    tags=["copies"],
)
async def import_session(
    request: Asked,
    body: RawBody,
    *,
    dry_run: Annotated[
        bool, QueryParameter(description="Check everything and say what would happen; store nothing")
    ] = False,
    kind: As = None,
    idempotency_key: IdempotencyKey = None,
) -> Answer[ImportedSession]:
    """Take in a complete copy of a log, all of it or nothing. The same log again adds nothing.

    As a fork it becomes a session of its own, with its own dice, that goes on from the copy's end.
    """
    expect(request.scope["headers"], LINES, JSON)
    fork = None if kind is None else _fork_for(request, idempotency_key)
    copy = await asyncio.to_thread(checked_copy, body.splitlines(), fork)
    if dry_run:
        planned = await asyncio.to_thread(foreseen, desk_of(request).store, copy)
        return answer(_imported(copy, planned, dry_run=True), version=planned.version)
    taken = await take_in(desk_of(request).recorder, copy)
    token = await _first_token(desk_of(request), taken.session, again=fork is not None)
    return answer(_imported(copy, taken, token), status=201 if taken.added else 200, version=taken.version)


def _fork_for(request: Asked, key: str | None) -> str:
    """The id of the fork a request makes: with a key the same each time, since its answer may have been lost."""
    if key is None:
        return new_id()
    check_key(key)
    return b32encode(sha256(f"import\n{request.user.invite}\n{key}".encode()).digest()[:10]).decode().lower()


async def _first_token(desk: Desk, session: str, *, again: bool) -> str | None:
    """The token of the GM of a session that has none yet; `again`, in place of one whose answer was lost."""
    async with desk.tokens.writing:
        known = desk.store.tokens(session)
        return None if known and not again else desk.tokens.issue(session, "gm", "gm").secret


def _imported(
    copy: CheckedCopy, taken: Imported, token: str | None = None, *, dry_run: bool = False
) -> ImportedSession:
    return ImportedSession(
        id=taken.session,
        title=copy.header.title,
        ruleset=copy.header.ruleset,
        version=taken.version,
        added=taken.added,
        gm_token=token,
        dry_run=dry_run,
        links=links(taken.session),
    )
