"""Acting at the table, book-keeping, and looking at what an action might lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import msgspec

from tabletape.client.call import Call, body, path_of, reading
from tabletape.client.shapes.events import Accepted, Receipt
from tabletape.client.shapes.sessions import SettingsNow
from tabletape.client.shapes.table import Odds

Command: TypeAlias = Mapping[str, Any] | msgspec.Struct
"""A command: a mapping with its `type` and its fields, or a struct that is encoded as one."""


OWN_TEXT = frozenset({"note", "close"})
"""The recorder's commands that have a `text` of their own; which ones a game has, its ruleset says."""
MINIMAL = {"Prefer": "return=minimal"}


@overload
def act(
    session: str,
    command: str | Command,
    *,
    answers: Sequence[Command] | None = None,
    dice: Sequence[int] | None = None,
    text: str | None = None,
    overrule: Sequence[str] | None = None,
    visible_to: str | None = None,
    if_match: int | None = None,
    key: str | None = None,
    receipt: Literal[False] = False,
    **fields: Any,
) -> Call[Accepted]: ...


@overload
def act(
    session: str,
    command: str | Command,
    *,
    answers: Sequence[Command] | None = None,
    dice: Sequence[int] | None = None,
    text: str | None = None,
    overrule: Sequence[str] | None = None,
    visible_to: str | None = None,
    if_match: int | None = None,
    key: str | None = None,
    receipt: Literal[True],
    **fields: Any,
) -> Call[Receipt]: ...


def act(  # noqa: PLR0913 - as above
    session: str,
    command: str | Command,
    *,
    answers: Sequence[Command] | None = None,
    dice: Sequence[int] | None = None,
    text: str | None = None,
    overrule: Sequence[str] | None = None,
    visible_to: str | None = None,
    if_match: int | None = None,
    key: str | None = None,
    receipt: bool = False,
    **fields: Any,
) -> Call[Accepted] | Call[Receipt]:
    """Ask for something: a command as a mapping, or its type and its fields by name.

    `act(session, "maneuver", actor="zadie", action_dice=2, dice=[4, 6, 5])` is the same as naming the fields
    in a mapping. The names above are parts of the request: `text` are words sent along, but for `note` and
    `close`, whose own they are. A field of the command that is called like one of them is given with `_` at its
    end (`act(session, "set_goal", goal="peace", text_="Find the baron")`), or in a mapping. `if_match` is the
    version the caller has seen. With `receipt` the answer is a `Receipt` alone, without events and choices.
    """
    if isinstance(command, str) and command in OWN_TEXT and text is not None:
        text, fields = None, {**fields, "text": text}
    content = body(
        command=command_of(command, fields),
        answers=answers,
        dice=dice,
        text=text,
        overrule=overrule,
        visible_to=visible_to,
    )
    if receipt:
        return Call(
            method="POST",
            path=path_of(session, "actions"),
            read=reading(Receipt),
            content=content,
            key=key,
            if_match=if_match,
            headers=MINIMAL,
        )
    return _posted(session, "actions", content, if_match, key)


def odds(session: str, command: str | Command, **fields: Any) -> Call[Odds]:
    """The exact chances of a command, before it is sent."""
    content = body(command=command_of(command, fields))
    return Call(method="POST", path=path_of(session, "odds"), read=reading(Odds), content=content)


def note(  # noqa: PLR0913 - the parts of a note
    session: str,
    text: str,
    *,
    about: int | None = None,
    visible_to: str | None = None,
    if_match: int | None = None,
    key: str | None = None,
) -> Call[Accepted]:
    """Write something down, perhaps about an action, perhaps not for everybody."""
    content = body(text=text, about=about, visible_to=visible_to)
    return _posted(session, "notes", content, if_match, key)


def redact(
    session: str, seq: int, *, reason: str | None = None, if_match: int | None = None, key: str | None = None
) -> Call[Accepted]:
    """Remove somebody's own words from one event, for good."""
    return _posted(session, "redactions", body(seq=seq, reason=reason), if_match, key)


def close(
    session: str, *, text: str | None = None, if_match: int | None = None, key: str | None = None
) -> Call[Accepted]:
    """End the session and reveal the seed of its dice."""
    return _posted(session, "close", body(text=text), if_match, key)


def change_settings(session: str, *, if_match: int | None = None, **settings: str) -> Call[SettingsNow]:
    """Change the settings named; the others stay."""
    return Call(
        method="PATCH",
        path=path_of(session, "settings"),
        read=reading(SettingsNow),
        content=body(**settings),
        if_match=if_match,
    )


def command_of(command: str | Command, fields: Mapping[str, Any]) -> Command:
    """The command, whichever way it was given."""
    if isinstance(command, str):
        return {"type": command, **{name.removesuffix("_"): value for name, value in fields.items()}}
    if fields:
        raise TypeError(f"give {', '.join(fields)} in the command itself: it comes as a whole, not by name")
    return command


def _posted(session: str, part: str, content: bytes, if_match: int | None, key: str | None) -> Call[Accepted]:
    return Call(
        method="POST",
        path=path_of(session, part),
        read=reading(Accepted),
        content=content,
        key=key,
        if_match=if_match,
    )
