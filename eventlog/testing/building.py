"""Small logs to try a store with: chained as the recorder chains them, about nothing in particular."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Protocol, TypeAlias

from msgspec.structs import replace

from eventlog.chain import SALT_BYTES, digest, genesis, link
from eventlog.envelope import By, Envelope
from eventlog.logs import Parent
from eventlog.store import Append, Opening, RequestKey, Store, Token
from rulesets.people import EVERYONE

AT = "2026-12-01T19:03:11.000000Z"


class Promise(Protocol):
    """Something every store does, tried on an empty one."""

    __name__: str

    def __call__(self, store: Store, /) -> None:
        """Try it. Raises `AssertionError` where it is not so."""
        ...


Opener: TypeAlias = Callable[[], Store]


def sealed(
    session: str,
    count: int = 1,
    *,
    previous: Envelope | None = None,
    action: int | None = None,
    **fields: Any,
) -> tuple[Envelope, ...]:
    """So many events of one action, chained to `previous` or to the log's beginning. `fields` are the envelope's."""
    number = action if action is not None else previous.action + 1 if previous else 0
    seq, hashed = (previous.seq, previous.hash) if previous else (0, genesis(session))
    events = []
    for _ in range(count):
        seq += 1
        event = replace(_event(session, seq, number), **fields)
        hashed = link(hashed, seq, digest(event))
        events.append(replace(event, hash=hashed))
    return tuple(events)


def _event(session: str, seq: int, action: int) -> Envelope:
    return Envelope(
        session=session,
        seq=seq,
        action=action,
        slot=action,
        revision=1,
        type="trial.stone-laid",
        v=1,
        at=AT,
        by=By(role="gm"),
        audience=EVERYONE,
        data=b'{"stone":%d}' % seq,
        salt=os.urandom(SALT_BYTES),
        hash=b"",
    )


def opened(session: str, count: int = 1, *, title: str = "A trial", **fields: Any) -> Append:
    """The append that opens a session with so many events. `fields` are the append's."""
    opening = Opening(ruleset="trial", rules=1, title=title, seed=sha256(session.encode()).digest())
    append = Append(session=session, expected=0, events=sealed(session, count), opening=opening)
    return replace(append, **fields)


def followed(before: Append, count: int = 1, **fields: Any) -> Append:
    """The append that comes after another, as the next action. `fields` are the append's."""
    last = before.events[-1]
    append = Append(
        session=before.session, expected=last.seq, events=sealed(before.session, count, previous=last)
    )
    return replace(append, **fields)


def forked(session: str, before: Append, count: int = 1, *, held: bool = True, **fields: Any) -> Append:
    """The append that opens a session as another was after an append to it. `fields` are the append's.

    Unless they are `held` there, the events until then have to be given with it.
    """
    last = before.events[-1]
    parent = Parent(
        session=before.session,
        at=last.action,
        version=last.seq,
        kind="fork",
        held_by=before.session if held else None,
    )
    seed = sha256(session.encode()).digest()
    opening = Opening(ruleset="trial", rules=1, title="What if", seed=seed, log="log", parent=parent)
    events = sealed(session, count, previous=last)
    return replace(Append(session=session, expected=0, events=events, opening=opening), **fields)


def key(name: str, scope: str = "zadie") -> RequestKey:
    """An idempotency key, with a fingerprint that belongs to it."""
    return RequestKey(scope=scope, key=name, fingerprint=sha256(name.encode()).digest())


def token(name: str, session: str | None = None, **fields: Any) -> Token:
    """A way in for somebody of that name."""
    held = Token(
        id=f"id-{name}",
        session=session,
        role="player" if session else "admin",
        name=name,
        key_hash=sha256(name.encode()).digest(),
        created_at=AT,
    )
    return replace(held, **fields)


def same(found: object, promised: object) -> None:
    """Both are equal, or the promise is broken."""
    if found != promised:
        raise AssertionError(f"Found {found!r}\nwhere {promised!r} was promised")


@contextmanager
def refused(error: type[Exception]) -> Iterator[None]:
    """What is tried inside raises that error, or the promise is broken."""
    try:
        yield
    except error:
        return
    raise AssertionError(f"{error.__name__} was promised, and nothing was raised")


def stored_events(store: Store, session: str) -> list[Envelope]:
    """The session's events with positions left out, to compare with what was appended."""
    return [replace(event, position=0) for event in store.envelopes(session)]
