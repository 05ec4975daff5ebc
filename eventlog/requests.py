"""What somebody asks of a session, and what it led to."""

from __future__ import annotations

from typing import Any

import msgspec

from eventlog.core import ForkKind, VisibleTo
from eventlog.envelope import Envelope, placed
from eventlog.errors import VersionMismatch
from eventlog.settings import Settings
from eventlog.store import RequestKey, Token
from eventlog.tape import Tape
from rulesets.contract import Text
from rulesets.people import GM, Viewer


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One request: a command, perhaps with answers to the questions it will open and faces for its dice.

    `command` and `answers` are JSON texts, decoded by the session's ruleset. `dice` are faces thrown at the
    table (`None` = the server throws). `overrule` names refusals the GM passes over. `expected` is the
    version the issuer last saw, if they care; `tells` whether they want to hear what it led to.
    """

    command: bytes
    answers: tuple[bytes, ...] = ()
    dice: tuple[int, ...] | None = None
    text: Text = ""
    overrule: tuple[str, ...] = ()
    visible_to: VisibleTo = "everyone"
    issuer: Viewer = GM
    key: RequestKey | None = None
    expected: int | None = None
    tells: bool = True


class OpenRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to open a session; `parameters` is a JSON object of readings that differ from the defaults."""

    ruleset: str
    title: str
    parameters: bytes = b"{}"
    settings: Settings = Settings()
    issuer: Viewer = GM
    key: RequestKey | None = None
    tokens: tuple[Token, ...] = ()
    session: str | None = None


class ForkRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to go on from a session as another one: from its last action, or from an earlier one (`at`).

    Without a `title` it is called after its parent.
    """

    parent: str
    at: int | None = None
    title: str = ""
    kind: ForkKind = "fork"
    issuer: Viewer = GM
    key: RequestKey | None = None
    tokens: tuple[Token, ...] = ()
    session: str | None = None


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What a request led to: the tape right after it and its events (none when it was ignored).

    `frames` is the JSON of the events as the issuer may see them, made where they were stored, if they want to
    hear of them. `replayed` tells an answer rebuilt from the log, because the idempotency key was used before;
    its frames are yet to be made.
    """

    tape: Tape[Any]
    sealed: tuple[Envelope, ...] = ()
    position: int = 0
    frames: bytes = b""
    replayed: bool = False

    @property
    def events(self) -> tuple[Envelope, ...]:
        """The events as they are stored."""
        return placed(self.sealed, self.position)

    @property
    def ignored(self) -> bool:
        """Whether the command had nothing left to do, so that nothing was recorded."""
        return not self.sealed


def check_version(version: int, expected: int | None) -> None:
    """Raise `VersionMismatch` where the session is not at the version somebody decided on, if they said which."""
    if expected not in (None, version):
        raise VersionMismatch(
            f"The session is at version {version}, not {expected}: look at what happened, then decide again",
            version=version,
            expected=expected,
        )
