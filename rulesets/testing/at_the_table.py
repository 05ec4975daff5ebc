"""Checks of what people are shown and offered: views, lines, questions, recommended answers and choices."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any, Union

import msgspec

from rulesets.contract import Command, Question, RuleViolation
from rulesets.dice import Roll, counted
from rulesets.people import GM
from rulesets.testing.people import seen, viewers
from rulesets.testing.plays import Subject
from rulesets.testing.scripted_dice import any_dice

MOST_ANSWERS = 50
"""Recommended answers one action may need; more would be a ruleset that asks for ever."""


def views(subject: Subject) -> Iterator[str]:
    """Everybody has a view of every table, and it can be sent."""
    for viewer in viewers(subject):
        for state in subject.tables:
            view: Any = subject.ruleset.record.view(state, viewer)
            if not isinstance(view, msgspec.Struct):
                yield f"the view of the {viewer.role} is a {type(view).__name__}, not a struct"
            msgspec.json.encode(view)
            subject.ruleset.record.moment(state)


def lines(subject: Subject) -> Iterator[str]:
    """Whatever part of an action somebody sees makes one readable line; and so does what its dice are called."""
    for viewer in viewers(subject):
        for action in subject.actions:
            events = seen(subject, action, viewer)
            for end in range(1, len(events) + 1):
                line = subject.ruleset.record.describe(action.after, events[:end])
                if not _is_one_line(line):
                    shown = ", ".join(type(event).__name__ for event in events[:end])
                    yield f"{shown} is described as {line!r}, which is not one line of text"
    for action in subject.actions:
        for roll in (
            roll for event in action.events if isinstance(roll := getattr(event, "roll", None), Roll)
        ):
            origins = counted(die.origin for die in roll.dice)
            named = subject.ruleset.record.name_dice(action.after, origins)
            if not _is_one_line(named):
                yield f"dice {origins} are called {named!r}, which is not one line of text"


def _is_one_line(text: str) -> bool:
    return bool(text.strip()) and not any(unicodedata.category(each) == "Cc" for each in text)


def questions(subject: Subject) -> Iterator[str]:
    """Open questions have distinct ids, ask somebody something, and offer answers that can be sent as they are."""
    if not subject.rules.answers:
        if any(subject.ruleset.record.questions(state) for state in subject.tables):
            yield "there are questions, but no command is among the answers"
        return
    decoder = msgspec.json.Decoder(Union[subject.rules.answers])  # noqa: UP007 - the members are known at run time
    for state in subject.tables:
        open_now = subject.ruleset.record.questions(state)
        if len({question.id for question in open_now}) != len(open_now):
            yield f"two open questions have one id: {[question.id for question in open_now]}"
        for question in open_now:
            if not question.asks or not question.text.strip():
                yield f"the question {question.id!r} ({question.kind}) asks nobody, or nothing"
            offered = [option.command for option in question.options]
            for command in offered if question.default is None else [*offered, question.default]:
                yield from _offer(subject, state, question, command, decoder)


def _offer(
    subject: Subject,
    state: Any,
    question: Question,
    command: dict[str, Any],
    decoder: msgspec.json.Decoder[Any],
) -> Iterator[str]:
    try:
        subject.lawful(state, decoder.decode(msgspec.json.encode(command)), any_dice())
    except msgspec.MsgspecError as error:
        yield f"the question {question.kind!r} offers {command}, which is no answer: {error}"
    except RuleViolation as refusal:
        yield f"the question {question.kind!r} offers {command}, which is refused: {refusal}"


def recommended_answers(subject: Subject) -> Iterator[str]:
    """The recommended answer to every open question is legal, and giving them all closes every question."""
    for state in subject.tables:
        yield from _settle(subject, state)


def _settle(subject: Subject, state: Any) -> Iterator[str]:
    for _ in range(MOST_ANSWERS):
        open_now = subject.ruleset.record.questions(state)
        if not open_now:
            return
        command = subject.rules.default_answer(state, open_now[0])
        if not isinstance(command, subject.rules.answers):
            yield f"the recommended answer to {open_now[0].kind!r} is {command!r}, which is not among the answers"
            return
        try:
            state = _answered(subject, state, command)
        except RuleViolation as refusal:
            yield f"the recommended answer to {open_now[0].kind!r}, {command!r}, is refused: {refusal}"
            return
    yield f"{MOST_ANSWERS} recommended answers leave {subject.ruleset.record.questions(state)[0].kind!r} open"


def _answered(subject: Subject, state: Any, command: Command) -> Any:
    subject.rules.permits(state, command, GM)
    for event in subject.lawful(state, command, any_dice()).events:
        state = subject.ruleset.record.evolve(state, event)
    return state


def choices(subject: Subject) -> Iterator[str]:
    """Everybody is told what they can do, in commands and fields that exist and would be heard now."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in subject.rules.commands}
    heard = {*subject.rules.answers, *subject.rules.at_any_time}
    for viewer in viewers(subject):
        for state in subject.tables:
            blocked = any(question.blocking for question in subject.ruleset.record.questions(state))
            for choice in subject.rules.choices(state, viewer):
                kind = kinds.get(choice.type)
                if kind is None:
                    yield f"the choice {choice.type!r} is no command"
                    continue
                for each in choice.fields:
                    if each.name not in kind.__struct_encode_fields__:
                        yield f"the choice {choice.type!r} asks for {each.name!r}, which is no field of it"
                if blocked and kind not in heard:
                    yield f"the choice {choice.type!r} is offered while a question blocks it"
