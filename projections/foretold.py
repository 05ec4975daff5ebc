"""The line an action would have after a correction that was only looked at, as one person may read it."""

from __future__ import annotations

from typing import Any

from eventlog.audience import visible
from eventlog.commands import command_type, rules_of, tag_of
from eventlog.core import CORE_EVENTS, RulingMade
from eventlog.history.retold import Retold
from eventlog.history.touching import Revised
from eventlog.tape import Tape
from projections.telling import ruled, told
from rulesets.installed import ruleset_named
from rulesets.people import Viewer

_CORE = tuple(CORE_EVENTS)


def foretold(tape: Tape[Any], revised: Revised, viewer: Viewer) -> str | None:
    """The action with its answers as it would be; `None` where this person may see nothing of it."""
    answers = frozenset(map(tag_of, rules_of(tape.ruleset, tape.rules).answers))
    steps = [each for each in revised.again.steps if _folds_in(each, revised.slot, answers)]
    seen = [(draft.event, each.step.by) for each in steps for draft in visible(viewer, each.drafts)]
    game = [event for event, _ in seen if not isinstance(event, _CORE)]
    words = [ruleset_named(tape.ruleset).record.describe(revised.again.state, game)] if game else []
    words += [told(event, by) for event, by in seen if isinstance(event, _CORE)]
    words += [ruled(event) for event, _ in seen if isinstance(event, RulingMade)]
    return "; ".join(filter(None, words)) or None


def _folds_in(retold: Retold, slot: int, answers: frozenset[str]) -> bool:
    """Whether a step is told in the line of the slot: the action itself and its answers are."""
    return retold.step.action == slot or command_type(retold.step.command) in answers
