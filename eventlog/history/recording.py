"""Corrections and requests as decisions of the recorder: what is appended, and the table after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from eventlog.commands import rules_of
from eventlog.corrections import (
    ActionAmended,
    ActionInserted,
    ActionRedone,
    ActionRevised,
    ActionUndone,
    Amend,
    AskUndo,
    Change,
    CorrectionCommand,
    CorrectionEvent,
    Insert,
    Otherwise,
    Redo,
    SettleRequest,
    Undo,
    UndoRequestClosed,
    UndoRequested,
)
from eventlog.dice import face
from eventlog.errors import HistoryConflict
from eventlog.history.correcting import Telling
from eventlog.history.deciding_again import Decider
from eventlog.history.permission import may_ask, may_correct, may_know, may_settle, own_last
from eventlog.history.points import table_before
from eventlog.history.proposing import Plan, Planner
from eventlog.history.reading import Past
from eventlog.history.refusals import (
    Amendment,
    in_its_place,
    only_sent_as_answers,
    sent_once,
    sent_to_be_heeded,
)
from eventlog.history.retold import Retold
from eventlog.history.slots import everybody_of
from eventlog.history.stock import Draw, draw_nothing
from eventlog.history.touching import Revised, Told, conflict
from eventlog.playing import Draft
from eventlog.tape import Tape
from rulesets.errors import RulesNotDecided
from rulesets.people import EVERYONE, GM_ONLY, Audience, Viewer


class Corrected(msgspec.Struct, frozen=True, kw_only=True):
    """A correction ready to be recorded: its events, who may see its command, and how it was told through.

    It changes the history from slot `first` on; `last` is the last filled slot afterwards, 0 where none is.
    """

    drafts: tuple[Draft, ...]
    audience: Audience
    told: Told
    first: int
    last: int


def draw_from(seed: bytes, label: str) -> Draw:
    """Draws from the session's seed."""
    return lambda roll, index, sides: face(seed, label, roll, index, sides)


def correct(  # noqa: PLR0913 - the history, what is asked by whom with which faces, and whether it is meant
    past: Past,
    command: CorrectionCommand,
    issuer: Viewer,
    typed: tuple[int, ...] | None,
    draw: Draw,
    *,
    ahead: bool = False,
) -> Corrected:
    """What a correction comes to. `ahead` only looks: it is told, whatever its mode would refuse.

    Raises the `RuleViolation` of what is asked for and illegal, or an `EventLogError`.
    """
    may_correct(past.tape, command, issuer)
    if not isinstance(command, Insert):
        may_know(past, command.target, issuer)
    plan = planned(past, command, issuer, typed)
    own_last(past, plan, issuer)
    _permitted(past, command, plan, issuer)
    planner = planner_of(past, typed)
    sent_once(command, typed)
    only_sent_as_answers(command, planner)
    if isinstance(command, Amend | Insert):
        in_its_place(command, plan, planner)
    if not isinstance(command, Amend):
        corrected = carried_out(past, command, plan, draw, ahead=ahead)
    else:
        amendment = Amendment.of(command, plan, planner)
        amendment.says_something_new(command, typed)
        corrected = carried_out(past, command, plan, draw, ahead=ahead)
        amendment.comes_to_something_new(command, corrected.told)
    sent_to_be_heeded(command, corrected.told)
    readers = everybody_of([corrected.audience, _oneself(issuer)])
    return msgspec.structs.replace(corrected, audience=readers)


def _oneself(issuer: Viewer) -> Audience:
    """Whoever corrects reads what they sent, also of what they cannot see."""
    return GM_ONLY if issuer.role == "gm" else (f"player:{issuer.name}",)


def planner_of(past: Past, typed: tuple[int, ...] | None) -> Planner:
    """Plans corrections by the rules of the session, or without where they are forgotten."""
    try:
        rules = rules_of(past.tape.ruleset, past.tape.rules)
    except RulesNotDecided:
        rules = None
    return Planner(past, rules, typed)


def planned(past: Past, command: CorrectionCommand, issuer: Viewer, typed: tuple[int, ...] | None) -> Plan:
    """What a correction means to do with which slots."""
    planner = planner_of(past, typed)
    match command:
        case Undo():
            return planner.undo(command)
        case Redo():
            return planner.redo(command)
        case Amend():
            return planner.amend(command)
        case Insert():
            return planner.insert(command, issuer)


def carried_out(
    past: Past, command: CorrectionCommand, plan: Plan, draw: Draw, *, ahead: bool = False
) -> Corrected:
    """A plan told through the history and put into events."""
    telling = _telling(past, command, plan, draw, ahead=ahead)
    try:
        told = telling.through(plan.first)
    except HistoryConflict:
        if not telling.drew:
            raise
        # Told anew without a die: nobody learns from a refusal what dice would have shown.
        looked = _telling(past, command, plan, draw_nothing, ahead=True).through(plan.first)
        raise conflict(looked.consequences, looked.revised) from None
    drafts = tuple(_drafts(plan, told))
    if isinstance(command, Amend | Insert):
        audience = _agreed(_declared(told, plan))
    else:
        audience = _agreed(_named(past, command, plan, told))
    if command.others:
        audience = _agreed([audience, *_answering(told, command)])
    last = past.last_filled(plan.first) or 0 if told.last is None else told.last
    return Corrected(drafts=drafts, audience=audience, told=told, first=plan.first, last=last)


def _telling(past: Past, command: CorrectionCommand, plan: Plan, draw: Draw, *, ahead: bool) -> Telling:
    tape = past.tape
    decider = Decider(
        past.ruleset,
        lambda: rules_of(tape.ruleset, tape.rules),
        draw,
        next_roll=tape.next_roll,
        first_roll=tape.first_roll,
    )
    return Telling(
        past,
        plan.history,
        decider,
        plan.proposals,
        mode=command.mode,
        others=command.others,
        ahead=ahead,
    )


def _permitted(past: Past, command: CorrectionCommand, plan: Plan, issuer: Viewer) -> None:
    """A player who amends asks for something anew, and only for what they may."""
    if issuer.role == "gm" or not isinstance(command, Amend):
        return
    rules = rules_of(past.tape.ruleset, past.tape.rules)
    planner = Planner(past, rules, None)
    state = table_before(past, plan.first)
    for proposal in plan.proposals.values():
        for step in proposal.content.steps if proposal.content else ():
            if not step.facts:
                for raw in (step.command, *step.answers):
                    if isinstance(asked := planner.read(raw), rules.commands):
                        rules.permits(state, asked, issuer)


# --- events ---------------------------------------------------------------------------------------------------


def _drafts(plan: Plan, told: Told) -> Iterator[Draft]:
    audiences = {change.slot: _audience(told, change.slot) for change in told.changes}
    asked = {target.action for target in told.targets}
    for audience in dict.fromkeys(audiences.values()):
        seen = [change for change in told.changes if audiences[change.slot] == audience]
        yield Draft(event=_event(plan, seen, asked), audience=audience)
    for revised in told.revised:
        yield from _revision(revised)


def _audience(told: Told, slot: int) -> Audience:
    """Whoever may see anything of the slot, as it was or as it is now."""
    before = told.contents.get(slot)
    after = next((each for each in told.revised if each.slot == slot), None)
    drafts = (draft for retold in after.again.steps for draft in retold.drafts) if after else ()
    audiences = [*([before.audience] if before else []), *(draft.audience for draft in drafts)]
    return everybody_of(audiences) or GM_ONLY


def _event(plan: Plan, changes: Sequence[Change], asked: Iterable[int]) -> CorrectionEvent:
    targets = tuple(change for change in changes if change.slot in asked)
    consequences = tuple(change for change in changes if change.slot not in asked)
    if plan.correction is not None:
        return ActionRedone(correction=plan.correction, targets=targets, consequences=consequences)
    if plan.before is not None:
        return ActionInserted(before=plan.before, targets=targets, consequences=consequences)
    if any(proposal.outcome == "amended" for proposal in plan.proposals.values()):
        return ActionAmended(targets=targets, consequences=consequences)
    return ActionUndone(targets=targets, consequences=consequences)


def _revision(revised: Revised) -> Iterator[Draft]:
    for retold in revised.again.steps:
        yield Draft(
            event=_begun(retold),
            audience=retold.drafts[0].audience if retold.drafts else retold.step.audience,
            slot=revised.slot,
            revision=revised.revision,
        )
        for draft in retold.drafts:
            yield msgspec.structs.replace(draft, slot=revised.slot, revision=revised.revision)


def _begun(retold: Retold) -> ActionRevised:
    step = retold.step
    thrown = any(hasattr(draft.event, "roll") for draft in retold.drafts)
    return ActionRevised(
        action=step.action,
        by=step.by,
        command=step.command,
        answers=step.answers,
        source=step.source if thrown or step.source == "table" else None,
        overrule=step.overrule,
        rulings="default" if step.rulings else None,
        replaced=retold.replaced,
    )


def _declared(told: Told, plan: Plan) -> Iterator[Audience]:
    """Who may read the command of an amendment: whoever may see what was declared, before and now."""
    for slot in plan.proposals:
        revised = next((each for each in told.revised if each.slot == slot), None)
        if slot in told.contents:
            yield told.contents[slot].steps[0].audience
        if revised is not None and revised.again.steps[0].drafts:
            yield revised.again.steps[0].drafts[0].audience


def _named(past: Past, command: Undo | Redo, plan: Plan, told: Told) -> Iterator[Audience]:
    """Who may read that an action is undone or redone, and why: whoever may see what it was."""
    if plan.correction is not None:
        yield past.action(plan.correction)[0].audience
    if plan.correction is None or plan.correction != command.target:
        slot = next((slot for slot, proposal in plan.proposals.items() if proposal.asked), None)
        content = None if slot is None else told.contents.get(slot)
        yield content.steps[0].audience if content else EVERYONE


def _answering(told: Told, command: CorrectionCommand) -> Iterator[Audience]:
    """Who may read what was sent for other actions: whoever may see all that those declared."""
    actions = {each.action for each in command.others}
    for content in told.contents.values():
        if actions & {step.action for step in content.steps}:
            yield from (step.audience for step in content.steps)


def _agreed(audiences: Iterable[Audience]) -> Audience:
    """The audience that all of them are; where they differ, the GM alone."""
    found = {audience for audience in audiences if audience != EVERYONE}
    return EVERYONE if not found else found.pop() if len(found) == 1 else GM_ONLY


# --- requests -------------------------------------------------------------------------------------------------


def asked_undo(past: Past, command: AskUndo, issuer: Viewer) -> Draft:
    """A player's request, as it is recorded: seen by whoever sees anything of its target."""
    found = past.action(command.target)
    may_ask(past, command, issuer)
    audience = everybody_of([*(each.audience for each in found), (f"player:{issuer.name}", "gm")])
    return Draft(event=UndoRequested(target=command.target, by=issuer.name), audience=audience)


def asked_by(past: Past) -> Audience:
    """Whoever may see the request that is open."""
    return past.action(past.tape.request.number)[0].audience if past.tape.request else EVERYONE


def settled(tape: Tape[Any], command: SettleRequest, issuer: Viewer) -> UndoRequestClosed:
    """The verdict on a request as it is recorded."""
    may_settle(tape, command, issuer)
    return closed_by(command)


def closed_by(command: SettleRequest) -> UndoRequestClosed:
    """The end a verdict puts to a request."""
    words = {"approve": "approved", "deny": "denied", "cancel": "cancelled"}
    return msgspec.convert({"request": command.request, "outcome": words[command.verdict]}, UndoRequestClosed)


def approved_undo(tape: Tape[Any], command: SettleRequest) -> Undo:
    """The undo an approved request comes to."""
    target = tape.request.target if tape.request else None
    others: tuple[Otherwise, ...] = command.others
    return Undo(target=target, mode=command.mode, others=others)


def superseded(past: Past, told: Told) -> Iterator[UndoRequestClosed]:
    """The end of a request whose action a correction takes out of the story otherwise."""
    asked = past.tape.request
    slot = past.slot(asked.target) if asked else None
    change = next((each for each in told.changes if each.slot == slot), None)
    if asked is None or change is None:
        return
    revised = next((each for each in told.revised if each.slot == slot), None)
    standing = [] if revised is None else [retold.step.action for retold in revised.again.steps]
    if change.after is None or (revised is not None and asked.target not in standing):
        yield UndoRequestClosed(request=asked.number, outcome="superseded")
