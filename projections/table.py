"""The table as one person sees it: the ruleset's view with the questions that are open for them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from eventlog.audience import visible
from eventlog.canonical import encode
from eventlog.commands import read_command, rules_of
from eventlog.playing import await_answers
from eventlog.tape import Tape
from rulesets.contract import Choice, Option, Outcome, Question
from rulesets.errors import RulesNotDecided
from rulesets.installed import ruleset_named
from rulesets.people import Viewer


class TableDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The table after action `at`, when the log was at `version`; `state_hash` is the SHA-256 of `state`."""

    at: int
    version: int
    state: dict[str, Any]
    state_hash: str


class OpenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question as the table shows it: who is asked what, the answers to pick from, the one recommended.

    While it is `blocking`, only its answer and book-keeping pass.
    """

    id: str
    kind: str
    asks: tuple[str, ...]
    text: str
    options: tuple[Option, ...]
    default: dict[str, Any] | None
    blocking: bool

    @classmethod
    def shown(cls, question: Question) -> OpenQuestion:
        """The question without whom it is hidden from."""
        return cls(**{name: getattr(question, name) for name in cls.__struct_fields__})


def state_document(tape: Tape[Any], viewer: Viewer) -> TableDocument:
    """What this person sees of the table at this point of the tape."""
    view = ruleset_named(tape.ruleset).record.view(tape.state, viewer)
    asked = [OpenQuestion.shown(question) for question in questions_for(tape, viewer)]
    state = {**msgspec.to_builtins(view, str_keys=True), "open": msgspec.to_builtins(asked)}
    return TableDocument(
        at=tape.action, version=tape.version, state=state, state_hash=sha256(encode(state)).hexdigest()
    )


def questions_for(tape: Tape[Any], viewer: Viewer) -> list[Question]:
    """The open questions this person may see, whoever is asked."""
    return visible(viewer, ruleset_named(tape.ruleset).record.questions(tape.state))


def choices_for(tape: Tape[Any], viewer: Viewer) -> tuple[Choice, ...]:
    """What this person can do now; nothing once the session is closed, or where its rules are forgotten."""
    if tape.closed:
        return ()
    try:
        return rules_of(tape.ruleset, tape.rules).choices(tape.state, viewer)
    except RulesNotDecided:
        return ()


def odds_for(tape: Tape[Any], viewer: Viewer, raw: bytes) -> tuple[Outcome, ...]:
    """The exact chances of a command not yet sent, for somebody who could send it.

    Raises `CommandMalformed`, or the `RuleViolation` the command itself would be refused with.
    """
    rules, command = rules_of(tape.ruleset, tape.rules), read_command(tape.ruleset, tape.rules, raw)
    if not isinstance(command, rules.commands):
        return ()
    await_answers(ruleset_named(tape.ruleset), rules, tape.state, command, viewer)
    rules.permits(tape.state, command, viewer)
    for violation in rules.refusals(tape.state, command):
        raise violation
    return rules.odds(tape.state, command)
