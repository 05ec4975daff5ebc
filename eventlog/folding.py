"""One more fact on a table: the step of every fold that is told through a history, and what it comes to when it fails."""

from __future__ import annotations

from typing import Any

from eventlog.errors import EventLogError, HistoryDoesNotFold
from rulesets.contract import Event, Ruleset


def with_fact(ruleset: Ruleset[Any], state: Any, event: Event, seq: int) -> Any:
    """The table after one more event of the game, which stands in the log as number `seq`.

    Raises `HistoryDoesNotFold`, whatever it is that the event does not find on the table.
    """
    try:
        return ruleset.record.evolve(state, event)
    except EventLogError:
        raise
    except Exception as error:
        raise HistoryDoesNotFold.at(seq) from error
