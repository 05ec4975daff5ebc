"""The audit: every die, every ruling, everything set by hand, and who corrected how often."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from eventlog.codec import codec_for, core_type
from eventlog.core import RulingMade
from eventlog.corrections import ActionAmended, ActionInserted, ActionRedone, ActionUndone
from eventlog.envelope import By, Envelope
from eventlog.history.points import tape_at
from eventlog.store import Store
from eventlog.tape import Tape
from projections.ledger import LedgerLine, dice_of, ledger, visible_events
from projections.telling import ruled
from rulesets.contract import Ruleset
from rulesets.installed import ruleset_named
from rulesets.people import Viewer

__all__ = ["Audit", "ByHand", "Corrections", "LedgerLine", "Ruling", "audit", "ledger"]

KINDS = {
    core_type(ActionUndone): "undone",
    core_type(ActionRedone): "redone",
    core_type(ActionAmended): "amended",
    core_type(ActionInserted): "inserted",
}


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """The GM passed over refusals (`codes`, with the reason given), or `question` was answered as recommended."""

    seq: int
    action: int
    slot: int | None
    revision: int
    at: str
    by: By
    line: str
    codes: tuple[str, ...]
    reason: str
    question: str | None
    standing: bool


class ByHand(msgspec.Struct, frozen=True, kw_only=True):
    """Something the GM set by hand, past the rules: what in words, and the event as it is in the log."""

    seq: int
    action: int
    slot: int | None
    revision: int
    at: str
    by: By
    type: str
    line: str
    data: msgspec.Raw
    standing: bool


class Corrections(msgspec.Struct, frozen=True, kw_only=True):
    """How many actions somebody's corrections were: how often they undid, redid, amended, put something in."""

    by: By
    undone: int = 0
    redone: int = 0
    amended: int = 0
    inserted: int = 0


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the audit: what the events after a number hold, and the corrections of the whole session.

    `next` is the number of the event to go on after, `None` at the end.
    """

    version: int
    dice: tuple[LedgerLine, ...]
    rulings: tuple[Ruling, ...]
    by_hand: tuple[ByHand, ...]
    corrections: tuple[Corrections, ...]
    next: int | None


def audit(store: Store, session: str, viewer: Viewer, *, after: int = 0, limit: int = 200) -> Audit:
    """A page of what this person may see: `limit` dice, rulings and settings by hand, and the rest of an event.

    Raises `SessionUnknown` or `RulesetNotInstalled`.
    """
    tape = tape_at(store, session)
    page, counted, more = _Page(store, tape), _Counted(), False
    for envelope in visible_events(store, session, viewer, upto=tape.version):
        counted.see(envelope)
        if envelope.seq > after and not (more := more or page.size >= limit):
            page.see(envelope)
    return Audit(
        version=tape.version,
        dice=tuple(page.dice),
        rulings=tuple(page.rulings),
        by_hand=tuple(page.by_hand),
        corrections=counted.people(),
        next=page.last if more else None,
    )


class _Page:
    """One page as it fills."""

    def __init__(self, store: Store, tape: Tape[Any]) -> None:
        self._store = store
        self._tape = tape
        self._ruleset: Ruleset[Any] = ruleset_named(tape.ruleset)
        self._types = self._ruleset.record.by_hand
        self.dice: list[LedgerLine] = []
        self.rulings: list[Ruling] = []
        self.by_hand: list[ByHand] = []
        self.last = 0

    @property
    def size(self) -> int:
        """How much it holds."""
        return len(self.dice) + len(self.rulings) + len(self.by_hand)

    def see(self, envelope: Envelope) -> None:
        """Take in what an event holds."""
        self.last = envelope.seq
        self.dice += dice_of(self._ruleset, self._tape.history, envelope)
        event = codec_for(self._ruleset).event(envelope)
        place = {name: getattr(envelope, name) for name in ("seq", "action", "slot", "revision", "at", "by")}
        place["standing"] = self._tape.history.stands(envelope.slot, envelope.revision)
        if isinstance(event, RulingMade):
            said = {name: getattr(event, name) for name in ("codes", "reason", "question")}
            self.rulings.append(Ruling(**place, **said, line=ruled(event)))
        elif event is not None and isinstance(event, self._types):
            after = tape_at(self._store, self._tape.session, envelope.action).state
            line, data = self._ruleset.record.describe(after, [event]), msgspec.Raw(envelope.data or b"null")
            self.by_hand.append(ByHand(**place, type=envelope.type, line=line, data=data))


class _Counted:
    """Corrections by person, each action once whatever it consists of."""

    def __init__(self) -> None:
        self._kinds: dict[By, Counter[str]] = {}
        self._last = -1

    def see(self, envelope: Envelope) -> None:
        """Count a correction."""
        kind = KINDS.get(envelope.type)
        if kind is not None and envelope.action != self._last:
            self._last = envelope.action
            self._kinds.setdefault(envelope.by, Counter())[kind] += 1

    def people(self) -> tuple[Corrections, ...]:
        """Everybody who corrected, the first to do so first."""
        return tuple(Corrections(by=by, **counts) for by, counts in self._kinds.items())
