"""The dice: rolls numbered without a gap, faces dice can show, and once the seed is out every face again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from eventlog.codec import core_type
from eventlog.core import ActionTaken, SessionClosed, SessionForked, SessionImported, SessionOpened
from eventlog.dice import commitment, face
from eventlog.envelope import Envelope
from eventlog.history.stock import address_of
from eventlog.verification.forks import FORKED, fork_in
from eventlog.verification.report import Found
from rulesets.dice import Roll

OPENED, IMPORTED, CLOSED = core_type(SessionOpened), core_type(SessionImported), core_type(SessionClosed)
TAKEN = core_type(ActionTaken)
RECORDERS = frozenset({TAKEN, OPENED, IMPORTED, CLOSED, FORKED})
"""The recorder's own events that say something of dice, and throw none."""


class _Thrower(msgspec.Struct, frozen=True):
    """All of any event that matters here: the roll it carries."""

    roll: Roll | None = None


class _Promise(msgspec.Struct, frozen=True):
    """All that matters of the recorder's own: the promise or the seed it publishes."""

    dice_commitment: str = ""
    seed: str = ""


class _Taken(msgspec.Struct, frozen=True):
    """All that matters of what was asked: where its dice came from."""

    source: str | None = None


_source = msgspec.json.Decoder(_Taken).decode
_roll = msgspec.json.Decoder(_Thrower).decode
_promise = msgspec.json.Decoder(_Promise).decode


def _promise_in(event: Envelope, data: bytes) -> _Promise:
    try:
        return _promise(data)
    except (msgspec.MsgspecError, ValueError) as error:
        message = f"What event {event.seq} says of the seed cannot be read"
        raise Found(event.seq, event.action, "data", message) from error


PLACES = 1 << 20
"""More dice than any roll has: a die's address becomes one number, since a long log has many."""


@dataclass(slots=True)
class Dice:
    """Every roll of a log, checked as it passes. `whole` = nothing of the log is hidden from this reader.

    `label` is the session whose id the dice fall under: the log's first, then each that it goes on as.
    """

    label: str
    whole: bool = True
    next_roll: int = 1
    compared: int = 0
    notes: list[str] = field(default_factory=list)
    _promise: str | None = None
    _first_roll: int = 1
    _faces: dict[int, int] = field(default_factory=dict)
    _redrawing: int | None = None
    _asked: Envelope | None = None
    _waiting: list[Envelope] = field(default_factory=list)

    def see(self, event: Envelope) -> None:
        """Check what this event throws. Raises `Found`."""
        if event.data is None:
            return
        if event.type in RECORDERS:
            self._told(event, event.data)
        elif (roll := roll_in(event)) is not None:
            self._numbered(event, roll)

    def finish(self) -> None:
        """Say what could not be checked; how many dice it is would tell of rolls that are hidden."""
        if self._waiting:
            self.notes.append(
                "Dice thrown by the server can be recomputed once the session is closed and its seed is out"
            )

    def _told(self, event: Envelope, data: bytes) -> None:
        """What the recorder itself says of dice."""
        if event.type == TAKEN:
            self._asked = event
            self._redrawing = event.action if b'"redraws":' in data else None
        elif event.type == CLOSED:
            self._revealed(event, _promise_in(event, data).seed)
        elif event.type != FORKED:
            self._promised(event, _promise_in(event, data).dice_commitment)
        elif (fork := fork_in(event)) is not None:
            self._forked(event, fork)

    def _numbered(self, event: Envelope, roll: Roll) -> None:
        """Rolls count on, but where a revision or a redraw takes dice along: there each keeps its face."""
        if not roll.dice:
            raise Found(
                event.seq, event.action, "data.roll.dice", f"The roll of event {event.seq} has no dice"
            )
        again = event.revision > 1 or event.action == self._redrawing or self._unasked(event)
        if roll.source == "table" and not again:
            self._typed_in(event)
        if not again or roll.number >= self.next_roll:
            self._comes_next(event, roll.number)
        addresses, known = _addresses(roll), self._faces.setdefault
        for number in _elsewhere(roll, addresses):
            if number >= self.next_roll:
                self._comes_next(event, number)
        for place, (die, address) in enumerate(zip(roll.dice, addresses, strict=True), 1):
            if die.face > die.sides:
                raise _wrong(event, roll, place, "shows more than it has sides")
            if known(address, die.face) != die.face:
                raise _wrong(event, roll, place, "showed another face before")
        if roll.source == "server":
            self._waiting.append(event)

    def _unasked(self, event: Envelope) -> bool:
        """Whether what was asked is hidden from this reader: it may have thrown the dice of an undone action again."""
        return not self.whole and (self._asked is None or self._asked.action != event.action)

    def _typed_in(self, event: Envelope) -> None:
        """Faces of a table were sent with the action: or a die of the server could be called typed in and be changed."""
        asked = self._asked
        if asked is None or asked.action != event.action or asked.data is None:
            return
        try:
            typed = _source(asked.data).source == "table"
        except (msgspec.MsgspecError, ValueError):
            typed = False
        if not typed:
            raise Found(
                event.seq,
                event.action,
                "data.roll.source",
                f"Event {event.seq} carries typed faces, and none were sent with action {event.action}",
            )

    def _comes_next(self, event: Envelope, number: int) -> None:
        if number != self.next_roll if self.whole else number < self.next_roll:
            raise Found(
                event.seq,
                event.action,
                "data.roll.number",
                f"Roll {self.next_roll} comes next, and event {event.seq} carries roll {number}",
            )
        self.next_roll = number + 1

    def _promised(self, event: Envelope, promise: str | None) -> None:
        if self._waiting:
            self.notes.append(
                f"Dice before event {event.seq} were thrown where the log was recorded "
                "first and are not witnessed here: their seed stayed there"
            )
            self._waiting.clear()
        self._promise, self._first_roll = promise, self.next_roll

    def _forked(self, event: Envelope, fork: SessionForked) -> None:
        """From this event on dice fall under the id and the seed of a fork."""
        if fork.first_roll != self.next_roll if self.whole else fork.first_roll < self.next_roll:
            raise Found(
                event.seq,
                event.action,
                "data.first_roll",
                f"Roll {self.next_roll} comes next, and the fork of event {event.seq} begins with another",
            )
        if self._waiting:
            self.notes.append(
                f"Dice before event {event.seq} belong to the session {fork.parent}, whose seed is not in this "
                "log: they can be recomputed there once it is closed"
            )
            self._waiting.clear()
        self.label, self._promise, self._first_roll = fork.session, fork.dice_commitment, fork.first_roll

    def _revealed(self, event: Envelope, seed: str) -> None:
        try:
            secret = bytes.fromhex(seed)
        except ValueError:
            secret = b""
        if commitment(secret) != self._promise:
            raise Found(
                event.seq,
                event.action,
                "data.seed",
                "The seed shown at the close is not the one that was promised before the first die",
            )
        fell = set[int]()
        for thrown in self._waiting:
            if (roll := roll_in(thrown)) is not None:
                self._compare(thrown, roll, secret)
                fell.update(each for each in _addresses(roll) if each >= self._first_roll * PLACES)
        self.compared += len(fell)
        self._waiting.clear()

    def _compare(self, event: Envelope, roll: Roll, seed: bytes) -> None:
        for place, die in enumerate(roll.dice, 1):
            number, index = address_of(roll, place)
            if number < self._first_roll:
                continue  # thrown under an earlier seed, and taken along
            if die.face != face(seed, self.label, number, index, die.sides):
                raise _wrong(event, roll, place, "is not the one the seed gives")


def _addresses(roll: Roll) -> Sequence[int]:
    """Where each die was first drawn, as one number."""
    first, dice = roll.number * PLACES + 1, len(roll.dice)
    if {die.address for die in roll.dice} == {None}:
        return range(first, first + dice)
    drawn = [address_of(roll, place) for place in range(1, dice + 1)]
    return [number * PLACES + index for number, index in drawn]


def _elsewhere(roll: Roll, addresses: Sequence[int]) -> list[int]:
    """The other rolls that dice of this one were taken along from."""
    if isinstance(addresses, range):
        return []
    return sorted({address // PLACES for address in addresses} - {roll.number})


def roll_in(event: Envelope) -> Roll | None:
    """The roll an event carries, if it does. Raises `Found` where it cannot be read."""
    data = event.data or b""
    if b"roll" not in data and b"\\" not in data:  # a name can be spelled with escapes as well
        return None
    try:
        return _roll(data).roll
    except (msgspec.MsgspecError, ValueError) as error:
        message = f"The roll of event {event.seq} cannot be read"
        raise Found(event.seq, event.action, "data.roll", message) from error


def _wrong(event: Envelope, roll: Roll, index: int, what: str) -> Found:
    return Found(
        event.seq,
        event.action,
        f"data.roll.dice[{index - 1}].face",
        f"Die {index} of roll {roll.number} (event {event.seq}) {what}",
    )
