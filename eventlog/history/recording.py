"""Corrections and requests as decisions of the recorder: what is appended, and the table after it."""

from __future__ import annotations

import msgspec

from eventlog.audience import oneself
from eventlog.commands import rules_of
from eventlog.core import ThrowDice
from eventlog.corrections import (
    Amend,
    CorrectionCommand,
    Insert,
    Redo,
    Undo,
)
from eventlog.dice import face
from eventlog.history.amending import Typed, amend, insert
from eventlog.history.correcting import Telling
from eventlog.history.deciding_again import Decider
from eventlog.history.errors import HistoryConflict
from eventlog.history.permission import may_correct, may_know, own_last, touching_what_is_seen
from eventlog.history.points import table_before
from eventlog.history.proposing import Plan, Planner
from eventlog.history.reading import Past
from eventlog.history.refusals import (
    Amendment,
    in_its_place,
    only_sent_as_answers,
    sent_once,
    sent_to_be_heard,
    sent_to_be_heeded,
)
from eventlog.history.slots import everybody_of
from eventlog.history.stock_dice import Draw, draw_nothing
from eventlog.history.touching import Told, conflict
from eventlog.history.writing import agreed, answering, declared, drafts_of, named
from eventlog.playing import Draft
from rulesets.errors import RulesNotDecided
from rulesets.people import Audience, Viewer


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
    typed: Typed,
    draw: Draw,
    *,
    ahead: bool = False,
    approves: bool = False,
) -> Corrected:
    """What a correction comes to. `ahead` only looks: it is told, whatever its mode would refuse.

    It `approves` what a player asked for, who named what the GM need not see.

    Raises the `RuleViolation` of what is asked for and illegal, or an `EventLogError`.
    """
    may_correct(past.tape, command, issuer)
    if not approves:
        may_know(past, command.before if isinstance(command, Insert) else command.target, issuer)
    planner = planner_of(past)
    plan = planned(planner, command, issuer, typed)
    own_last(past, plan, issuer)
    _permitted(past, command, plan, issuer)
    sent_once(command, typed)
    only_sent_as_answers(command, planner)
    if isinstance(command, Amend | Insert):
        in_its_place(command, plan, planner)
    amendment = Amendment.of(command, plan, planner) if isinstance(command, Amend) else None
    if amendment is not None:
        amendment.says_something_new(typed)
    with touching_what_is_seen(past, issuer, askable=plan.correction is None) as seen:
        strict = command.mode == "strict" and not ahead and not _only_rolls(plan, planner)
        corrected = _before_any_die(past, command, plan) if strict else None
        corrected = corrected or carried_out(past, command, plan, draw, ahead=ahead)
        seen(corrected.told.consequences)
    sent_to_be_heard(corrected.told, planner)
    if amendment is not None:
        amendment.comes_to_something_new(corrected.told)
    sent_to_be_heeded(command, corrected.told)
    return msgspec.structs.replace(corrected, audience=read_by(corrected, issuer))


def read_by(corrected: Corrected, issuer: Viewer) -> Audience:
    """Who may see the command of a correction: whoever may see what it names, and whoever sent it."""
    return everybody_of([corrected.audience, oneself(issuer)])


def planner_of(past: Past) -> Planner:
    """Plans corrections by the rules of the session, or without where they are forgotten."""
    try:
        rules = rules_of(past.tape.ruleset, past.tape.rules)
    except RulesNotDecided:
        rules = None
    return Planner(past, rules)


def planned(planner: Planner, command: CorrectionCommand, issuer: Viewer, typed: Typed) -> Plan:
    """What a correction means to do with which slots."""
    match command:
        case Undo():
            return planner.undo(command, issuer)
        case Redo():
            return planner.redo(command)
        case Amend():
            return amend(planner, command, typed)
        case Insert():
            return insert(planner, command, issuer, typed)


def _only_rolls(plan: Plan, planner: Planner) -> bool:
    """Whether what is asked for are rolls of the recorder's own, which change no table whatever they show."""
    steps = [step for each in plan.proposals.values() if each.content for step in each.content.steps]
    return bool(steps) and all(isinstance(planner.read(step.command), ThrowDice) for step in steps)


def _before_any_die(past: Past, command: CorrectionCommand, plan: Plan) -> Corrected | None:
    """A strict correction as far as no new die is thrown for it; `None` where one is, and nothing hangs on what it shows.

    Raises `HistoryConflict` where something does: or a refusal would tell what the die would have shown.
    """
    looked = carried_out(past, command, plan, draw_nothing)
    if looked.told.state is not None:
        return looked
    waiting = [each for each in looked.told.consequences if each.outcome == "open"]
    if waiting:
        raise conflict(waiting, looked.told.revised)
    return None


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
    drafts = tuple(drafts_of(plan, told))
    if isinstance(command, Amend | Insert):
        audience = agreed(declared(told, plan))
    else:
        audience = agreed(named(past, command, plan, told))
    if command.others:
        audience = agreed([audience, *answering(told, command)])
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
    planner = Planner(past, rules)
    state = table_before(past, plan.first)
    for proposal in plan.proposals.values():
        for step in proposal.content.steps if proposal.content else ():
            if not step.facts:
                for raw in (step.command, *step.answers):
                    if isinstance(asked := planner.read(raw), rules.commands):
                        rules.permits(state, asked, issuer)
