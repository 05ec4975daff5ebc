"""A correction as it is written: its events, and who may read which of them and its command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from eventlog.corrections import (
    ActionAmended,
    ActionInserted,
    ActionRedone,
    ActionRevised,
    ActionUndone,
    Change,
    CorrectionCommand,
    CorrectionEvent,
    Redo,
    Undo,
)
from eventlog.history.proposing import Plan
from eventlog.history.reading import Past
from eventlog.history.retold import Retold
from eventlog.history.slots import everybody_of
from eventlog.history.touching import Revised, Told
from eventlog.playing import Draft
from rulesets.people import EVERYONE, GM_ONLY, Audience


def drafts_of(plan: Plan, told: Told) -> Iterator[Draft]:
    """The events of a correction: what it changed, in a part for each who may see it, and what it writes anew."""
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


def declared(told: Told, plan: Plan) -> Iterator[Audience]:
    """Who may read the command of an amendment: whoever may see what was declared, before and now."""
    for slot in plan.proposals:
        revised = next((each for each in told.revised if each.slot == slot), None)
        if slot in told.contents:
            yield told.contents[slot].steps[0].audience
        if revised is not None and revised.again.steps[0].drafts:
            yield revised.again.steps[0].drafts[0].audience


def named(past: Past, command: Undo | Redo, plan: Plan, told: Told) -> Iterator[Audience]:
    """Who may read that an action is undone or redone, and why: whoever may see what it was."""
    if plan.correction is not None:
        yield past.action(plan.correction)[0].audience
    if plan.correction is None or plan.correction != command.target:
        slot = next((slot for slot, proposal in plan.proposals.items() if proposal.asked), None)
        content = None if slot is None else told.contents.get(slot)
        yield content.steps[0].audience if content else EVERYONE


def answering(told: Told, command: CorrectionCommand) -> Iterator[Audience]:
    """Who may read what was sent for other actions: whoever may see all that those declared."""
    actions = {each.action for each in command.others}
    for content in told.contents.values():
        if actions & {step.action for step in content.steps}:
            yield from (step.audience for step in content.steps)


def agreed(audiences: Iterable[Audience]) -> Audience:
    """The audience that all of them are; where they differ, the GM alone."""
    found = {audience for audience in audiences if audience != EVERYONE}
    return EVERYONE if not found else found.pop() if len(found) == 1 else GM_ONLY
