"""Checks that what is hidden from somebody does not exist for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec

from rulesets.contract import Command, RuleViolation
from rulesets.people import Viewer
from rulesets.testing.people import hidden, leaks, seen, viewers
from rulesets.testing.plays import Action, Subject
from rulesets.testing.scripted_dice import any_dice
from rulesets.testing.throws import tried

NOBODY = "nobody-of-this-id"


def audiences(subject: Subject) -> Iterator[str]:
    """Every event is for somebody, in words an audience is made of, and the game master sees them all."""
    for action in subject.actions:
        for state, event in action.facts:
            audience = subject.ruleset.record.audience(state, event)
            name = type(event).__name__
            for each in audience:
                if each not in {"everyone", "gm"} and not each.startswith(("player:", "character:")):
                    yield f"{name} is for {each!r}, which is nobody"
            if not {"everyone", "gm"} & set(audience):
                yield f"{name} is hidden from the game master"


def hidden_things_stay_hidden(subject: Subject) -> Iterator[str]:
    """An id hidden from somebody is in no event, command, view, choice, question or line they see."""
    for play in subject.plays:
        one = replace(subject, plays=(play,))  # the people of one play are many enough
        for viewer in viewers(one):
            if viewer.role != "gm":
                for state in play.tables:
                    yield from _shown_now(one, state, viewer)
                for action in play.actions:
                    yield from _shown_of(one, action, viewer)


def _shown_now(subject: Subject, state: Any, viewer: Viewer) -> Iterator[str]:
    secrets = hidden(subject, state, viewer)
    asked = [
        each for each in subject.ruleset.record.questions(state) if set(each.asks) & set(viewer.characters)
    ]
    shown = {
        "view": subject.ruleset.record.view(state, viewer),
        "choices": subject.rules.choices(state, viewer),
        "a question asked of them": asked,
    }
    for what, value in shown.items():
        for each in leaks(value, secrets):
            yield f"{each!r} is hidden from {_called(viewer)}, but {what} tells of it"


def _shown_of(subject: Subject, action: Action, viewer: Viewer) -> Iterator[str]:
    """What one action gives away by its visible events, its line, or its command when that is visible."""
    secrets = hidden(subject, action.after, viewer)
    visible = seen(subject, action, viewer)
    for event in visible:
        for each in leaks(event, secrets):
            yield f"{each!r} is hidden from {_called(viewer)}, but they see {type(event).__name__}, which tells of it"
    if visible and visible[0] is action.events[0]:
        for each in leaks(action.command, secrets):
            yield (
                f"{each!r} is hidden from {_called(viewer)}, but they see {type(visible[0]).__name__}, "
                f"the first event of {type(action.command).__name__}, and so the command that tells of it"
            )
    if visible:
        for each in leaks(subject.ruleset.record.describe(action.after, visible), secrets):
            yield f"{each!r} is hidden from {_called(viewer)}, but the line of {type(action.command).__name__} names it"


def hidden_ids_are_unknown(subject: Subject) -> Iterator[str]:
    """A command that names a hidden thing is refused just as if it named nothing at all."""
    everybody = [viewer for viewer in viewers(subject) if viewer.role != "gm"]
    for state, command in tried(subject, 500):
        for viewer in everybody:
            for each in leaks(command, dict.fromkeys(hidden(subject, state, viewer), "")):
                found = _answer(subject, state, command, viewer)
                expected = _answer(subject, state, _renamed(command, each), viewer)
                if found.replace(each, NOBODY) != expected:
                    yield (
                        f"{each!r} is hidden from {_called(viewer)}, but {type(command).__name__} that names it "
                        f"is answered {found!r}, and one that names nothing {expected!r}"
                    )


def _answer(subject: Subject, state: Any, command: Command, viewer: Viewer) -> str:
    try:
        subject.rules.permits(state, command, viewer)
        subject.lawful(state, command, any_dice())
    except RuleViolation as refusal:
        return f"{refusal} {refusal.fields}"
    return "accepted"


def _renamed(command: Command, old: str) -> Command:
    def swap(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: item if key == "type" else swap(item) for key, item in value.items()}
        if isinstance(value, list):
            return [swap(each) for each in value]
        return NOBODY if value == old else value

    return msgspec.convert(swap(msgspec.to_builtins(command)), type(command))


def _called(viewer: Viewer) -> str:
    return f"the {viewer.name}" if viewer.characters else f"the {viewer.role} {viewer.name}".rstrip()
