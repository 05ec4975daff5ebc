"""Coming back to what is followed: what ends a connection, whether to open another, and after which pause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from tabletape.client.patience import Patience
from tabletape.client.problem import Problem
from tabletape.client.sending import NEVER_PASSES, NOT_NOW, asked_to_wait, refusal, unreachable

SILENCE = 45.0
"""Seconds without a frame after which the line is taken for dead; a server beats every 15."""


def breaks_off(reason: str) -> None:
    """Raise `Problem` where the server hangs up for a reason that coming back does not mend."""
    if reason == "broken":
        raise Problem("log-error", "The log cannot be told any further; the server's own log says why")
    if reason == "removed":
        raise Problem("session-removed", "The session was removed while it was told")


@dataclass(slots=True)
class ComingBack:
    """One reader's connections to a server, one after the other.

    `over` says that there is nothing to come back for.
    """

    url: str
    token: str | None
    patience: Patience
    over: bool = field(default=False, init=False)
    _met: bool = field(default=False, init=False)
    _failed: int = field(default=0, init=False)
    _pause: float = field(default=0.0, init=False)
    _rest: bytes = field(default=b"", init=False)

    def asking(
        self, path: str, params: Mapping[str, str], accept: str, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """What `httpx` is given."""
        identified = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {
            "method": "GET",
            "url": path,
            "params": params,
            "headers": {"Accept": accept, **identified, **(headers or {})},
            "timeout": httpx.Timeout(30.0, read=SILENCE),
        }

    def begins(self, answer: httpx.Response) -> bool:
        """Whether frames follow. Call `refused` with the body where not, and it is not over."""
        self._rest = b""
        if answer.status_code == httpx.codes.NO_CONTENT:
            self.over = True
        return answer.status_code == httpx.codes.OK

    def refused(self, answer: httpx.Response) -> None:
        """The server would not begin: not now, or not at all. Raises `Problem` when not at all."""
        if answer.status_code not in NOT_NOW or self._gives_up():
            raise refusal(self.url, answer.status_code, answer.content)
        self._pause = asked_to_wait(answer)

    def broken(self, fault: httpx.TransportError) -> None:
        """The line broke. Raises `Unreachable` where there never was one."""
        if isinstance(fault, NEVER_PASSES) or self._gives_up():
            raise unreachable(self.url, fault) from fault

    def pause(self) -> float:
        """How long to wait before the next connection: longer with each that told nothing."""
        self._failed += 1
        wait, self._pause = max(self._pause, self.patience.pause(self._failed)), 0.0
        return wait

    def lines(self, part: bytes) -> list[bytes]:
        """The whole lines of what came; what is left waits for the rest."""
        # Not at every line break of Unicode: somebody's words may hold those.
        *lines, self._rest = (self._rest + part).split(b"\n")
        return lines

    def hears(self, *, works: bool) -> None:
        """A frame came; whether it is one of a line that does its work."""
        self._met = True
        if works:
            self._failed = 0

    def waits(self, seconds: float) -> None:
        """The server said when to come back."""
        self._pause = seconds

    def _gives_up(self) -> bool:
        """Whether nobody ever answered, and it was tried often enough; what was heard is waited for."""
        return not self._met and self._failed + 1 >= self.patience.tries
