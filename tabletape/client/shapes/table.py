"""The table: how it stands, what can be done, with which chances."""

from __future__ import annotations

from typing import Any

import msgspec


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The table after action `at`. What is in `state` is the game's own affair; `open` is always there.

    `state_hash` is the SHA-256 of `state` as the server wrote it.
    """

    at: int
    version: int
    state: dict[str, Any]
    state_hash: str


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """What a form asks for one field of a command: `kind` is number, one, many, text or flag."""

    name: str
    kind: str
    required: bool = False
    minimum: int | None = None
    maximum: int | None = None
    options: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be done now: a command's type, for whom, by whom, within which limits."""

    type: str
    text: str
    actor: str | None = None
    by: tuple[str, ...] = ("gm",)
    fields: tuple[Field, ...] = ()


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """All that can be done now by whoever asked."""

    version: int
    choices: tuple[Choice, ...]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a command can come to; its exact chance is `numerator` in `denominator`."""

    text: str
    result: dict[str, int]
    numerator: int
    denominator: int


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a command can come to; empty where nothing is thrown."""

    version: int
    outcomes: tuple[Outcome, ...]
