"""The table as one person sees it: the ruleset's view with the questions that are open for them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from eventlog.audience import visible
from eventlog.canonical import encode
from eventlog.decision import read_command, rules_of
from eventlog.tape import Tape
from rulesets.contract import Choice, Outcome, Question, Viewer
from rulesets.installed import ruleset_named


class TableDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The table after action `at`, when the log was at `version`; `state_hash` is the SHA-256 of `state`."""

    at: int
    version: int
    state: dict[str, Any]
    state_hash: str


def state_document(tape: Tape[Any], viewer: Viewer) -> TableDocument:
    """What this person sees of the table at this point of the tape."""
    view = ruleset_named(tape.ruleset).record.view(tape.state, viewer)
    state = {**msgspec.to_builtins(view), "open": msgspec.to_builtins(questions_for(tape, viewer))}
    return TableDocument(
        at=tape.action, version=tape.version, state=state, state_hash=sha256(encode(state)).hexdigest()
    )


def questions_for(tape: Tape[Any], viewer: Viewer) -> list[Question]:
    """The open questions this person may see, whoever is asked."""
    return visible(viewer, ruleset_named(tape.ruleset).record.questions(tape.state))


def choices_for(tape: Tape[Any], viewer: Viewer) -> tuple[Choice, ...]:
    """What this person can do now; nothing once the session is closed."""
    return () if tape.closed else rules_of(tape.ruleset, tape.rules).choices(tape.state, viewer)


def odds_for(tape: Tape[Any], viewer: Viewer, raw: bytes) -> tuple[Outcome, ...]:
    """The exact chances of a command not yet sent, for somebody who could send it.

    Raises `CommandMalformed`, or the `RuleViolation` the command itself would be refused with.
    """
    rules, command = rules_of(tape.ruleset, tape.rules), read_command(tape.ruleset, tape.rules, raw)
    if not isinstance(command, rules.commands):
        return ()
    rules.permits(tape.state, command, viewer)
    for violation in rules.refusals(tape.state, command):
        raise violation
    return rules.odds(tape.state, command)
