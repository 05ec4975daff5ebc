"""Sending a call until there is an answer: what is sent, when to send it again, what the answer means.

Nothing here waits or speaks; both clients do that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from uuid import uuid4

import httpx
import msgspec

from tabletape.client.call import Call
from tabletape.client.patience import Patience
from tabletape.client.problem import Problem, Unreachable, problem_of

T = TypeVar("T")

NOT_NOW = frozenset({429, 502, 503, 504})
"""The server, or what stands before it, did nothing and may do it later."""
BUSY = "busy"
"""The code of a session others keep writing to: sending the same again is safe."""
LONGEST_PAUSE = 60.0
"""What a `Retry-After` may ask for, in seconds."""
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Faults before anything was sent."""
NO_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)
"""Each feed holds a connection for as long as it goes on, and calls want some, too."""
NEVER_PASSES = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
"""Faults that are the same at every try."""


@dataclass(slots=True)
class Sending(Generic[T]):
    """One call on its way. The key of a POST is the same at every try, so that it is recorded once."""

    call: Call[T]
    url: str
    token: str | None
    patience: Patience
    tries: int = field(default=0, init=False)
    key: str | None = field(init=False)

    def __post_init__(self) -> None:
        self.key = self.call.key or (uuid4().hex if self.call.method == "POST" else None)

    @property
    def request(self) -> dict[str, Any]:
        """What `httpx` sends."""
        call, headers = self.call, dict(self.call.headers)
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.key:
            headers["Idempotency-Key"] = self.key
        if call.if_match is not None:
            headers["If-Match"] = f'"{call.if_match}"'
        if call.content is not None:
            headers["Content-Type"] = call.media_type
        return {
            "method": call.method,
            "url": call.path,
            "params": query(call.params),
            "content": call.content,
            "headers": headers,
        }

    def after_fault(self, fault: httpx.TransportError) -> float:
        """How long to wait before the next try, when the connection failed. Raises `Unreachable`."""
        never_sent = isinstance(fault, NEVER_SENT)
        may_repeat = (self.call.repeatable or never_sent) and not isinstance(fault, NEVER_PASSES)
        self.tries += 1
        if not may_repeat or self.tries >= self.patience.tries:
            raise unreachable(self.url, fault) from fault
        return self.patience.pause(self.tries)

    def is_over(self, answer: httpx.Response) -> bool:
        """Whether this answer is the one, and not only a request for patience."""
        self.tries += 1
        return self.tries >= self.patience.tries or not _not_now(answer)

    def after_answer(self, answer: httpx.Response) -> float:
        """How long to wait before the next try, as long as the server asked for at least."""
        return max(self.patience.pause(self.tries), asked_to_wait(answer))

    def read(self, answer: httpx.Response) -> T:
        """What the answer says. Raises `Problem`, or `Unreachable` where no Tabletape server answered."""
        if not answer.is_success:
            raise refusal(self.url, answer.status_code, answer.content)
        try:
            return self.call.read(answer.content)
        except (msgspec.MsgspecError, ValueError) as error:
            raise stranger(self.url) from error


def query(params: Any) -> dict[str, str]:
    """A query as it is written: what is `None` left out, truth as `true` and `false`."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in params.items()
        if value is not None
    }


def refusal(url: str, status: int, body: bytes) -> Problem:
    """What an answer that is not good means."""
    return problem_of(status, body) or stranger(url)


def unreachable(url: str, fault: Exception) -> Unreachable:
    """Nobody answered, or there was no connection left to ask on."""
    if isinstance(fault, httpx.PoolTimeout):
        return Unreachable(
            "unreachable",
            f"Nothing was sent to {url}: all connections this program may open are in use; stop some feeds",
        )
    return Unreachable(
        "unreachable",
        f"No server answers at {url} ({str(fault) or type(fault).__name__}): "
        "start one with `tabletape serve`, or check the address",
    )


def stranger(url: str) -> Unreachable:
    """Somebody else answered."""
    return Unreachable("not-a-server", f"What answers at {url} is not a Tabletape server: check the address")


def asked_to_wait(answer: httpx.Response) -> float:
    """The seconds a `Retry-After` asks for; 0 where it says none or a date."""
    said = answer.headers.get("Retry-After", "")
    return min(float(said), LONGEST_PAUSE) if said.isdecimal() else 0.0


def _not_now(answer: httpx.Response) -> bool:
    if answer.status_code == httpx.codes.CONFLICT:
        refused = problem_of(answer.status_code, answer.content)
        return refused is not None and refused.code == BUSY
    return answer.status_code in NOT_NOW
