"""Sessions: opened, listed, looked at, removed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, QueryParameter, RequestBody

from api.answers import Answer, answer, answer_unless_known
from api.desk import Desk, desk_of
from api.faults import RulesetNotHere
from api.headers import IdempotencyKey, IfNoneMatch, request_key
from api.seats import ADMIN, READS, Asked, Seat, at_the_server, at_the_table
from api.tokens import Issued, draw
from eventlog.core import ForkKind
from eventlog.logs import Head, Parent
from eventlog.recorder import new_id
from eventlog.requests import OpenRequest, Recorded
from eventlog.sealing import now
from eventlog.settings import Settings
from eventlog.tape import Tape
from rulesets.contract import Name, Slug
from rulesets.errors import RulesetNotInstalled
from rulesets.installed import ruleset_named
from rulesets.people import GM

Parameters = Annotated[
    msgspec.Raw,
    msgspec.Meta(
        description="Readings and house rules that differ from the defaults; GET /rulesets/{slug} explains each",
        extra_json_schema={"type": "object"},
    ),
]


class OpenSession(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new session: which game, under which readings and settings."""

    ruleset: Slug
    title: Name
    parameters: Parameters = msgspec.field(default_factory=lambda: msgspec.Raw(b"{}"))
    settings: Settings = Settings()


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A session that was opened, and the GM's token, which is shown this once.

    `dice_commitment` is the SHA-256 of the secret seed of its dice, which the close reveals.
    """

    id: str
    ruleset: str
    title: str
    version: int
    head_hash: str
    dice_commitment: str
    gm_token: str
    links: dict[str, str]


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A session in a list. Times are UTC; `closed_at` is null while it is open."""

    id: str
    title: str
    ruleset: str
    opened_at: str
    changed_at: str
    closed_at: str | None


class SessionList(msgspec.Struct, frozen=True, kw_only=True):
    """Sessions, newest first; `next` is the cursor of the next page, null at the end."""

    sessions: tuple[Listed, ...]
    next: str | None


class Yourself(msgspec.Struct, frozen=True, kw_only=True):
    """Who the token says you are."""

    role: str
    name: str
    characters: tuple[str, ...]


class ForkedFrom(msgspec.Struct, frozen=True, kw_only=True):
    """The session this one began as, and the action after which it did."""

    session: str
    at: int
    kind: ForkKind


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """A session that began as this one was after action `at`."""

    session: str
    title: str
    at: int
    kind: ForkKind
    opened_at: str
    closed_at: str | None


class SessionShown(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session stands. `version` is its last `seq`, `action` the number of its last action.

    `parent` is the session it was forked from, `forks` are those forked from it, which the GM alone is told.
    """

    id: str
    title: str
    ruleset: str
    rules: int
    version: int
    action: int
    head_hash: str
    opened_at: str
    changed_at: str
    closed: bool
    settings: Settings
    dice_commitment: str
    parent: ForkedFrom | None
    forks: tuple[Fork, ...]
    you: Yourself
    links: dict[str, str]


class SessionRemoved(msgspec.Struct, frozen=True, kw_only=True):
    """What stays of a removed session: its id, never used again, and its last receipt."""

    id: str
    version: int
    head_hash: str
    removed_at: str


@post("/sessions", before_request=at_the_server(whole_machine=True), tags=["sessions"])
async def open_session(
    request: Asked, data: RequestBody[OpenSession], idempotency_key: IdempotencyKey = None
) -> Answer[Opened]:
    """Open a session and get the GM's token."""
    desk = desk_of(request)
    _check_installed(data.ruleset)
    gm = draw(new_id(), Seat(session=None, role="gm", name="gm", invite=""))
    asked = OpenRequest(
        ruleset=data.ruleset,
        title=data.title,
        parameters=bytes(data.parameters),
        settings=data.settings,
        issuer=GM,
        key=request_key(request, idempotency_key, "", await request.body()),
        tokens=(gm.token,),
    )
    result = await desk.recorder.open(asked)
    return await opened(desk, result, gm)


def _check_installed(slug: str) -> None:
    try:
        ruleset_named(slug)
    except RulesetNotInstalled as error:
        raise RulesetNotHere(str(error), installed=list(error.installed)) from None


async def opened(desk: Desk, result: Recorded, gm: Issued) -> Answer[Opened]:
    """The answer to a request that opens a session: with the GM's token, a new one where it was given out before."""
    if result.replayed:
        async with desk.tokens.writing:
            gm = desk.tokens.issue(result.tape.session, "gm", "gm")
    document = _opened(result.tape, gm)
    return answer(document, status=201, version=result.tape.version, replayed=result.replayed)


@get("/sessions", before_request=at_the_server(whole_machine=True), tags=["sessions"])
async def list_sessions(
    request: Asked,
    search: Annotated[str, QueryParameter(max_length=200, description="Words of the title or id")] = "",
    after: Annotated[str | None, QueryParameter(description="The `next` of the page before")] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=200, description="How many at most")] = 50,
) -> Answer[SessionList]:
    """The sessions of this server, newest first."""
    page = await asyncio.to_thread(desk_of(request).store.sessions, search=search, after=after, limit=limit)
    return answer(SessionList(sessions=tuple(map(_listed, page.heads)), next=page.next))


@get("/sessions/{session:str}", before_request=at_the_table(*READS), tags=["sessions"])
async def show_session(
    request: Asked, session: FromPath[str], if_none_match: IfNoneMatch = None
) -> Answer[SessionShown]:
    """Where a session stands, its settings, what it was forked from, and who you are in it."""
    desk, seat = desk_of(request), request.user
    tape = await desk.recorder.tape(session)
    parent = desk.store.head(session).parent
    if seat.viewer.role == "gm":
        # Forks come and go, and are closed, while the version stays: no version stands for this answer.
        return answer(_shown(tape, seat, parent, desk.store.forks(session)))
    return answer_unless_known(_shown(tape, seat, parent), tape.version, if_none_match)


@delete("/sessions/{session:str}", before_request=at_the_table(*ADMIN), status_code=200, tags=["sessions"])
async def remove_session(request: Asked, session: FromPath[str]) -> Answer[SessionRemoved]:
    """Remove a session that was opened by mistake, whole. Its id and last receipt stay."""
    desk = desk_of(request)
    removed = await asyncio.to_thread(desk.store.remove, session, now())
    desk.recorder.forget(session)
    desk.tokens.forget(session)
    return answer(
        SessionRemoved(
            id=removed.session,
            version=removed.version,
            head_hash=removed.hash.hex(),
            removed_at=removed.removed_at,
        )
    )


def _opened(tape: Tape[Any], gm: Issued) -> Opened:
    return Opened(
        id=tape.session,
        ruleset=tape.ruleset,
        title=tape.title,
        version=tape.version,
        head_hash=tape.hash.hex(),
        dice_commitment=tape.dice_commitment,
        gm_token=gm.secret,
        links=links(tape.session),
    )


def _listed(head: Head) -> Listed:
    return Listed(
        id=head.session,
        title=head.title,
        ruleset=head.ruleset,
        opened_at=head.opened_at,
        changed_at=head.changed_at,
        closed_at=head.closed_at,
    )


def _shown(tape: Tape[Any], seat: Seat, parent: Parent | None, forks: Iterable[Head] = ()) -> SessionShown:
    return SessionShown(
        id=tape.session,
        title=tape.title,
        ruleset=tape.ruleset,
        rules=tape.rules,
        version=tape.version,
        action=tape.action,
        head_hash=tape.hash.hex(),
        opened_at=tape.opened_at,
        changed_at=tape.at,
        closed=tape.closed,
        settings=tape.settings,
        dice_commitment=tape.dice_commitment,
        parent=None if parent is None else _forked_from(parent),
        forks=tuple(_fork(head, head.parent) for head in forks if head.parent is not None),
        you=Yourself(role=seat.role, name=seat.name, characters=seat.characters),
        links=links(tape.session),
    )


def _forked_from(parent: Parent) -> ForkedFrom:
    return ForkedFrom(session=parent.session, at=parent.at, kind=parent.kind)


def _fork(head: Head, parent: Parent) -> Fork:
    return Fork(
        session=head.session,
        title=head.title,
        at=parent.at,
        kind=parent.kind,
        opened_at=head.opened_at,
        closed_at=head.closed_at,
    )


def links(session: str) -> dict[str, str]:
    """Where the parts of a session are."""
    parts = (
        "actions",
        "state",
        "choices",
        "events",
        "statistics",
        "audit",
        "verification",
        "export",
        "feed",
        "webhooks",
        "invites",
    )
    return {"self": f"/sessions/{session}", **{part: f"/sessions/{session}/{part}" for part in parts}}
