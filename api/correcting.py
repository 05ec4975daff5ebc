"""A correction as somebody asks for it: the same for the recorder in this process and for a server."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from eventlog.corrections import UNCHANGED, Amend, CorrectionCommand, Insert, Redo, SettleRequest, Undo
from eventlog.requests import Request
from rulesets.people import GM, Viewer
from tabletape.client.call import Call, path_of, reading

T = TypeVar("T")


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """What shall be undone, redone, amended or put in, or which request for it is settled; faces for its dice, and why."""

    command: CorrectionCommand | SettleRequest
    dice: tuple[int, ...] | None = None
    reason: str = ""

    def request(self, issuer: Viewer = GM, *, expected: int | None = None) -> Request:
        """The request that a recorder takes; `expected` is the version it is meant for, if for one alone."""
        return Request(
            command=msgspec.json.encode(self.command),
            dice=self.dice,
            text=self.reason,
            issuer=issuer,
            expected=expected,
        )

    def call(
        self, session: str, shape: type[T], *, dry_run: bool = False, expected: int | None = None
    ) -> Call[T]:
        """The call that a server takes, with the shape of its answer; `dry_run` only asks what it would do."""
        return Call(
            method="POST",
            path=path_of(session, *self._path),
            read=reading(shape),
            content=msgspec.json.encode(self._body(dry_run=dry_run)),
            if_match=expected,
        )

    @property
    def _path(self) -> tuple[str | int, ...]:
        match self.command:
            case Undo(target=None):
                return ("undo",)
            case Undo(target=int(target)):
                return "actions", target, "undo"
            case Redo(target=target):
                return "actions", target, "redo"
            case Amend(target=target):
                return "actions", target, "amend"
            case SettleRequest(request=number, verdict=verdict):
                return "undo-requests", number, verdict
            case _:
                return ("actions",)

    def _body(self, *, dry_run: bool) -> dict[str, Any]:
        words = "text" if isinstance(self.command, Insert) else "reason"
        return {
            "mode": self.command.mode,
            "with": self.command.others,
            "dry_run": dry_run,
            words: self.reason,
            **_particular(self.command, self.dice),
        }


def _particular(command: CorrectionCommand | SettleRequest, dice: tuple[int, ...] | None) -> dict[str, Any]:
    match command:
        case Undo(target=None) | Redo() | SettleRequest():
            return {}
        case Undo(through=through):
            return {"through": through}
        case Amend():
            said = {"command": command.command} if bytes(command.command) != bytes(UNCHANGED) else {}
            return {**said, "answers": command.answers, "overrule": command.overrule, "dice": dice}
        case Insert():
            return {
                "before": command.before,
                "command": command.command,
                "answers": command.answers,
                "overrule": command.overrule,
                "dice": dice,
            }
