"""What storing a checked copy takes: as the session it is, or as the beginning of another one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import msgspec

from eventlog.archive.as_headed import last_fork
from eventlog.archive.header import Header
from eventlog.codec import codec_for
from eventlog.core import SessionClosed, SessionImported
from eventlog.dice import SEED_BYTES, commitment
from eventlog.envelope import By, Envelope, row_of
from eventlog.forking import begun, going_on, parent_of
from eventlog.history.copied import CopiedLog
from eventlog.history.points import rewound
from eventlog.logs import Checkpoint
from eventlog.playing import Draft
from eventlog.sealing import seal
from eventlog.store import Append, Opening
from eventlog.tape import CHECKPOINT_EVERY, Tape, fold, wrap
from eventlog.verification.forks import log_of
from rulesets.contract import Ruleset
from rulesets.people import EVERYONE


class CheckedCopy(msgspec.Struct, frozen=True, kw_only=True):
    """A copy that is complete and valid, ready to be stored: what its header says, and what storing it takes.

    Taken in as a fork, the header has the fork's own id and title.
    """

    header: Header
    item: Append
    as_fork: bool = False


def as_itself(ruleset: Ruleset[Any], header: Header, events: tuple[Envelope, ...]) -> CheckedCopy:
    """The copy as the session it was made of; one that still runs goes on under a new seed."""
    tape, checkpoints = _wound(ruleset, header.session, events)
    seed = _revealed(ruleset, events[-1]) if tape.closed else secrets.token_bytes(SEED_BYTES)
    if not tape.closed:
        events = (*events, *_new_seed(tape, seed))
        tape = fold(ruleset, header.session, [row_of(events[-1])], tape)
    item = Append(
        session=header.session,
        expected=0,
        events=events,
        opening=_opening(header, events, seed),
        checkpoint=wrap(tape),
        checkpoints=tuple(checkpoints),
        closes=tape.closed,
    )
    return CheckedCopy(header=header, item=item)


def as_fork(ruleset: Ruleset[Any], header: Header, events: tuple[Envelope, ...], session: str) -> CheckedCopy:
    """The copy as the beginning of another session, with dice of its own: what was recorded elsewhere stays there."""
    tape, checkpoints = _wound(ruleset, session, events)
    seed = secrets.token_bytes(SEED_BYTES)
    event = going_on(tape, header.session, session, seed)
    own, after = begun(tape, event, By(role="admin"))
    header = msgspec.structs.replace(header, session=session, title=event.title)
    item = Append(
        session=session,
        expected=0,
        events=(*(msgspec.structs.replace(each, session=session) for each in events), *own),
        opening=_opening(header, (*events, *own), seed),
        checkpoint=wrap(after),
        checkpoints=tuple(checkpoints),
    )
    return CheckedCopy(header=header, item=item, as_fork=True)


def _opening(header: Header, events: Sequence[Envelope], seed: bytes) -> Opening:
    fork = last_fork(events)
    return Opening(
        ruleset=header.ruleset,
        rules=header.rules,
        title=header.title,
        seed=seed,
        log=log_of(header.session, events),
        parent=None if fork is None else parent_of(fork, held_by=None),
    )


def _wound(
    ruleset: Ruleset[Any], session: str, events: Sequence[Envelope]
) -> tuple[Tape[Any], list[Checkpoint]]:
    """The tape at the end, and the checkpoints its own store would have made on the way."""
    tape, checkpoints, log = None, list[Checkpoint](), CopiedLog(session, events)
    for action, group in groupby(events, key=lambda event: event.action):
        tape = fold(ruleset, session, map(row_of, group), tape, lambda corrected: rewound(log, corrected))
        if action % CHECKPOINT_EVERY == 0:
            checkpoints.append(Checkpoint(action=action, version=tape.version, tape=wrap(tape)))
    assert tape is not None  # noqa: S101 - there is at least the opening
    return tape, checkpoints


def _new_seed(tape: Tape[Any], seed: bytes) -> tuple[Envelope, ...]:
    draft = Draft(event=SessionImported(dice_commitment=commitment(seed)), audience=EVERYONE)
    return seal(tape, [draft], By(role="admin"), tape.action + 1)


def _revealed(ruleset: Ruleset[Any], last: Envelope) -> bytes:
    """The seed the close revealed; the close is the last event of a valid log."""
    event = codec_for(ruleset).event(last)
    return bytes.fromhex(event.seed) if isinstance(event, SessionClosed) else b""
