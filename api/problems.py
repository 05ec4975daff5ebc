"""Every refusal as `application/problem+json` (RFC 9457): one table says which fault becomes which status."""

from __future__ import annotations

import traceback
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from api.allowed import with_allowed
from api.faults import ApiProblem, Forbidden, SessionGone
from api.queries import sent_as, taken_by
from eventlog import errors as log
from eventlog.history import errors as history
from rulesets import errors as faulty
from rulesets.contract import RuleViolation

MEDIA_TYPE = "application/problem+json"

STATUSES: dict[type[Exception], int] = {
    RuleViolation: 422,
    log.CommandMalformed: 422,
    log.KeyReused: 422,
    log.TableDiceOff: 422,
    log.VisibilityNotPossible: 422,
    log.NothingToRedact: 422,
    log.WordsShared: 409,
    log.SessionHasForks: 409,
    log.ImportRefused: 422,
    log.ImportConflict: 409,
    log.NotAnAnswer: 422,
    log.NotAllowed: 403,
    log.SessionUnknown: 404,
    log.ActionUnknown: 404,
    log.CursorUnknown: 410,
    history.HistoryConflict: 409,
    history.AlreadyUndone: 409,
    history.NotUndone: 409,
    history.NothingToUndo: 409,
    history.NothingToAmend: 422,
    history.CorrectedSince: 409,
    history.NotTouched: 409,
    history.AmendInstead: 409,
    history.DiceNeeded: 409,
    history.DiceWereThrown: 409,
    history.DiceTaken: 409,
    history.TooMuchTouched: 409,
    history.UndoOff: 403,
    history.NotYours: 403,
    history.ActedSince: 403,
    history.DiceShown: 403,
    history.RequestOpen: 409,
    history.NoSuchRequest: 409,
    log.SessionIsClosed: 409,
    log.SessionExists: 409,
    log.Busy: 409,
    log.VersionMismatch: 412,
    log.DatabaseInUse: 503,
    log.StoreUnusable: 503,
    log.SeedNotPromised: 503,
    log.EventLogError: 500,
    faulty.RulesetNotInstalled: 409,
    faulty.RulesNotDecided: 409,
    faulty.PoolBelowZero: 422,
    faulty.RulesetError: 500,
    RecursionError: 422,
}
"""Faults that know nothing of HTTP, and their status; a class that is not here counts as its parent."""

CODES: dict[type[Exception], str] = {
    faulty.RulesetNotInstalled: "ruleset-not-installed",
    faulty.RulesNotDecided: "rules-not-decided",
    faulty.PoolBelowZero: "pool-below-zero",
    faulty.RulesetError: "ruleset-broken",
    RecursionError: "nested-too-deep",
}
"""Codes of those that carry none themselves."""

ANSWERED: dict[int, tuple[str, str]] = {
    404: ("unknown-route", "There is nothing at this path; /schema lists what there is"),
    405: ("method-not-allowed", "The path is there, but not for this method; `Allow` lists those it takes"),
    413: ("body-too-large", "The body is larger than this route takes (256 KiB; 64 MiB for an import)"),
}
"""What the framework refuses before a route is reached: the code and the words, by status."""


def problem_response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The answer to a request that failed, whatever failed."""
    if isinstance(error, log.SessionUnknown):
        error = _removed(request) or error
    elif isinstance(error, ValidationException):
        error = _as_sent(request, error)
    status, document = problem_of(error)
    request.scope["tabletape_code"] = document["code"]  # type: ignore[typeddict-unknown-key]  # for the log line
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        request.scope["tabletape_fault"] = place(error)  # type: ignore[typeddict-unknown-key]  # as above
    if status in {409, 412, 422}:
        document.update(_version(request, document))
    return Response(
        msgspec.json.encode(document, enc_hook=str),
        status_code=status,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "private, no-store", **_headers(error)},
    )


def place(error: BaseException) -> str:
    """What broke and where, innermost first. Never its message or values: they may hold what was sent."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    return " < ".join([type(error).__name__, *(f"{frame.filename}:{frame.lineno}" for frame in frames)])


def problem_of(error: Exception) -> tuple[int, dict[str, Any]]:
    """The status and the document of a fault."""
    status = _status(error)
    code, detail, fields = _particulars(error)
    document: dict[str, Any] = {
        "type": f"urn:tabletape:problem:{code}",
        "title": code.replace("-", " ").capitalize(),
        "status": status,
        "code": code,
        "detail": detail,
    }
    if isinstance(error, RuleViolation):
        document["overrulable"] = error.overrulable
    return status, {**document, **{name: value for name, value in fields.items() if name not in document}}


def _status(error: Exception) -> int:
    if isinstance(error, ApiProblem):
        return error.status
    if isinstance(error, ValidationException):
        return 422
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, RuleViolation) and error.code == Forbidden.code:
        return Forbidden.status
    return next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 500)


def _particulars(error: Exception) -> tuple[str, str, dict[str, Any]]:
    """Its code, its words and its typed fields. What is not ours to show says nothing of itself."""
    if isinstance(error, ApiProblem | RuleViolation | log.EventLogError):
        return error.code, error.message, error.fields
    if isinstance(error, HTTPException):
        return _of_the_framework(error)
    code = next((CODES[kind] for kind in type(error).__mro__ if kind in CODES), None)
    if isinstance(error, faulty.RulesetError) and code:
        return code, str(error), {}
    if code:
        return code, "The request is nested too deeply; no table needs that", {}
    return "server-error", "Something broke in the server; nothing was recorded. The log has the details.", {}


def _as_sent(request: Request[Any, Any, Any], error: ValidationException) -> ValidationException:
    """The fault with its parameters called what they are sent under, and the words they take."""
    if isinstance(error.extra, list):
        names, words = sent_as(request.route_handler), taken_by(request.route_handler)
        error.extra = [
            {
                **fault,
                "key": names.get(fault.get("key"), fault.get("key")),
                "message": with_allowed(fault["message"], words.get(fault.get("key"), ())),
            }
            for fault in error.extra
        ]
    return error


def _of_the_framework(error: HTTPException) -> tuple[str, str, dict[str, Any]]:
    if isinstance(error, ValidationException):
        faults = error.extra if isinstance(error.extra, list) else []
        words = "; ".join(f"{fault.get('key', 'request')}: {fault['message']}" for fault in faults)
        return "malformed-parameter", words or error.detail, {}
    if error.status_code in ANSWERED:
        return *ANSWERED[error.status_code], {}
    if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "server-error", "Something broke in the server; nothing was recorded.", {}
    return "bad-request", error.detail, {}


def _headers(error: Exception) -> dict[str, str]:
    if isinstance(error, ApiProblem):
        return error.headers
    if isinstance(error, HTTPException) and error.headers:
        return {name.title(): value for name, value in error.headers.items()}
    return {}


def _removed(request: Request[Any, Any, Any]) -> SessionGone | None:
    """Whether the unknown session was here once. Only who may see every session gets as far as asking."""
    removed = request.app.state.desk.store.removed(request.path_params.get("session", ""))
    if removed is None:
        return None
    return SessionGone(
        "This session was removed; its last receipt is all that is left of it",
        version=removed.version,
        head_hash=removed.hash.hex(),
        removed_at=removed.removed_at,
    )


def _version(request: Request[Any, Any, Any], document: dict[str, Any]) -> dict[str, int]:
    """Where the session stands, so that the sender need not ask."""
    session = request.path_params.get("session")
    if "version" in document or session is None or "user" not in request.scope:
        return {}
    try:
        return {"version": request.app.state.desk.store.head(session).version}
    except log.EventLogError:
        return {}
