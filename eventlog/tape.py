"""The tape: a session as of one event, and the fold that winds it there.

A tape is what the recorder needs to go on (version, hash, next roll, settings) and the ruleset's state. It is
always the fold of stored events; a checkpoint is an encoded tape, a cache that may be thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from eventlog.chain import genesis
from eventlog.codec import codec_for, core_type, is_core
from eventlog.core import (
    ActionTaken,
    SessionClosed,
    SessionForked,
    SessionImported,
    SessionOpened,
    SettingChanged,
)
from eventlog.corrections import (
    CORRECTION_EVENTS,
    ActionAmended,
    ActionInserted,
    ActionRedone,
    ActionUndone,
    UndoRequestClosed,
    UndoRequested,
)
from eventlog.envelope import Row
from eventlog.errors import (
    EventLogError,
    EventUnreadable,
    HistoryDoesNotFold,
    SequenceBroken,
    UnknownEventType,
)
from eventlog.history.standing import History
from eventlog.settings import Settings
from rulesets.contract import Event, Ruleset
from rulesets.dice import Roll
from rulesets.installed import ruleset_named

S = TypeVar("S")

CHECKPOINT_EVERY = 8
"""Actions between two checkpoints: what any point of a session costs is bounded by the fold of these."""

_ACTION_TAKEN = core_type(ActionTaken)


class UndoAsked(msgspec.Struct, frozen=True, kw_only=True):
    """An open request: the action it was made as, the action it would have undone, and who asks."""

    number: int
    target: int
    by: str


class Tape(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """A session after its event number `version`.

    `action` is the number of the last action, `slot` the last place in the story that is filled, `next_roll`
    the number the next roll takes, `first_roll` the first one under the present seed, `at` the time of the last
    event, `hash` the receipt of everything so far. `history` tells what corrections made of the log, `request`
    the undo a player asked for and the GM has not settled yet.
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
    first_roll: int = 1
    request: UndoAsked | None = None
    history: History = History()
    state: S


Rewind: TypeAlias = Callable[[Tape[Any]], tuple[Any, int]]
"""The table at the end of a tape's history, and the last slot that is filled there, told anew from the log."""


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


def with_core_event(tape: Tape[Any], event: Event, action: int) -> Tape[Any]:  # noqa: PLR0911 - a case each
    """What a core event of that action, of the time the tape is at, changes on it but for the table; mostly nothing."""
    match event:
        case ActionTaken(redraws=emptied):
            if emptied is None:
                return tape
            return msgspec.structs.replace(tape, history=tape.history.inherited(emptied, action))
        case SettingChanged(name=name, value=value):
            return msgspec.structs.replace(tape, settings=changed(tape.settings, name, value))
        case SessionImported(dice_commitment=commitment):
            return msgspec.structs.replace(tape, dice_commitment=commitment, first_roll=tape.next_roll)
        case SessionForked():
            return msgspec.structs.replace(
                tape,
                title=event.title,
                opened_at=tape.at,
                dice_commitment=event.dice_commitment,
                first_roll=event.first_roll,
                closed=False,
            )
        case SessionClosed():
            return msgspec.structs.replace(tape, closed=True)
        case ActionUndone() | ActionRedone() | ActionAmended() | ActionInserted():
            return msgspec.structs.replace(tape, history=tape.history.corrected(event, action))
        case UndoRequested(target=target, by=by):
            return msgspec.structs.replace(tape, request=UndoAsked(number=action, target=target, by=by))
        case UndoRequestClosed():
            return msgspec.structs.replace(tape, request=None)
        case _:
            return tape


def changed(settings: Settings, name: str, value: str) -> Settings:
    """Settings with one of them changed. Raises `msgspec.ValidationError` for a value it cannot have."""
    return msgspec.convert({**msgspec.structs.asdict(settings), name: value}, Settings)


def fold(  # noqa: C901, PLR0912 - one loop, for speed
    ruleset: Ruleset[Any],
    session: str,
    rows: Iterable[Row],
    tape: Tape[Any] | None = None,
    rewind: Rewind | None = None,
) -> Tape[Any]:
    """Wind the tape over stored events, from the beginning or from an earlier tape.

    `rewind` is asked for the table after a correction. Raises `SequenceBroken`, `UnknownEventType`,
    `EventUnreadable` or `HistoryDoesNotFold`, naming the event.
    """
    rows = iter(rows)
    if tape is None:
        tape = _opened(ruleset, session, next(rows, None))
    read, evolve = codec_for(ruleset).read, ruleset.record.evolve
    state, next_roll, version, slot = tape.state, tape.next_roll, tape.version, tape.slot
    row: Row | None = None
    correcting = -1
    # One loop over plain names: a long session passes through here event by event.
    for row in rows:
        version += 1
        if row.seq != version:
            raise SequenceBroken(f"Event {version} of session {session} is missing", seq=version)
        if correcting != row.action:
            if correcting >= 0:
                state, slot = _rewound(tape, correcting, rewind, row)
                correcting = -1
            if row.slot is not None:
                slot = row.slot
        if row.data is None or (row.type == _ACTION_TAKEN and b'"redraws":' not in row.data):
            continue
        try:
            event = read(row.type, row.v, row.data, row.seq)
            roll = getattr(event, "roll", None)
            if roll is not None:
                next_roll = max(next_roll, roll.number + 1)
                if b'"address":' in row.data:
                    next_roll = max(next_roll, roll_after(roll))
            if is_core(row.type):
                tape = msgspec.structs.replace(tape, next_roll=next_roll, at=row.at)
                tape = with_core_event(tape, event, row.action)
                if isinstance(event, CORRECTION_EVENTS):
                    correcting = row.action
            elif correcting != row.action:
                state = evolve(state, event)
        except (UnknownEventType, EventUnreadable):
            raise
        except Exception as error:
            raise HistoryDoesNotFold.at(row.seq, type=row.type) from error
    if row is None:
        return tape
    if correcting >= 0:
        state, slot = _rewound(tape, correcting, rewind, row)
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


def roll_after(roll: Roll) -> int:
    """The lowest number that neither a roll nor the address of one of its dice has taken."""
    number = roll.number
    for die in roll.dice:
        if die.address is not None:
            number = max(number, int(die.address.partition(".")[0]))
    return number + 1


def _rewound(tape: Tape[Any], correction: int, rewind: Rewind | None, row: Row) -> tuple[Any, int]:
    if rewind is None:
        raise HistoryDoesNotFold(
            f"A correction stands before event {row.seq}, and there is no log to tell the history anew from",
            seq=row.seq,
            type=row.type,
        )
    try:
        return rewind(msgspec.structs.replace(tape, action=correction))
    except EventLogError:
        raise
    except Exception as error:
        raise HistoryDoesNotFold(
            f"What the correction before event {row.seq} leaves standing is not in the log",
            seq=row.seq,
            type=row.type,
        ) from error


def _opened(ruleset: Ruleset[Any], session: str, row: Row | None) -> Tape[Any]:
    event = codec_for(ruleset).event(row) if row and row.seq == 1 else None
    if row is None or not isinstance(event, SessionOpened):
        raise SequenceBroken(f"Session {session} does not begin with its opening", seq=1)
    try:
        tape = blank(session, ruleset, event, row.at)
    except (msgspec.MsgspecError, ValueError) as error:
        raise HistoryDoesNotFold.at(row.seq, type=row.type) from error
    return msgspec.structs.replace(tape, version=1, hash=row.hash)


# --- checkpoints --------------------------------------------------------------------------------------------


@cache
def _shape(slug: str) -> bytes:
    """Eight bytes that change with the shape of a ruleset's state: another shape is another cache."""
    state = ruleset_named(slug).record.state
    return sha256(msgspec.json.encode(msgspec.json.schema(Tape[state]), order="sorted")).digest()[:8]  # type: ignore[valid-type]


def wrap(tape: Tape[Any]) -> bytes:
    """A tape as a checkpoint."""
    return _shape(tape.ruleset) + msgspec.msgpack.encode(tape)


def unwrap(ruleset: Ruleset[Any], session: str, checkpoint: bytes) -> Tape[Any] | None:
    """The tape of a checkpoint of a session's log, or `None` where it was made for another shape of the state."""
    if not checkpoint.startswith(_shape(ruleset.slug)):
        return None
    tape = _tape_decoder(ruleset.slug).decode(memoryview(checkpoint)[8:])
    # A fork winds on from its parent's.
    return tape if tape.session == session else msgspec.structs.replace(tape, session=session)


@cache
def _tape_decoder(slug: str) -> msgspec.msgpack.Decoder[Tape[Any]]:
    return msgspec.msgpack.Decoder(Tape[ruleset_named(slug).record.state])  # type: ignore[misc]
