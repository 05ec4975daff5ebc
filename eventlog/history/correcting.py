"""A correction told through to the end of the history: what stands, what changes, what falls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from eventlog.corrections import Mode, Otherwise
from eventlog.history.account import Account
from eventlog.history.deciding_again import Decider
from eventlog.history.errors import DiceNeeded
from eventlog.history.points import table_before
from eventlog.history.reading import Past
from eventlog.history.retold import Again
from eventlog.history.slots import Content, thrown_for
from eventlog.history.standing import History
from eventlog.history.stock import Stock
from eventlog.history.stock_dice import DiceOpen
from eventlog.history.touching import Proposal, Told, Touching, conflict, not_touched
from rulesets.contract import RuleViolation

TABLES_EVERY = 64
"""Slots between two tables kept on the way through a correction."""


class Telling:
    """One correction being told, slot by slot; `ahead` only looks, so that a strict one tells what it would touch."""

    def __init__(  # noqa: PLR0913 - the history, who decides, and what is asked
        self,
        past: Past,
        history: History,
        decider: Decider,
        proposals: Mapping[int, Proposal],
        *,
        mode: Mode,
        others: Sequence[Otherwise] = (),
        ahead: bool = False,
    ) -> None:
        self._past = past
        self._history = history
        self._decider = decider
        self._proposals = proposals
        self._mode = mode
        self._others = others
        self._ahead = ahead
        self._account = Account(proposals)
        self._tables: list[tuple[int, Any]] = []
        self._sent = frozenset(each.action for each in others)
        self._heeded: set[int] = set()
        self._state: Any = None
        self._open = False

    @property
    def drew(self) -> bool:
        """Whether new dice were drawn."""
        return self._decider.drew

    def through(self, first: int) -> Told:
        """Tell it from a slot on to the end.

        Raises the `RuleViolation` of what was asked for and is illegal, `HistoryConflict` where later actions
        are touched and the mode is strict, `TooMuchTouched`.
        """
        self._state = table_before(self._past, first)
        standing = {content.slot: content for content in self._past.line(first)}
        order = self._history.in_order({*standing, *self._proposals})
        filled = [slot for slot in order if self._candidate(slot, standing.get(slot)) is not None]
        last: int | None = None
        for index, slot in enumerate(order, 1):
            is_last = slot == filled[-1] if filled else False
            if self._slot(slot, standing.get(slot), is_last=is_last):
                last = slot
            # Answers may still join the last slot; a table after it would lack them.
            if index % TABLES_EVERY == 0 and not is_last and not self._history.is_inserted(slot):
                self._tables.append((slot, self._state))
        return self._told(last)

    def _candidate(self, slot: int, standing: Content | None) -> Content | None:
        proposal = self._proposals.get(slot)
        return standing if proposal is None else proposal.content

    # --- one slot ---------------------------------------------------------------------------------------------

    def _slot(self, slot: int, standing: Content | None, *, is_last: bool) -> bool:
        """Tell one slot; whether it is filled afterwards."""
        proposal, content = self._proposals.get(slot), self._candidate(slot, standing)
        before = standing.revision if standing else None
        if content is None:
            self._emptied(slot, standing, proposal)
            return False
        if self._open:
            self._heed(content)
            self._account.touch(Touching(action=slot, outcome="open", before=before), standing)
            return True
        if proposal is None and not self._is_sent_for(content):
            went = self._decider.as_it_went(self._state, content, last=is_last)
            if went is not None:
                self._state = went
                return True
        if self._asks(content, proposal, is_last=is_last):
            self._heed(content)
        try:
            again = self._again(content, proposal, is_last=is_last)
        except RuleViolation as violation:
            self._falls(content, standing, proposal, violation)
            return False
        except (DiceOpen, DiceNeeded) as wanted:
            return self._wants_dice(content, standing, proposal, self._left_open(wanted, proposal))
        return self._told_again(content, standing, proposal, again)

    def _is_sent_for(self, content: Content) -> bool:
        return bool(self._sent) and any(step.action in self._sent for step in content.steps)

    def _heed(self, content: Content) -> None:
        self._heeded |= self._sent & {step.action for step in content.steps}

    def _asks(self, content: Content, proposal: Proposal | None, *, is_last: bool) -> bool:
        """Whether what was sent for the slot is wanted: it would go otherwise also without, and is not undone for it."""
        if proposal is not None or not self._is_sent_for(content):
            return proposal is not None
        stock = self._stock(content, content)
        return self._mode != "cascade" and not self._decider.goes_as_it_went(
            self._state, content, stock, last=is_last
        )

    def _stock(self, content: Content, own: Content) -> Stock:
        return Stock(thrown_for(own), lambda: self._past.thrown(content.slot))

    def _again(self, content: Content, proposal: Proposal | None, *, is_last: bool) -> Again:
        own, asked = (proposal.dice_of if proposal else None) or content, bool(proposal and proposal.asked)
        return self._decider.again(
            self._state,
            content,
            self._stock(content, own),
            last=is_last,
            others=self._others,
            meant=proposal.meant if proposal else None,
            answered=bool(proposal and proposal.answered),
            typed=proposal.typed if proposal else None,
            draws=asked or self._mode == "rebase",
        )

    def _told_again(
        self, content: Content, standing: Content | None, proposal: Proposal | None, again: Again
    ) -> bool:
        slot, before = content.slot, standing.revision if standing else None
        if (proposal is None or proposal.kept) and again.stands(content):
            self._state = again.state
            if content is not standing and proposal is not None:
                told = Touching(
                    action=slot,
                    outcome=proposal.outcome,
                    before=before,
                    after=content.revision,
                    dropped=proposal.drops,
                )
                self._account.touch(told, standing or content)
            return True
        asked = proposal is not None and proposal.asked and not proposal.kept
        told = Touching(
            action=slot,
            outcome=proposal.outcome if proposal and asked else "changes",
            before=before,
            dropped=(*(proposal.drops if proposal else ()), *again.dropped),
            replaced=any(step.replaced for step in again.steps),
        )
        if self._mode == "cascade" and not (proposal and proposal.asked):
            self._account.touch(told, standing or content)
            return False
        revision = self._history.next_revision(slot)
        self._account.touch(msgspec.structs.replace(told, after=revision), standing or content)
        self._account.write(slot, revision, again)
        self._state = again.state
        return True

    def _emptied(self, slot: int, standing: Content | None, proposal: Proposal | None) -> None:
        if standing is not None and proposal is not None:
            told = Touching(action=slot, outcome=proposal.outcome, before=standing.revision)
            self._account.touch(told, standing)

    def _falls(
        self,
        content: Content,
        standing: Content | None,
        proposal: Proposal | None,
        violation: RuleViolation,
    ) -> None:
        """Raise what makes a thing illegal that was asked for; else the slot is emptied, and says why."""
        sent = self._sent & {step.action for step in content.steps}
        if proposal is None and sent - self._heeded:
            raise not_touched(sent)
        if sent or (proposal is not None and proposal.asked):
            raise violation
        before = standing.revision if standing else None
        told = Touching(
            action=content.slot,
            outcome="falls",
            before=before,
            code=violation.code,
            message=violation.message,
        )
        self._account.touch(told, standing or content)

    def _wants_dice(
        self, content: Content, standing: Content | None, proposal: Proposal | None, wanted: DiceOpen
    ) -> bool:
        """New dice change a slot for certain; what they show, and so the table after it, is open."""
        told = Touching(
            action=content.slot,
            outcome=proposal.outcome if proposal and proposal.asked and not proposal.kept else "changes",
            before=standing.revision if standing else None,
            purpose=wanted.purpose,
            dice=wanted.faces,
        )
        self._account.touch(told, standing or content)
        if self._mode == "cascade" and (proposal is None or not proposal.asked):
            return False
        self._open = True
        return True

    def _left_open(self, wanted: DiceOpen | DiceNeeded, proposal: Proposal | None) -> DiceOpen:
        """Dice that are wanted, as they lie there.

        Raises `DiceNeeded` for those of the table; not where their slot is emptied, or refused for being touched.
        """
        if isinstance(wanted, DiceOpen):
            return wanted
        goes_on = proposal is not None and proposal.asked
        if self._mode == "strict":
            goes_on = goes_on and not self._account.conflicting
        if goes_on or self._mode == "rebase":
            raise wanted
        return DiceOpen(wanted.fields["purpose"], tuple(wanted.fields["dice"]))

    # --- the end ----------------------------------------------------------------------------------------------

    def _told(self, last: int | None) -> Told:
        account = self._account
        if self._mode == "strict" and not self._ahead and (touched := account.conflicting):
            raise conflict(touched, account.revised)
        return Told(
            targets=account.touchings(asked=True),
            consequences=account.touchings(asked=False),
            changes=account.changes,
            revised=tuple(account.revised),
            state=None if self._open else self._state,
            next_roll=self._decider.next_roll,
            last=last,
            tables=tuple(self._tables),
            contents=account.contents,
            heeded=frozenset(self._heeded),
        )
