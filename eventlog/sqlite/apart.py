"""A process of its own that writes the file: an append then takes nothing from those who decide and answer.

The server sends it batches and reads what came of them, each as four bytes of length and then MessagePack. It
takes the same lock of the file for each commit as everybody who writes, and ends when the server does: whatever
it has begun is then committed whole, or not at all.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from typing import Any, Self

import msgspec

from eventlog import errors
from eventlog.errors import EventLogError, StoreUnusable
from eventlog.gathering import Outcomes, WriterThread
from eventlog.sqlite.store import SqliteStore
from eventlog.store import Append, Conflict, Outcome, Replayed, Stored

LENGTH_BYTES = 4


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """An error on its way from one process to the other; `kind` is the name of its class."""

    kind: str
    message: str
    fields: dict[str, Any] = {}


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of one item: one of these."""

    stored: Stored | None = None
    replayed: Replayed | None = None
    conflict: Conflict | None = None
    fault: Fault | None = None


_encode = msgspec.msgpack.Encoder().encode
_batch = msgspec.msgpack.Decoder(list[Append]).decode
_replies = msgspec.msgpack.Decoder(list[Reply]).decode


def framed(message: object) -> bytes:
    """A message with its length before it."""
    body = _encode(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def batch_of(body: bytes) -> list[Append]:
    """The items of a batch."""
    return _batch(body)


def reply_to(outcome: Outcome | BaseException) -> Reply:
    """An outcome as it is sent."""
    match outcome:
        case Stored():
            return Reply(stored=outcome)
        case Replayed():
            return Reply(replayed=outcome)
        case Conflict():
            return Reply(conflict=outcome)
        case EventLogError():
            kind = type(outcome).__name__
            return Reply(fault=Fault(kind=kind, message=outcome.message, fields=outcome.fields))
        case _:
            return Reply(fault=Fault(kind="", message=repr(outcome)))


def outcomes_in(body: bytes) -> Outcomes:
    """The outcomes that were sent."""
    return [_outcome_of(reply) for reply in _replies(body)]


def _outcome_of(reply: Reply) -> Outcome | BaseException:
    if reply.fault is None:
        return reply.stored or reply.replayed or reply.conflict or RuntimeError("The writer sent no outcome")
    known = getattr(errors, reply.fault.kind, None)
    if known is None:
        return RuntimeError(f"The writing process failed: {reply.fault.message}")
    error: EventLogError = known(reply.fault.message, **reply.fault.fields)
    return error


class WriterProcess:
    """The server's end: a writer whose work is done in another process.

    Should that process be killed, those who wait are told, and a thread here goes on in its place.
    """

    def __init__(self, store: SqliteStore, process: Process) -> None:
        self._store = store
        self._process = process
        self._instead: WriterThread | None = None
        self._told: tuple[int, Callable[[Outcomes], None]] | None = None
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, store: SqliteStore) -> Self:
        """Start the process for the file this store has open."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "eventlog.sqlite.writer", store.path),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # Ctrl-C at the terminal is for the server
        )
        return cls(store, process)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def store(self, items: Sequence[Append], told: Callable[[Outcomes], None]) -> None:
        """Store the items, and tell on the loop what came of each."""
        if self._instead is not None:
            self._instead.store(items, told)
            return
        self._told = len(items), told
        if self._process.stdin is not None:
            self._process.stdin.write(framed(items))

    def breath(self, items: int) -> float:
        """None: it works beside everybody else, and takes what has come meanwhile."""
        return 0 if self._instead is None else self._instead.breath(items)

    async def aclose(self) -> None:
        """Let the process end."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._listening
        await self._process.wait()
        if self._instead is not None:
            await self._instead.aclose()

    async def _listen(self) -> None:
        try:
            while heard := self._process.stdout:
                length = int.from_bytes(await heard.readexactly(LENGTH_BYTES), "big")
                self._tell(outcomes_in(await heard.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            self._go_on_without()

    def _go_on_without(self) -> None:
        self._instead = WriterThread(self._store)
        if self._told is not None:
            error = StoreUnusable(
                "The process that writes the database ended: look at what is there, then send it again",
                path=self._store.path,
            )
            self._tell([error] * self._told[0])

    def _tell(self, outcomes: Outcomes) -> None:
        if self._told is not None:
            (_, told), self._told = self._told, None
            told(outcomes)
