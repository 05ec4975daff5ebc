"""A scene as it is played: who opens which game, and the steps in order."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from api.correcting import Correction
from eventlog.core import ForkKind, VisibleTo
from eventlog.settings import Settings
from rulesets.people import GM, Viewer


class CommandStep(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody asks for something; `refused` is the code it has to be refused with.

    `command` and `answers` are JSON, ready to be sent. `dice` are faces thrown at a table (`None` = the
    server throws). `number` counts all steps of the file from 1; `line` is where the step begins.
    """

    number: int
    line: int | None
    type: str
    command: bytes
    answers: tuple[bytes, ...] = ()
    dice: tuple[int, ...] | None = None
    text: str = ""
    overrule: tuple[str, ...] = ()
    visible_to: VisibleTo = "everyone"
    issuer: Viewer = GM
    refused: str | None = None


class CorrectionStep(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody corrects what happened: `undo`, `redo`, `amend`, or a forgotten command of that type.

    `touched` are the later actions it has to touch, `falls` those of them it has to take out of the story; `None`
    where the scene does not say.
    """

    number: int
    line: int | None
    type: str
    correction: Correction
    issuer: Viewer = GM
    refused: str | None = None
    touched: tuple[int, ...] | None = None
    falls: tuple[int, ...] | None = None


class ForkStep(msgspec.Struct, frozen=True, kw_only=True):
    """The scene goes on in a fork of the session it was played in, after action `at` (the last one when `None`).

    `title` is the parent's, with what it is, when empty.
    """

    number: int
    line: int | None
    type: str = "fork"
    at: int | None
    title: str = ""
    kind: ForkKind = "fork"
    refused: str | None = None


class ExpectStep(msgspec.Struct, frozen=True, kw_only=True):
    """What the table has to look like now, in the eyes of somebody.

    `state` is a part of the view; `absent` names, with dots, what must not be there or must be empty.
    """

    number: int
    line: int | None
    state: dict[str, Any]
    absent: tuple[str, ...] = ()
    viewer: Viewer = GM


Step: TypeAlias = CommandStep | CorrectionStep | ForkStep | ExpectStep


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A scene file, read and checked. `parameters` is a JSON object of readings that differ from the defaults."""

    path: str
    ruleset: str
    title: str
    parameters: bytes
    settings: Settings
    steps: tuple[Step, ...]
