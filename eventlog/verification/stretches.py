"""Stretches of a stored log that can be walked by themselves: each from a checkpoint that the one before it proves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec

from eventlog.envelope import Envelope
from eventlog.history.copied import AsLogged
from eventlog.logs import Checkpoint, Logs
from eventlog.tape import Tape, unwrap
from eventlog.verification.walking import Walk, Walked
from rulesets.contract import Ruleset
from rulesets.installed import ruleset_named

ACTIONS_A_STRETCH = 128
ACTIONS_AT_ONCE = 128


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """The actions of a log after the checkpoint of one (`None`: from its opening on), up to another."""

    session: str
    after: int | None
    upto: int
    redecide: bool


def stretches(logs: Logs, session: str, upto: int, *, redecide: bool) -> list[Stretch]:
    """The whole log up to an action, in order. They end only where a checkpoint can be read."""
    ruleset, found = ruleset_named(logs.head(session).ruleset), list[Stretch]()
    after: int | None = None
    for action in range(ACTIONS_A_STRETCH, upto, ACTIONS_A_STRETCH):
        kept = logs.checkpoint(session, action)
        if kept is not None and kept.action > (after or 0) and _tape(ruleset, session, kept) is not None:
            found.append(Stretch(session=session, after=after, upto=kept.action, redecide=redecide))
            after = kept.action
    return [*found, Stretch(session=session, after=after, upto=upto, redecide=redecide)]


def walked(logs: Logs, stretch: Stretch) -> Walked:
    """What a walk over a stretch finds."""
    session, tape, after = stretch.session, None, stretch.after
    ruleset = ruleset_named(logs.head(session).ruleset)
    on_the_way = logs.checkpoints(session, 0 if after is None else after, stretch.upto)
    if after is not None:
        tape = _tape(ruleset, session, on_the_way.pop(0))
    walk = Walk(
        session=session,
        ruleset=ruleset,
        log=AsLogged(logs),
        redecide=stretch.redecide,
        checkpoints={kept.action: kept.tape for kept in on_the_way},
        tape=tape,
    )
    return walk.over(_actions(logs, stretch))


def _tape(ruleset: Ruleset[Any], session: str, kept: Checkpoint) -> Tape[Any] | None:
    """The tape of a checkpoint; `None` where it was spoilt, or made for another shape of the table."""
    try:
        return unwrap(ruleset, session, kept.tape)
    except (msgspec.MsgspecError, ValueError):
        return None


def _actions(logs: Logs, stretch: Stretch) -> Iterator[list[Envelope]]:
    """The events of each action."""
    first = 0 if stretch.after is None else stretch.after + 1
    while first <= stretch.upto:
        last = min(first + ACTIONS_AT_ONCE - 1, stretch.upto)
        for _, events in groupby(logs.actions(stretch.session, first, last), key=attrgetter("action")):
            yield list(events)
        first = last + 1
