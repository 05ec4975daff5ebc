"""Every fault as one sentence and an exit code."""

from __future__ import annotations

from api.cli.exits import Ended, Exit
from api.cli.wording import how_to_be_let_in, in_options, options_of
from api.faults import NotIdentified
from api.scenes.errors import SceneError
from api.settings import AdminKeyMissing, NetworkMalformed
from api.webhooks.addresses import TargetRefused
from eventlog import errors as log
from rulesets.contract import RuleViolation
from rulesets.errors import RulesetError, RulesetNotInstalled
from tabletape.client.problem import Problem, Unreachable

CODES: dict[type[Exception], Exit] = {
    SceneError: Exit.USAGE,
    AdminKeyMissing: Exit.USAGE,
    NetworkMalformed: Exit.USAGE,
    TargetRefused: Exit.REFUSED,
    log.SessionUnknown: Exit.NOT_FOUND,
    log.ActionUnknown: Exit.NOT_FOUND,
    log.HistoryDoesNotFold: Exit.FAILED,
    log.UnknownEventType: Exit.FAILED,
    log.EventUnreadable: Exit.FAILED,
    log.SequenceBroken: Exit.FAILED,
    log.ChainBroken: Exit.FAILED,
    log.SeedNotPromised: Exit.FAILED,
    log.DatabaseInUse: Exit.UNUSABLE,
    log.DatabaseNewer: Exit.UNUSABLE,
    log.StoreUnusable: Exit.UNUSABLE,
    log.EventLogError: Exit.REFUSED,
    RuleViolation: Exit.REFUSED,
    RulesetNotInstalled: Exit.NOT_FOUND,
    RulesetError: Exit.FAILED,
}
"""Faults that are somebody's to mend; a class that is not here counts as its parent."""


def ended_by(error: Exception, arguments: list[str]) -> Ended | None:
    """How a command ends that was typed with these arguments and met this fault; `None` for a mistake of ours."""
    if isinstance(error, Ended):
        return error
    options = options_of(arguments)
    if isinstance(error, Problem):
        shut_out = error.code == NotIdentified.code
        said = how_to_be_let_in(options) if shut_out else in_options(error.message, options)
        return Ended(said, _by_answer(error))
    code = next((CODES[kind] for kind in type(error).__mro__ if kind in CODES), None)
    if code is not None:
        return Ended(in_options(str(error), options), code)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        missing = isinstance(error, FileNotFoundError)
        return Ended(f"{where}{error.strerror or error}", Exit.NOT_FOUND if missing else Exit.UNUSABLE)
    return None


def _by_answer(refused: Problem) -> Exit:
    if isinstance(refused, Unreachable) or refused.status >= 500:
        return Exit.UNREACHABLE
    return Exit.NOT_FOUND if refused.status in {404, 410} else Exit.REFUSED
