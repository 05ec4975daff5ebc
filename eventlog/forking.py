"""Forks: a new session that begins as another was, with its own id, dice, people and future."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from eventlog.codec import core_type
from eventlog.core import ForkKind, SessionForked
from eventlog.dice import commitment
from eventlog.envelope import By, Envelope
from eventlog.errors import CommandMalformed, NotAllowed
from eventlog.logs import Head, Parent
from eventlog.playing import Draft
from eventlog.requests import ForkRequest
from eventlog.sealing import seal
from eventlog.store import Append, Opening, Store
from eventlog.tape import Tape, with_core_event, wrap
from rulesets.people import EVERYONE

LONGEST_TITLE = 80
FORKED = core_type(SessionForked)


def check_fork(request: ForkRequest, head: Head) -> None:
    """Refuse a fork nobody may make or that leads nowhere. Raises `NotAllowed` or `CommandMalformed`."""
    if request.issuer.role != "gm":
        raise NotAllowed("Only the GM forks a session", needs="gm")
    if request.kind == "sequel" and request.at not in (None, head.action):
        raise CommandMalformed(
            f"A sequel goes on from the end of the session, after action {head.action}: leave `at` out, or make a "
            "fork, which begins anywhere",
            at=request.at,
            last=head.action,
        )


def forked(
    store: Store, tape: Tape[Any], session: str, request: ForkRequest, seed: bytes
) -> tuple[Append, Tape[Any]]:
    """What opening a session as another one was on this tape stores, and the tape it begins with."""
    parent, holder = owner_of(store, tape.session, tape.action)
    event = going_on(tape, parent, session, seed, kind=request.kind, title=request.title)
    own = msgspec.structs.replace(tape, session=session)
    events, after = begun(own, event, By.viewer(request.issuer))
    opening = Opening(
        ruleset=tape.ruleset,
        rules=tape.rules,
        title=event.title,
        seed=seed,
        log=store.head(tape.session).log,
        parent=parent_of(event, holder),
    )
    item = Append(
        session=session,
        expected=0,
        events=events,
        key=request.key,
        opening=opening,
        tokens=tuple(msgspec.structs.replace(token, session=session) for token in request.tokens),
        checkpoint=wrap(after),
    )
    return item, after


def going_on(  # noqa: PLR0913 - what it goes on from, and what it is, has and is called
    tape: Tape[Any], parent: str, session: str, seed: bytes, *, kind: ForkKind = "fork", title: str = ""
) -> SessionForked:
    """What is recorded where a session goes on as another one from this tape, with dice of its own.

    Without a `title` it is called after its parent.
    """
    return SessionForked(
        parent=parent,
        at=tape.action,
        version=tape.version,
        kind=kind,
        title=title or called_after(tape.title, kind, tape.action),
        session=session,
        dice_commitment=commitment(seed),
        first_roll=tape.next_roll,
    )


def begun(tape: Tape[Any], event: SessionForked, by: By) -> tuple[tuple[Envelope, ...], Tape[Any]]:
    """The event with which a fork begins, after what it shares, and the tape after it."""
    events = seal(tape, [Draft(event=event, audience=EVERYONE)], by, tape.action + 1)
    (stored,) = events
    tape = with_core_event(msgspec.structs.replace(tape, at=stored.at), event, stored.action)
    after = msgspec.structs.replace(tape, version=stored.seq, action=stored.action, hash=stored.hash)
    return events, after


def parent_of(event: SessionForked, held_by: str | None) -> Parent:
    """The session a fork begins as, for the store that keeps it."""
    return Parent(session=event.parent, at=event.at, version=event.version, kind=event.kind, held_by=held_by)


def owner_of(store: Store, session: str, at: int) -> tuple[str, str]:
    """The session an action of a log belongs to, and the one whose log holds it here.

    What a fork shares belongs to its parents: forking a fork before it was one is forking them.
    """
    head = store.head(session)
    while (parent := head.parent) is not None and at <= parent.at:
        if parent.held_by is None:
            return _named_in(store, head.session, at), head.session
        head = store.head(parent.held_by)
    return head.session, head.session


def _named_in(store: Store, session: str, at: int) -> str:
    """The session that an action belongs to as a log tells it that was taken in whole."""
    later = (row for row in store.rows(session) if row.type == FORKED and row.action > at and row.data)
    return msgspec.json.decode(next(later).data or b"", type=SessionForked).parent


def heirs(store: Store, session: str) -> Iterator[str]:
    """The sessions that were forked from this one, and from those, and so on: they may share what was said here."""
    for head in store.forks(session):
        yield head.session
        yield from heirs(store, head.session)


def called_after(title: str, kind: ForkKind, action: int) -> str:
    """The title of a fork nobody named: that of its parent, with what it is."""
    what = "sequel" if kind == "sequel" else f"fork after action {action}"
    return f"{title[: LONGEST_TITLE - len(what) - 3]} ({what})"
