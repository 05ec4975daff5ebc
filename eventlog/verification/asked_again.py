"""Whether whoever signed an action could ask for it at all, as far as the log can tell."""

from __future__ import annotations

from typing import Any

from eventlog.beginning import allow
from eventlog.commands import rules_of
from eventlog.core import ActionTaken
from eventlog.envelope import By
from eventlog.playing import await_answers
from eventlog.tape import Tape
from rulesets.contract import Command
from rulesets.installed import ruleset_named


def could_ask(tape: Tape[Any], taken: ActionTaken, by: By) -> None:
    """Raise what refuses their role."""
    allow(tape, by.signer, typed=taken.source == "table", overrules=bool(taken.overrule))


def as_sourced(taken: ActionTaken, *, rolled: bool) -> None:
    """Raise `ValueError` where an action of one's own does not say whether the server threw dice for it.

    Faces that were typed in may all have been left over, and a correction's dice are those of what it corrects.
    """
    if taken.source != "table" and (taken.source == "server") is not (rolled or taken.redraws is not None):
        raise ValueError("it does not say where its dice came from")


def could_play(tape: Tape[Any], command: Command, by: By) -> None:
    """Raise what refuses a command of the game while a question waits for somebody.

    Who played whom is not in the log: what the game permits to whom is asked once, when it is asked for.
    """
    rules = rules_of(tape.ruleset, tape.rules)
    await_answers(ruleset_named(tape.ruleset), rules, tape.state, command, by.signer)
