"""What a store keeps beside a log: the row that lists it, its secret seed, and marks of redaction, each as the log says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from eventlog.dice import commitment
from eventlog.envelope import Envelope
from eventlog.logs import Head, Logs
from eventlog.verification.forks import FORKED, fork_in
from eventlog.verification.report import Found
from eventlog.verification.thrown import CLOSED, IMPORTED, OPENED

BEGINNINGS = frozenset({OPENED, IMPORTED, FORKED})


class _Beginning(msgspec.Struct, frozen=True):
    """All that matters here of an event that opens a log, takes it in, or forks it."""

    dice_commitment: str
    ruleset: str | None = None
    rules: int | None = None
    title: str | None = None


_beginning = msgspec.json.Decoder(_Beginning).decode


def as_kept(logs: Logs, head: Head, events: Iterable[Envelope]) -> Iterator[Envelope]:
    """The events as they pass, each checked once others have looked at it; at the end what stands beside them.

    Raises `Found`. Where the log does not end as the store says, nothing is compared with it.
    """
    beginnings: list[tuple[Envelope, _Beginning]] = []
    own = 1 if head.parent is None or head.parent.held_by is None else head.parent.version + 1
    last: Envelope | None = None
    for event in events:
        yield event
        if event.data is not None and event.digest is not None:
            raise _wrong(event, "digest", f"Event {event.seq} is marked as redacted, and has its words")
        if event.type in BEGINNINGS and event.data is not None:
            beginnings.append((event, _read(event, event.data)))
            _listed(head, *beginnings[-1])
        if event.seq == own:
            _opened(head, event)
        last = event
    if beginnings and last is not None and (last.seq, last.hash) == (head.version, head.hash):
        _titled(head, beginnings)
        _forked(head, beginnings)
        _ended(head, last)
        _promised(logs.seed(head.session), *beginnings[-1])


def _read(event: Envelope, data: bytes) -> _Beginning:
    try:
        return _beginning(data)
    except (msgspec.MsgspecError, ValueError) as error:
        raise _wrong(event, "data", f"Event {event.seq} cannot be read") from error


def _listed(head: Head, event: Envelope, beginning: _Beginning) -> None:
    """The game is compared at once: whoever reads on with another game's eyes finds faults that are none."""
    for name in ("ruleset", "rules"):
        said = getattr(beginning, name)
        if said is not None and said != getattr(head, name):
            raise _wrong(
                event, f"sessions.{name}", f"The store lists the session with other {name} than its log"
            )


def _titled(head: Head, beginnings: list[tuple[Envelope, _Beginning]]) -> None:
    event, title = [
        (event, beginning.title) for event, beginning in beginnings if beginning.title is not None
    ][-1]
    if title != head.title:
        raise _wrong(event, "sessions.title", "The store lists the session under another title than its log")


def _opened(head: Head, first: Envelope) -> None:
    """A session is as old as the first event that it does not share."""
    if head.opened_at != first.at:
        raise _wrong(
            first, "sessions.opened_at", "The store lists the session as opened at another time than its log"
        )


def _forked(head: Head, beginnings: list[tuple[Envelope, _Beginning]]) -> None:
    """What it was forked from, and where: as the last fork of its log says."""
    event = next((event for event, _ in reversed(beginnings) if event.type == FORKED), beginnings[0][0])
    fork, parent = fork_in(event), head.parent
    said = None if fork is None else (fork.parent, fork.at, fork.version, fork.kind)
    if said != (None if parent is None else (parent.session, parent.at, parent.version, parent.kind)):
        raise _wrong(
            event, "forks", "The store lists the session as forked from somewhere else than its log says"
        )


def _ended(head: Head, last: Envelope) -> None:
    """How many actions there are, when the last one was, and whether more can come: as the last event says."""
    if head.action != last.action:
        raise _wrong(
            last, "sessions.action", "The store lists the session with another number of actions than its log"
        )
    if head.closed_at != (last.at if last.type == CLOSED else None):
        raise _wrong(
            last,
            "sessions.closed_at",
            "The store and the log differ on whether the session is closed, and when",
        )
    if head.changed_at != last.at:
        raise _wrong(
            last, "sessions.changed_at", "The store lists the session as changed at another time than its log"
        )


def _promised(seed: bytes, event: Envelope, beginning: _Beginning) -> None:
    if commitment(seed) != beginning.dice_commitment:
        raise _wrong(
            event,
            "seed",
            "The secret seed in the store is not the one that was promised before the first die; "
            "the events themselves are whole",
        )


def _wrong(event: Envelope, field: str, message: str) -> Found:
    return Found(event.seq, event.action, field, message)
