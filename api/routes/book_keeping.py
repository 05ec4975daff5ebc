"""Book-keeping beside the game: notes, settings, words taken out, the close. Each is one recorded action."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import patch, post
from litestar.params import FromPath, RequestBody

from api.answers import Answer, answer
from api.desk import desk_of
from api.headers import IdempotencyKey, IfMatch, expected_version, request_key
from api.recording import Accepted, recorded
from api.seats import ACTS, GAME_MASTER, Asked, at_the_table
from eventlog import requests
from eventlog.core import AddNote, ChangeSetting, CloseSession, RedactText, VisibleTo
from eventlog.settings import Settings
from rulesets.contract import Text

Seq = Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
ActionNumber = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


class WriteNote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words for the log, perhaps about an action, perhaps not for everybody."""

    text: Text
    about: ActionNumber | None = None
    visible_to: VisibleTo = "everyone"


class Redact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which event's words go for good, and why."""

    seq: Seq
    reason: Text = ""


class Close(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Last words of a session."""

    text: Text = ""


class ChangeSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The settings that change; those left out stay. What they mean stands at the session."""

    undo: Literal["off", "gm", "own_last", "request"] | None = None
    rulings: Literal["ask", "default"] | None = None
    table_dice: Literal["off", "gm", "all"] | None = None
    redraw_after_undo: Literal["same", "fresh"] | None = None


class SettingsNow(msgspec.Struct, frozen=True, kw_only=True):
    """The settings after a change."""

    settings: Settings
    version: int
    head_hash: str


@post("/sessions/{session:str}/notes", before_request=at_the_table(*ACTS), tags=["book-keeping"])
async def write_note(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[WriteNote],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted]:
    """Write something down. Notes are never undone; their words can be redacted."""
    command = AddNote(text=data.text, about=data.about)
    asked = await _asked(request, session, command, idempotency_key, if_match)
    return await recorded(request, session, msgspec.structs.replace(asked, visible_to=data.visible_to))


@post("/sessions/{session:str}/redactions", before_request=at_the_table(*GAME_MASTER), tags=["book-keeping"])
async def redact(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[Redact],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted]:
    """Remove somebody's own words from one event, for good. That it happened stays in the log."""
    command = RedactText(seq=data.seq, reason=data.reason)
    return await recorded(
        request, session, await _asked(request, session, command, idempotency_key, if_match)
    )


@post("/sessions/{session:str}/close", before_request=at_the_table(*GAME_MASTER), tags=["book-keeping"])
async def close(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[Close],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Answer[Accepted]:
    """End the session and reveal its seed, so that anybody can check every die. Nothing can be added after."""
    command = CloseSession(text=data.text)
    return await recorded(
        request, session, await _asked(request, session, command, idempotency_key, if_match)
    )


@patch("/sessions/{session:str}/settings", before_request=at_the_table(*GAME_MASTER), tags=["book-keeping"])
async def change_settings(
    request: Asked, session: FromPath[str], data: RequestBody[ChangeSettings], if_match: IfMatch = None
) -> Answer[SettingsNow]:
    """Change how the table plays with its recorder; each setting that really changes is one action."""
    recorder, expected = desk_of(request).recorder, expected_version(if_match)
    tape = await recorder.tape(session)
    requests.check_version(tape.version, expected)
    now = msgspec.structs.asdict(tape.settings)
    wanted = {name: value for name, value in msgspec.structs.asdict(data).items() if value is not None}
    changes = {name: value for name, value in wanted.items() if value != now[name]}
    for name, value in changes.items():
        command = msgspec.json.encode(ChangeSetting(name=name, value=value))  # type: ignore[arg-type]  # its own names
        asked = requests.Request(command=command, issuer=request.user.issuer, expected=expected)
        tape, expected = (await recorder.record(session, asked)).tape, None
    document = SettingsNow(settings=tape.settings, version=tape.version, head_hash=tape.hash.hex())
    return answer(document, version=tape.version)


async def _asked(
    request: Asked, session: str, command: msgspec.Struct, key: str | None, if_match: str | None
) -> requests.Request:
    return requests.Request(
        command=msgspec.json.encode(command),
        issuer=request.user.issuer,
        key=request_key(request, key, session, await request.body()),
        expected=expected_version(if_match),
    )
