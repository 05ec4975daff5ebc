"""Who could be at the table of a play, and what each of them does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from rulesets.people import GM, OBSERVER, Audience, Viewer
from rulesets.testing.plays import Action, Subject


def viewers(subject: Subject) -> tuple[Viewer, ...]:
    """One of every role, and a player for every character or player the plays speak of."""
    characters, players = set[str](), {"nobody"}
    for action in subject.actions:
        for state, event in action.facts:
            audience = subject.ruleset.record.audience(state, event)
            characters |= {
                each.removeprefix("character:") for each in audience if each.startswith("character:")
            }
            players |= {each.removeprefix("player:") for each in audience if each.startswith("player:")}
    for state in subject.tables:
        characters |= {choice.actor for choice in subject.rules.choices(state, GM) if choice.actor}
        characters |= {who for question in subject.ruleset.record.questions(state) for who in question.asks}
    by_character = (
        Viewer(role="player", name=f"player of {each}", characters=(each,))
        for each in sorted(characters - {"gm"})
    )
    by_name = (Viewer(role="player", name=each) for each in sorted(players))
    return (GM, OBSERVER, Viewer(role="tool"), Viewer(role="admin"), *by_name, *by_character)


def sees(viewer: Viewer, audience: Audience) -> bool:
    """Whether an event of this audience is for this person."""
    if viewer.role == "gm":
        called = {"everyone", "gm"}
    elif viewer.role == "player":
        called = {"everyone", f"player:{viewer.name}", *(f"character:{each}" for each in viewer.characters)}
    else:
        called = {"everyone"}
    return not called.isdisjoint(audience)


def seen(subject: Subject, action: Action, viewer: Viewer) -> list[Any]:
    """The events of one action that are for this person, in order."""
    return [
        event for state, event in action.facts if sees(viewer, subject.ruleset.record.audience(state, event))
    ]


def hidden(subject: Subject, state: Any, viewer: Viewer) -> dict[str, str]:
    """The ids only the game master's view has, and not this person's, with the names that go with them."""
    view = subject.ruleset.record.view
    mine = dict(_ids(view(state, viewer)))
    names = set(mine.values())
    return {each: "" if name in names else name for each, name in _ids(view(state, GM)) if each not in mine}


def leaks(value: Any, secrets: Mapping[str, str]) -> Iterator[str]:
    """The hidden ids a value gives away, as a text of its own or by their name within a text."""
    told = set(_texts(value))
    for each, name in secrets.items():
        named = re.compile(rf"\b{re.escape(name)}\b") if name else None
        if each in told or (named and any(named.search(text) for text in told)):
            yield each


def _ids(view: Any) -> Iterator[tuple[str, str]]:
    """Every id in a view with its name: the keys of its mappings, and the field `id` of its structs."""
    if isinstance(view, msgspec.Struct):
        if isinstance(own := getattr(view, "id", None), str):
            yield own, str(getattr(view, "name", ""))
        for each in view.__struct_fields__:
            yield from _ids(getattr(view, each))
    elif isinstance(view, Mapping):
        for key, value in view.items():
            yield str(key), str(getattr(value, "name", ""))
            yield from _ids(value)
    elif isinstance(view, (tuple, list)):
        for each in view:
            yield from _ids(each)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, mapping keys among them, but no field names of structs."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        for each in value.__struct_fields__:
            yield from _texts(getattr(value, each))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from (*_texts(key), *_texts(each))
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _texts(each)
