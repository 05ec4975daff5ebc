"""Embeds: a line of the timeline with its dice, as Discord shows it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from api.webhooks.discord.lines import Line
from api.webhooks.discord.words import cut, plain, size, struck
from projections.entries import Entry, EntryRoll
from projections.telling import SOMEBODY, name_of

DESCRIPTION, FIELDS, FIELD_NAME, FIELD_VALUE, AUTHOR, ALTOGETHER = 4096, 25, 256, 1024, 256, 6000
"""Discord's limits, in characters but for the number of fields."""
LINE, NOTES = 2000, 1000

UNDONE, OVERRULED, GAME_MASTER, PLAYERS, OTHERS = 0x6B7280, 0xD97706, 0x7C3AED, 0x2563EB, 0x475569
"""Colours of the bar at the side."""

_encode = msgspec.json.Encoder().encode


class Author(msgspec.Struct, frozen=True, kw_only=True):
    """Who acted."""

    name: str


class Footer(msgspec.Struct, frozen=True, kw_only=True):
    """The small line below."""

    text: str


class EmbedField(msgspec.Struct, frozen=True, kw_only=True):
    """A roll: what for, and the faces."""

    name: str
    value: str
    inline: bool = False


class Embed(msgspec.Struct, frozen=True, kw_only=True):
    """One framed text of a message."""

    description: str
    color: int
    timestamp: str
    author: Author
    footer: Footer
    fields: tuple[EmbedField, ...] = ()


class Execute(msgspec.Struct, frozen=True, kw_only=True):
    """The body that posts or edits a message. Nobody is mentioned, whatever the words say."""

    embeds: tuple[Embed, ...]
    allowed_mentions: dict[str, list[Any]] = msgspec.field(default_factory=lambda: {"parse": []})


def body(line: Line) -> bytes:
    """The body for a line of the timeline."""
    return _encode(Execute(embeds=(embed(line),)))


def trial(text: str, at: str) -> bytes:
    """The body of a message that tells nothing of any table."""
    made = Embed(
        description=plain(text, DESCRIPTION),
        color=OTHERS,
        timestamp=at,
        author=Author(name="Tabletape"),
        footer=Footer(text="A test"),
    )
    return _encode(Execute(embeds=(made,)))


def embed(told: Line) -> Embed:
    """A line with its words and dice. An undone one is struck through, and its dice are shown no more."""
    entry, undone = told.entry, told.entry.status == "undone"
    line = struck(entry.line, LINE) if undone else plain(entry.line, LINE)
    notes = "" if undone else plain(" · ".join(f"“{note}”" for note in _sent_along(entry)), NOTES)
    footer = cut(" · ".join(_small_words(told)), 400)
    author = cut(name_of(entry.by or SOMEBODY), AUTHOR)
    left = ALTOGETHER - sum(map(size, (line, notes, footer, author))) - 8
    return Embed(
        description=f"{line}\n{notes}" if notes else line,
        color=_colour(entry, undone=undone),
        timestamp=entry.at,
        author=Author(name=author),
        footer=Footer(text=footer),
        fields=() if undone else tuple(_fields(entry.rolls, left)),
    )


def _sent_along(entry: Entry) -> Iterator[str]:
    own = {entry.number, *entry.answers}
    return (" ".join(note.text.split()) for note in entry.notes if note.number in own)


def _small_words(told: Line) -> Iterator[str]:
    entry = told.entry
    yield cut(told.title, 100)
    yield f"action {entry.number}"
    if entry.moment is not None:
        yield f"round {entry.moment.round}"
    yield from (mark.replace("-", " ") for mark in entry.marks)
    if told.changed:
        yield cut(told.changed, 100)


def _fields(rolls: tuple[EntryRoll, ...], left: int) -> Iterator[EmbedField]:
    """The rolls, as many as there is room for."""
    for roll in rolls[:FIELDS]:
        thrown = " (thrown at the table)" if roll.source == "table" else ""
        name = plain(f"🎲 {roll.purpose}", FIELD_NAME - size(thrown)) + thrown
        value = plain(faces(roll), FIELD_VALUE) or "no dice"
        left -= size(name) + size(value)
        if left < 0:
            return
        yield EmbedField(name=name, value=value)


def faces(roll: EntryRoll) -> str:
    """The faces by where the dice came from: `4 6 from action:zadie, 3 from gift:rasheem`."""
    groups = groupby(roll.dice, lambda die: die.origin)
    told = [(" ".join(str(die.face) for die in dice), origin) for origin, dice in groups]
    if len(told) == 1:
        return told[0][0]
    return ", ".join(f"{shown} ({origin.replace(':', ' ')})" for shown, origin in told)


def _colour(entry: Entry, *, undone: bool) -> int:
    if undone:
        return UNDONE
    if "overruled" in entry.marks:
        return OVERRULED
    role = entry.by.role if entry.by else ""
    return {"gm": GAME_MASTER, "player": PLAYERS}.get(role, OTHERS)
