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


def could_play(tape: Tape[Any], command: Command, by: By) -> None:
    """Raise what refuses a command of the game while a question waits for somebody.

    Who played whom is not in the log: what the game permits to whom is asked once, when it is asked for.
    """
    rules = rules_of(tape.ruleset, tape.rules)
    await_answers(ruleset_named(tape.ruleset), rules, tape.state, command, by.signer)
