"""Who may correct what: the GM anything, a player their own last action as long as no die was shown in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from eventlog.audience import visible
from eventlog.commands import command_type, rules_of, tag_of
from eventlog.corrections import AskUndo, CorrectionCommand, Insert, SettleRequest, Undo
from eventlog.envelope import By
from eventlog.errors import NotAllowed
from eventlog.history.errors import (
    ActedSince,
    AlreadyUndone,
    DiceShown,
    HistoryConflict,
    NoSuchRequest,
    NothingToUndo,
    NotYours,
    RequestOpen,
    UndoOff,
)
from eventlog.history.proposing import Plan
from eventlog.history.reading import Past
from eventlog.history.slots import Content, Step, rolls_in_facts
from eventlog.history.touching import Proposal, Touching, conflict, left_to_the_gm
from eventlog.tape import Tape
from rulesets.errors import RulesNotDecided
from rulesets.people import Viewer

ASK = "ask the GM for it (an undo request)"


def may_correct(tape: Tape[Any], command: CorrectionCommand, issuer: Viewer) -> None:
    """Refuse a correction this person may not make at all, whatever it names. Raises `UndoOff`, `NotAllowed`."""
    setting = tape.settings.undo
    if setting == "off":
        raise UndoOff(
            "Undo is off in this session; the GM can set `undo` to gm, own_last or request", undo=setting
        )
    if issuer.role == "gm":
        return
    if setting == "gm":
        raise UndoOff("Only the GM corrects anything in this session", undo=setting, needs="gm")
    if isinstance(command, Insert):
        raise NotAllowed("Only the GM puts a forgotten action in between", needs="gm")
    if command.mode != "strict" or (isinstance(command, Undo) and command.through):
        raise NotAllowed("Only the GM corrects what later actions stand on", needs="gm")


def own_last(past: Past, plan: Plan, issuer: Viewer) -> None:
    """Refuse a player's correction of anything but their own last action without dice.

    Raises `NotYours`, `ActedSince`, `DiceShown`, each saying who can, and `NotAllowed` for what passes over a rule.
    """
    if issuer.role == "gm":
        return
    if plan.correction is not None:
        _own_correction(past, plan, plan.correction, issuer)
        return
    slot, proposal = next(iter(plan.proposals.items()))
    content = past.content(slot, past.history.revision(slot) or 1)
    steps = _taken_out(content, proposal)
    others = [step for step in steps if step.by != By.viewer(issuer)]
    other = next((step for step in others if _sees(issuer, step)), None)
    if other is not None:
        what, known = _named(past, other.action, issuer, "The last action")
        raise NotYours(f"{what} is not yours: {_who(past.tape, 'its player')}", **known)
    since = _acted_since(past, content, steps[-1], issuer)
    if since is not None:
        what, known = _named(past, since, issuer, "Something", "since")
        raise ActedSince(
            f"{what} came after action {steps[0].action}: {_who(past.tape)}", action=steps[0].action, **known
        )
    shown = next((step for step in steps if rolls_in_facts(step.facts)), None)
    if shown is not None:
        raise DiceShown(
            f"Dice were shown in action {shown.action}; decisions are taken back, dice are not: {_who(past.tape)}",
            action=shown.action,
        )
    if others:
        raise left_to_the_gm(past.tape.settings.undo == "request")
    _by_the_rules(proposal)


def _by_the_rules(proposal: Proposal) -> None:
    """Refuse an amended step that passes over a rule, whoever said so first: another command is another ruling."""
    steps = () if proposal.content is None else proposal.content.steps
    passing = next((step for step in steps if step.action == proposal.meant and step.overrule), None)
    if passing is not None:
        raise NotAllowed(
            f"Only the GM passes over a rule: action {passing.action} would pass over {', '.join(passing.overrule)}",
            needs="gm",
        )


def _taken_out(content: Content, proposal: Proposal) -> Sequence[Step]:
    """The steps a correction would take out or change."""
    if proposal.content is None:
        return content.steps
    kept = proposal.content.steps
    return [step for step in content.steps if step not in kept] or content.steps


def _acted_since(past: Past, content: Content, step: Step, issuer: Viewer) -> int | None:
    """The first action after a step that is more than a promise; `None` where nobody acted since, as far as they see."""
    promises = _promises(past.tape)
    later = content.steps[content.steps.index(step) + 1 :]
    if past.last_filled() != content.slot:
        later += tuple(step for each in past.line(content.slot)[1:] for step in each.steps)
    return next((each.action for each in later if not promises(each) and _sees(issuer, each)), None)


def _sees(viewer: Viewer, step: Step) -> bool:
    """Whether this person sees anything of a step."""
    return bool(visible(viewer, [step])) or bool(visible(viewer, step.facts))


@contextmanager
def touching_what_is_seen(
    past: Past, issuer: Viewer, *, askable: bool = True
) -> Iterator[Callable[[Sequence[Touching]], None]]:
    """Refuse a player's correction that touches what they do not see, and tell them only of the rest.

    What it gives is called with what is touched where nothing was refused. Raises `NotAllowed`, `HistoryConflict`.
    `askable` tells that a request may be about it, which is never about a correction.
    """
    asking = askable and past.tape.settings.undo == "request"

    def seen(touched: Sequence[Touching]) -> list[Touching]:
        known = [each for each in touched if issuer.role == "gm" or visible(issuer, past.action(each.action))]
        if touched and not known:
            raise left_to_the_gm(asking)
        return known

    def all_seen(touched: Sequence[Touching]) -> None:
        if len(seen(touched)) < len(touched):
            raise left_to_the_gm(asking)

    try:
        yield all_seen
    except HistoryConflict as refusal:
        touched = refusal.fields["touched"]
        raise conflict(seen(touched), refusal.revised) from None


def _promises(tape: Tape[Any]) -> Callable[[Step], bool]:
    """Which steps are no acting: what players may say at any time, such as offers."""
    try:
        rules = rules_of(tape.ruleset, tape.rules)
    except RulesNotDecided:
        return lambda _: False
    kinds = set(map(tag_of, rules.at_any_time))
    return lambda step: step.by.role == "player" and command_type(step.command) in kinds


def _named(
    past: Past, number: int, issuer: Viewer, unseen: str, field: str = "action"
) -> tuple[str, dict[str, int]]:
    """What to call an action to somebody, and the field that names it; of a hidden one no number is told."""
    if visible(issuer, past.action(number)):
        return f"Action {number}", {field: number}
    return unseen, {}


def may_know(past: Past, number: int | None, issuer: Viewer) -> None:
    """Refuse to name an action somebody may see nothing of, as if it were not there. Raises `ActionUnknown`."""
    if number is not None and not visible(issuer, past.action(number)):
        raise past.unknown(number)


def _own_correction(past: Past, plan: Plan, number: int, issuer: Viewer) -> None:
    found = past.action(number)
    if found[0].by != By.viewer(issuer):
        raise NotYours(
            f"Correction {number} is not yours: {_who(past.tape, 'whoever made it', asking=False)}",
            action=number,
        )
    last, promises = past.last_filled(seen_by=issuer), _promises(past.tape)
    standing = {slot: past.history.revision(slot) for slot in (*plan.proposals, last) if slot is not None}
    steps = [
        step for slot, revision in standing.items() if revision for step in past.content(slot, revision).steps
    ]
    came = [
        step.action for step in steps if step.action > number and not promises(step) and _sees(issuer, step)
    ]
    if came:
        what, known = _named(past, min(came), issuer, "Something", "since")
        who = _who(past.tape, asking=False)
        raise ActedSince(f"{what} came after correction {number}: {who}", action=number, **known)


def _who(tape: Tape[Any], also: str = "", *, asking: bool = True) -> str:
    """Who can undo it; `asking` is whether a request may be about it, which is never about a correction."""
    whom = f"{also} or the GM can undo it" if also else "only the GM can undo it now"
    return f"{whom}; {ASK}" if asking and tape.settings.undo == "request" else whom


# --- requests -------------------------------------------------------------------------------------------------


def may_ask(past: Past, command: AskUndo, issuer: Viewer) -> None:
    """Refuse a request that cannot be made now.

    Raises `UndoOff`, `NotAllowed`, `ActionUnknown`, `RequestOpen`, `NothingToUndo`, `AlreadyUndone`.
    """
    tape = past.tape
    if tape.settings.undo != "request":
        raise UndoOff(
            "Requests are off in this session; the GM can set `undo` to request", undo=tape.settings.undo
        )
    if issuer.role == "gm":
        raise NotAllowed("The GM needs nobody's leave: undo it", needs="player")
    may_know(past, command.target, issuer)
    if tape.request is not None:
        what, known = _named(past, tape.request.number, issuer, "Somebody", "request")
        if known:
            known["target"] = tape.request.target
        raise RequestOpen(f"{what} already asks the GM for an undo; one at a time", **known)
    slot = past.slot(command.target)
    if slot is None:
        raise NothingToUndo(
            f"Action {command.target} is not part of the story: a request is for the undo of an action of the story",
            action=command.target,
        )
    revision = past.history.revision(slot)
    if revision is None or not visible(issuer, [past.content(slot, revision)]):
        raise AlreadyUndone(f"Action {command.target} was undone before", action=command.target)


def may_settle(tape: Tape[Any], command: SettleRequest, issuer: Viewer) -> None:
    """Refuse a verdict on a request. Raises `NoSuchRequest`, `NotAllowed`."""
    asked = tape.request
    if asked is None or asked.number != command.request:
        raise NoSuchRequest(f"No request {command.request} is open", request=command.request)
    if command.verdict == "cancel" and issuer.role != "gm" and issuer.name != asked.by:
        raise NotAllowed("Only whoever asked cancels a request", needs="player")
    if command.verdict != "cancel" and issuer.role != "gm":
        raise NotAllowed("Only the GM settles a request", needs="gm")
