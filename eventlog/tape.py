"""The tape: a session as of one event, and the fold that winds it there.

A tape is what the recorder needs to go on (version, hash, next roll, settings) and the ruleset's state. It is
always the fold of stored events; a checkpoint is an encoded tape, a cache that may be thrown away.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import Any, Generic, TypeVar

import msgspec

from eventlog.chain import genesis
from eventlog.codec import codec_for, core_type, is_core
from eventlog.core import ActionTaken, SessionClosed, SessionImported, SessionOpened, SettingChanged
from eventlog.envelope import Row
from eventlog.errors import ActionUnknown, HistoryDoesNotFold, SequenceBroken
from eventlog.settings import Settings
from eventlog.store import Store
from rulesets.contract import Event, Ruleset
from rulesets.installed import ruleset_named

S = TypeVar("S")

CHECKPOINT_EVERY = 8
"""Actions between two checkpoints: what any point of a session costs is bounded by the fold of these."""

_ACTION_TAKEN = core_type(ActionTaken)


class Tape(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """A session after its event number `version`.

    `action` is the number of the last action, `slot` the last place in the story, `next_roll` the number the
    next roll takes, `at` the time of the last event, `hash` the receipt of everything so far.
    """

    session: str
    ruleset: str
    rules: int
    title: str
    opened_at: str
    settings: Settings
    dice_commitment: str
    version: int
    action: int
    slot: int
    next_roll: int
    at: str
    hash: bytes
    closed: bool = False
    state: S


def blank(session: str, ruleset: Ruleset[Any], opened: SessionOpened, at: str) -> Tape[Any]:
    """The tape of a session in which only its opening is about to be recorded."""
    return Tape(
        session=session,
        ruleset=ruleset.slug,
        rules=opened.rules,
        title=opened.title,
        opened_at=at,
        settings=opened.settings,
        dice_commitment=opened.dice_commitment,
        version=0,
        action=0,
        slot=0,
        next_roll=1,
        at=at,
        hash=genesis(session),
        state=first_table(ruleset, opened),
    )


def first_table(ruleset: Ruleset[Any], opened: SessionOpened) -> Any:
    """The table before anything happened, under the readings the session was opened with."""
    parameters = msgspec.json.decode(opened.parameters, type=ruleset.record.parameters)
    return ruleset.record.start(parameters)


def with_core_event(tape: Tape[Any], event: Event) -> Tape[Any]:
    """What a core event changes on the tape; most change nothing."""
    match event:
        case SettingChanged(name=name, value=value):
            return msgspec.structs.replace(tape, settings=changed(tape.settings, name, value))
        case SessionImported(dice_commitment=commitment):
            return msgspec.structs.replace(tape, dice_commitment=commitment)
        case SessionClosed():
            return msgspec.structs.replace(tape, closed=True)
        case _:
            return tape


def changed(settings: Settings, name: str, value: str) -> Settings:
    """Settings with one of them changed. Raises `msgspec.ValidationError` for a value it cannot have."""
    return msgspec.convert({**msgspec.structs.asdict(settings), name: value}, Settings)


def fold(
    ruleset: Ruleset[Any], session: str, rows: Iterable[Row], tape: Tape[Any] | None = None
) -> Tape[Any]:
    """Wind the tape over stored events, from the beginning or from an earlier tape.

    Raises `SequenceBroken`, `UnknownEventType`, `EventUnreadable` or `HistoryDoesNotFold`, naming the event.
    """
    rows = iter(rows)
    if tape is None:
        tape = _opened(ruleset, session, next(rows, None))
    read, evolve = codec_for(ruleset).read, ruleset.record.evolve
    state, next_roll, version, slot = tape.state, tape.next_roll, tape.version, tape.slot
    row: Row | None = None
    # One loop over plain names: a long session passes through here event by event.
    for row in rows:
        version += 1
        if row.seq != version:
            raise SequenceBroken(f"Event {version} of session {session} is missing", seq=version)
        if row.slot is not None and row.slot > slot:
            slot = row.slot
        if row.type == _ACTION_TAKEN or row.data is None:
            continue
        event = read(row.type, row.v, row.data, row.seq)
        roll = getattr(event, "roll", None)
        if roll is not None:
            next_roll = roll.number + 1
        if is_core(row.type):
            tape = with_core_event(tape, event)
            continue
        try:
            state = evolve(state, event)
        except Exception as error:
            raise _does_not_fold(row, error) from error
    if row is None:
        return tape
    return msgspec.structs.replace(
        tape,
        state=state,
        next_roll=next_roll,
        version=version,
        action=row.action,
        slot=slot,
        at=row.at,
        hash=row.hash,
    )


def _opened(ruleset: Ruleset[Any], session: str, row: Row | None) -> Tape[Any]:
    event = codec_for(ruleset).event(row) if row and row.seq == 1 else None
    if row is None or not isinstance(event, SessionOpened):
        raise SequenceBroken(f"Session {session} does not begin with its opening", seq=1)
    tape = blank(session, ruleset, event, row.at)
    return msgspec.structs.replace(tape, version=1, hash=row.hash)


def _does_not_fold(row: Row, error: Exception) -> HistoryDoesNotFold:
    return HistoryDoesNotFold(
        f"Event {row.seq} ({row.type}) does not fit the table before it: {error}", seq=row.seq, type=row.type
    )


# --- checkpoints --------------------------------------------------------------------------------------------


@cache
def _shape(slug: str) -> bytes:
    """Eight bytes that change with the shape of a ruleset's state: another shape is another cache."""
    state = ruleset_named(slug).record.state
    return sha256(msgspec.json.encode(msgspec.json.schema(Tape[state]), order="sorted")).digest()[:8]  # type: ignore[valid-type]


def wrap(tape: Tape[Any]) -> bytes:
    """A tape as a checkpoint."""
    return _shape(tape.ruleset) + msgspec.msgpack.encode(tape)


def unwrap(ruleset: Ruleset[Any], checkpoint: bytes) -> Tape[Any] | None:
    """The tape of a checkpoint, or `None` where it was made for another shape of the state."""
    if not checkpoint.startswith(_shape(ruleset.slug)):
        return None
    return _tape_decoder(ruleset.slug).decode(memoryview(checkpoint)[8:])


@cache
def _tape_decoder(slug: str) -> msgspec.msgpack.Decoder[Tape[Any]]:
    return msgspec.msgpack.Decoder(Tape[ruleset_named(slug).record.state])  # type: ignore[misc]


def tape_at(store: Store, session: str, action: int | None = None) -> Tape[Any]:
    """The tape after an action (the last one when `None`), as it was known then.

    Raises `SessionUnknown`, `ActionUnknown`, or `RulesetNotInstalled` where the game is not here.
    """
    head = store.head(session)
    if action is None:
        action = head.action
    elif not 0 <= action <= head.action:
        raise ActionUnknown(
            f"There is no action {action}: the session's last one is {head.action}",
            action=action,
            last=head.action,
        )
    ruleset = ruleset_named(head.ruleset)
    kept = store.checkpoint(session, action)
    tape = unwrap(ruleset, kept.tape) if kept else None
    return fold(ruleset, session, store.rows(session, tape.version if tape else 0, action), tape)
