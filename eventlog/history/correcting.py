"""A correction told through to the end of the history: what stands, what changes, what falls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from eventlog.commands import command_type
from eventlog.corrections import Change, Mode, Otherwise, Outcome
from eventlog.errors import DiceNeeded, HistoryConflict, NotTouched, TooMuchTouched
from eventlog.history.deciding_again import Again, Decider
from eventlog.history.points import table_before
from eventlog.history.reading import Past
from eventlog.history.slots import Content, rolls_in_facts
from eventlog.history.standing import History
from eventlog.history.stock import DiceOpen, Stock
from rulesets.contract import RuleViolation
from rulesets.dice import Roll

MOST_REVISED = 1000
"""Slots one correction may write anew; beyond it, a fork is the better way."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What a slot shall hold from now on (`None` = nothing), and whether somebody asked for that.

    `asked` is false for what merely comes back with a redone target, `kept` true for a content as it stood
    before. `dice_of` is the content whose dice it takes first. `meant` is the action whose step was sent with the
    correction: it is never replaced by what is recommended, nor are its answers where they were sent too
    (`answered`); `typed` are faces for it. `step` is the one that alone is taken out of the slot.
    """

    content: Content | None
    outcome: Outcome
    asked: bool = True
    kept: bool = False
    dice_of: Content | None = None
    meant: int | None = None
    answered: bool = False
    typed: tuple[int, ...] | None = None
    step: int | None = None


class Touching(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a correction makes of one action: the revision before and after it, and why.

    `outcome` is `open` for everything after dice that are wanted and were never thrown. `code` and
    `message` are the refusal of what falls. `dropped` are answers or book-keeping that lost their place,
    `replaced` tells that recommended answers stand in for some, `dice` are the faces of a roll for `purpose`, with
    `None` for those to be thrown.
    """

    action: int
    outcome: Outcome | Literal["open"]
    before: int | None = None
    after: int | None = None
    code: str | None = None
    message: str = ""
    dropped: tuple[int, ...] = ()
    replaced: bool = False
    purpose: str | None = None
    dice: tuple[int | None, ...] = ()


class Revised(msgspec.Struct, frozen=True, kw_only=True):
    """A slot's new revision as it is to be written."""

    slot: int
    revision: int
    again: Again


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A correction told through: what it does to which slot, and the table at the end (`None` while dice are open).

    `last` is the last slot that is filled then, `None` where none of those told is. `tables` are those after
    some slots on the way, to start from later. `contents` are the touched slots' as they were, or as they came back.
    `heeded` are the actions for which something was sent that had a part in what came of them.
    """

    targets: tuple[Touching, ...]
    consequences: tuple[Touching, ...]
    changes: tuple[Change, ...]
    revised: tuple[Revised, ...]
    state: Any
    next_roll: int
    last: int | None
    tables: tuple[tuple[int, Any], ...]
    contents: dict[int, Content]
    heeded: frozenset[int] = frozenset()


CONFLICTING = ("changes", "falls", "open")
"""What a strict correction would have to do to actions that nobody named."""

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
        self._touchings: dict[int, Touching] = {}
        self._revised: list[Revised] = []
        self._tables: list[tuple[int, Any]] = []
        self._contents: dict[int, Content] = {}
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
            self._touch(slot, Touching(action=slot, outcome="open", before=before), standing)
            return True
        if proposal is None and not self._others:
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

    def _heed(self, content: Content) -> None:
        self._heeded |= self._sent & {step.action for step in content.steps}

    def _asks(self, content: Content, proposal: Proposal | None, *, is_last: bool) -> bool:
        """Whether what was sent for the slot is wanted: it would go otherwise also without, and is not undone for it."""
        if proposal is not None or not any(step.action in self._sent for step in content.steps):
            return proposal is not None
        stock = self._stock(content, content)
        return self._mode != "cascade" and not self._decider.goes_as_it_went(
            self._state, content, stock, last=is_last
        )

    def _stock(self, content: Content, own: Content) -> Stock:
        return Stock(rolls_of(own), lambda: self._past.rolls(content.slot))

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
                told = Touching(action=slot, outcome=proposal.outcome, before=before, after=content.revision)
                self._touch(slot, told, standing or content)
            return True
        asked = proposal is not None and proposal.asked and not proposal.kept
        told = Touching(
            action=slot,
            outcome=proposal.outcome if proposal and asked else "changes",
            before=before,
            dropped=again.dropped,
            replaced=any(step.replaced for step in again.steps),
        )
        if self._mode == "cascade" and not (proposal and proposal.asked):
            self._touch(slot, told, standing or content)
            return False
        revision = self._history.next_revision(slot)
        self._touch(slot, msgspec.structs.replace(told, after=revision), standing or content)
        self._revised.append(Revised(slot=slot, revision=revision, again=again))
        if len(self._revised) > MOST_REVISED:
            raise TooMuchTouched(
                f"This would write more than {MOST_REVISED} later actions anew. Fork the session at that point "
                "instead, and go on from there",
                limit=MOST_REVISED,
            )
        self._state = again.state
        return True

    def _emptied(self, slot: int, standing: Content | None, proposal: Proposal | None) -> None:
        if standing is not None and proposal is not None:
            told = Touching(action=slot, outcome=proposal.outcome, before=standing.revision)
            self._touch(slot, told, standing)

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
        self._touch(content.slot, told, standing or content)

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
        self._touch(content.slot, told, standing or content)
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
            goes_on = goes_on and not (proposal and proposal.kept) and not self._touched()
        if goes_on or self._mode == "rebase":
            raise wanted
        return DiceOpen(wanted.fields["purpose"], tuple(wanted.fields["dice"]))

    def _touched(self) -> list[Touching]:
        """What a strict correction is refused for, with what may follow from it; empty where nothing is touched."""
        touched = [told for told in self._touchings.values() if told.outcome in CONFLICTING]
        return touched if any(told.outcome != "open" for told in touched) else []

    def _touch(self, slot: int, told: Touching, content: Content | None) -> None:
        self._touchings[slot] = told
        if content is not None:
            self._contents[slot] = content

    # --- the end ----------------------------------------------------------------------------------------------

    def _told(self, last: int | None) -> Told:
        asked = [slot for slot, proposal in self._proposals.items() if proposal.asked]
        targets = tuple(told for slot, told in self._touchings.items() if slot in asked)
        consequences = tuple(told for slot, told in self._touchings.items() if slot not in asked)
        if self._mode == "strict" and not self._ahead and (touched := self._touched()):
            raise conflict(touched, self._revised)
        return Told(
            targets=targets,
            consequences=consequences,
            changes=tuple(self._change(told) for told in (*targets, *consequences) if told.outcome != "open"),
            revised=tuple(self._revised),
            state=None if self._open else self._state,
            next_roll=self._decider.next_roll,
            last=last,
            tables=tuple(self._tables),
            contents=self._contents,
            heeded=frozenset(self._heeded),
        )

    def _change(self, told: Touching) -> Change:
        proposal, standing = self._proposals.get(told.action), self._contents.get(told.action)
        assert told.outcome != "open"  # noqa: S101 - these are left out
        return Change(
            slot=told.action,
            outcome=told.outcome,
            before=told.before,
            after=told.after,
            code=told.code,
            step=proposal.step if proposal else None,
            stock=stock_name(standing)
            if told.after is None and told.before is not None and standing
            else None,
        )


def conflict(touched: Sequence[Touching], revised: Iterable[Revised]) -> HistoryConflict:
    """The refusal of a strict correction, with what it would touch and how that would be written."""
    open_ = sum(told.outcome == "open" for told in touched)
    after = f", and what becomes of {_counted(open_)} after that depends on dice" if open_ else ""
    refusal = HistoryConflict(
        f"This touches {_counted(len(touched) - open_)} more{after}; nothing was changed. Send it again with mode "
        "`rebase` to take them along, or `cascade` to undo them too",
        touched=list(touched),
    )
    refusal.revised = tuple(revised)
    return refusal


def not_touched(actions: Iterable[int]) -> NotTouched:
    """The refusal of what was sent for actions that are not decided again."""
    numbers = sorted(actions)
    named = ", ".join(map(str, numbers))
    return NotTouched(
        f"`with` speaks of action{'s' if len(numbers) > 1 else ''} {named}, which this correction does not decide "
        "again: not touched, or undone by it. A look ahead (`dry_run`) without that lists what is touched",
        actions=numbers,
    )


def _counted(actions: int) -> str:
    return "one action" if actions == 1 else f"{actions} actions"


def rolls_of(content: Content) -> list[Roll]:
    """The rolls a revision of a slot holds, in order."""
    return rolls_in_facts(content.facts)


class _Deed(msgspec.Struct, frozen=True):
    actor: str = ""


def stock_name(content: Content) -> str | None:
    """Whose next command of which type meets this slot's dice again: `strike:zadie`; `None` without server dice.

    Nor is it told where the deed is hidden from some who see what came of it.
    """
    first = content.steps[0]
    if first.audience != content.audience or not any(roll.source == "server" for roll in rolls_of(content)):
        return None
    return deed(first.command, f"{first.by.role}.{first.by.name}")


def deed(command: msgspec.Raw, issuer: str) -> str:
    """The type of a command and who acts by it: the actor it names, or whoever sends it."""
    try:
        actor = msgspec.json.decode(command, type=_Deed).actor
    except msgspec.ValidationError:
        actor = ""
    return f"{command_type(command)}:{actor or issuer}"
