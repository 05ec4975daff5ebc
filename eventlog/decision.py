"""From a request to events: what the session's rules make of it, before anything is stored.

Pure but for the dice it is handed and the log it reads. Nothing here draws before every check has passed.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from eventlog.audience import narrower, oneself
from eventlog.beginning import Decision, Hand, allow, begun, next_place, takes_neither, words_of
from eventlog.canonical import encode
from eventlog.commands import read_command, rules_of
from eventlog.core import AddNote, BookKeeping, RedactText, RulingMade, ThrowDice
from eventlog.core_rules import keep_books, throw_dice
from eventlog.correction_decision import decide_correction
from eventlog.corrections import HistoryCommand
from eventlog.dice import ServerDice, TableDice
from eventlog.envelope import By
from eventlog.errors import CommandMalformed, VisibilityNotPossible
from eventlog.history.reading import Past
from eventlog.history.recording import draw_from
from eventlog.history.slots import everybody_of
from eventlog.logs import Log
from eventlog.playing import Draft, await_answers, only_answers, play_out
from eventlog.redrawing import again, may_be_told, stocks
from eventlog.requests import Request
from eventlog.tape import Tape
from rulesets.contract import Command
from rulesets.installed import ruleset_named
from rulesets.people import EVERYONE, Audience, Viewer


def decide(tape: Tape[Any], request: Request, seed: bytes, log: Log) -> Decision:
    """What the request comes to on this tape, whose earlier events are read from the log where they are needed.

    Raises `RuleViolation` where a rule refuses it, or an `EventLogError` where the recorder does.
    """
    command = read_command(tape.ruleset, tape.rules, request.command)
    allow(tape, request.issuer, typed=request.dice is not None, overrules=bool(request.overrule))
    if isinstance(command, HistoryCommand):
        return decide_correction(Past(log, tape), request, command, draw_from(seed, tape.session))
    if isinstance(command, BookKeeping):
        return _core_decision(Past(log, tape), request, command, seed)
    for emptied in stocks(tape, request):
        past = Past(log, tape)
        hand = again(past, emptied, seed)
        decision = _decided(tape, request, command, hand, emptied)
        if not decision.drafts or may_be_told(past, emptied, decision.drafts[0].audience):
            hand.finish()
            return decision
    new = _new_dice(tape, request, seed)
    decision = _decided(tape, request, command, new, None)
    new.finish()
    return decision


def _decided(
    tape: Tape[Any], request: Request, command: Command, hand: Hand, emptied: int | None
) -> Decision:
    if isinstance(command, ThrowDice):
        return _throw(tape, request, command, hand, emptied)
    return _game_decision(tape, request, command, hand, emptied)


def _new_dice(tape: Tape[Any], request: Request, seed: bytes) -> TableDice | ServerDice:
    """Dice that never fell before: typed in, or thrown by the server."""
    if request.dice is not None:
        name_dice = ruleset_named(tape.ruleset).record.name_dice
        return TableDice(request.dice, tape.next_roll, partial(name_dice, tape.state))
    return ServerDice(seed, tape.session, tape.next_roll)


def _placed(tape: Tape[Any], drafts: tuple[Draft, ...]) -> tuple[tuple[Draft, ...], int]:
    """Drafts in their place in the story: with the action whose question is open, or in a new slot."""
    slot, revision = next_place(tape)
    here = [Draft(event=each.event, audience=each.audience, slot=slot, revision=revision) for each in drafts]
    return tuple(here), slot


# --- the recorder's own commands ----------------------------------------------------------------------------


def _core_decision(past: Past, request: Request, command: BookKeeping, seed: bytes) -> Decision:
    takes_neither(request)
    tape = past.tape
    event = keep_books(tape, command, request.issuer, seed)
    audience = narrower(who_knows(past, command, request.issuer), request.visible_to, request.issuer)
    return Decision(
        drafts=(
            begun(tape, request, audience, said=_without_words(command)),
            *words_of(tape, request, audience),
            Draft(event=event, audience=audience),
        ),
        slot=tape.slot,
        state=tape.state,
        next_roll=tape.next_roll,
    )


def who_knows(past: Past, command: BookKeeping, issuer: Viewer) -> Audience:
    """Who may know of it: of a redaction or a note, whoever may see what it is about, and whoever it is by."""
    match command:
        case RedactText(seq=seq):
            found = past.event(seq)
        case AddNote(about=int(about)):
            found = past.action(about)[0]
        case _:
            return EVERYONE
    return everybody_of([found.audience, oneself(issuer)]) if found else EVERYONE


def _without_words(command: BookKeeping) -> bytes | None:
    """A note's command as it is kept: its words stand in `NoteAdded` alone, where they can be redacted."""
    if not isinstance(command, AddNote):
        return None
    return encode({"type": "note", **({} if command.about is None else {"about": command.about})})


def _throw(
    tape: Tape[Any], request: Request, command: ThrowDice, hand: Hand, emptied: int | None
) -> Decision:
    if request.answers:
        raise CommandMalformed("This command opens no question, so it takes no answers")
    event = throw_dice(command, By.viewer(request.issuer), hand)
    audience = narrower(EVERYONE, request.visible_to, request.issuer)
    drafts, slot = _placed(
        tape,
        (
            begun(tape, request, audience, hand, emptied),
            *words_of(tape, request, audience),
            Draft(event=event, audience=audience),
        ),
    )
    return Decision(drafts=drafts, slot=slot, state=tape.state, next_roll=hand.next_roll)


# --- the game's commands ------------------------------------------------------------------------------------


def _game_decision(
    tape: Tape[Any], request: Request, command: Command, hand: Hand, emptied: int | None
) -> Decision:
    if request.visible_to != "everyone":
        raise VisibilityNotPossible(
            "A command of the game changes the table for everybody, so it cannot be hidden; "
            "rolls and notes can, and so can secret characters and goals",
            visible_to=request.visible_to,
        )
    ruleset, rules = ruleset_named(tape.ruleset), rules_of(tape.ruleset, tape.rules)
    await_answers(ruleset, rules, tape.state, command, request.issuer)
    answers = [read_command(tape.ruleset, tape.rules, raw) for raw in request.answers]
    only_answers(rules, answers)
    played = play_out(
        ruleset,
        rules,
        tape.state,
        (command, *answers),
        hand,
        overrule=request.overrule,
        issuer=request.issuer,
        rulings=tape.settings.rulings == "default",
    )
    if not played.drafts:
        return Decision(drafts=(), slot=tape.slot, state=tape.state, next_roll=tape.next_roll)
    audience = played.drafts[0].audience
    ruling = [RulingMade(codes=played.passed_over, reason=request.text)] if played.passed_over else []
    drafts, slot = _placed(
        tape,
        (
            begun(tape, request, audience, hand, emptied),
            *(Draft(event=each, audience=audience) for each in ruling),
            *(() if ruling else words_of(tape, request, audience)),
            *played.drafts,
        ),
    )
    return Decision(drafts=drafts, slot=slot, state=played.state, next_roll=hand.next_roll)
