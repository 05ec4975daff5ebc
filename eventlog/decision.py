"""From a request to events: what the session's rules make of it, before anything is stored.

Pure but for the dice it is handed. Nothing here draws before every check has passed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from eventlog.audience import narrower, visible
from eventlog.canonical import canonical_copy, encode
from eventlog.commands import read_command, rules_of
from eventlog.core import CORE_COMMANDS, ActionTaken, AddNote, NoteAdded, RulingMade
from eventlog.core_rules import decide_core
from eventlog.dice import ServerDice, TableDice
from eventlog.errors import CommandMalformed, NotAllowed, TableDiceOff, VisibilityNotPossible
from eventlog.requests import Request
from eventlog.tape import Tape
from rulesets.contract import Command, Event, Rules, Ruleset, RuleViolation
from rulesets.deciding import lawful_events, question_open
from rulesets.dice import Dice
from rulesets.errors import RulesetBroken
from rulesets.installed import ruleset_named
from rulesets.people import EVERYONE, GM_ONLY, Audience, Viewer

MOST_RULINGS = 100
"""Default rulings one action may take; more would be a ruleset that asks for ever."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An event that was decided and is not stored yet, with its audience."""

    event: Event
    audience: Audience


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a request comes to: drafts in order (none when it is ignored), the table after them."""

    drafts: tuple[Draft, ...]
    slot: int | None
    state: Any
    next_roll: int


def decide(tape: Tape[Any], request: Request, seed: bytes) -> Decision:
    """What the request comes to on this tape.

    Raises `RuleViolation` where a rule refuses it, or an `EventLogError` where the recorder does.
    """
    command = read_command(tape.ruleset, tape.rules, request.command)
    _allow(tape, request)
    dice = _dice(tape, request, seed)
    if isinstance(command, CORE_COMMANDS):
        decision = _core_decision(tape, request, command, dice, seed)
    else:
        decision = _game_decision(tape, request, command, dice)
    dice.finish()
    return decision


def _allow(tape: Tape[Any], request: Request) -> None:
    issuer = request.issuer
    if issuer.role not in ("gm", "player"):
        raise NotAllowed(
            f"A token of the role {issuer.role!r} only reads; acting takes the GM's or a player's",
            needs="player",
        )
    if request.overrule and issuer.role != "gm":
        raise NotAllowed("Only the GM passes over a rule", needs="gm")
    taken = tape.settings.table_dice
    if request.dice is not None and (taken == "off" or (taken == "gm" and issuer.role != "gm")):
        raise TableDiceOff(
            "This session takes no typed faces from you; leave `dice` out and the server throws "
            f"(the GM can set table_dice, now {taken!r})",
            table_dice=taken,
        )


def _dice(tape: Tape[Any], request: Request, seed: bytes) -> ServerDice | TableDice:
    if request.dice is None:
        return ServerDice(seed, tape.session, tape.next_roll)
    return TableDice(request.dice, tape.next_roll)


def _taken(
    tape: Tape[Any],
    request: Request,
    audience: Audience,
    dice: ServerDice | TableDice,
    said: bytes | None = None,
) -> list[Draft]:
    """What was asked, as it begins the action; `source` is told where dice were typed in or thrown."""
    thrown = request.dice is not None or dice.next_roll > tape.next_roll
    try:
        command = msgspec.Raw(canonical_copy(said or request.command))
        answers = tuple(msgspec.Raw(canonical_copy(answer)) for answer in request.answers)
    except ValueError as error:
        raise CommandMalformed(f"This command cannot be recorded: {error}") from error
    taken = ActionTaken(
        command=command, answers=answers, source=dice.source if thrown else None, overrule=request.overrule
    )
    return [Draft(event=taken, audience=audience)]


def _words(tape: Tape[Any], request: Request, audience: Audience) -> list[Draft]:
    if not request.text:
        return []
    return [Draft(event=NoteAdded(text=request.text, about=tape.action + 1), audience=audience)]


# --- the recorder's own commands ----------------------------------------------------------------------------


def _core_decision(
    tape: Tape[Any], request: Request, command: Command, dice: ServerDice | TableDice, seed: bytes
) -> Decision:
    if request.answers:
        raise CommandMalformed("This command opens no question, so it takes no answers")
    event, takes_slot = decide_core(tape, command, request.issuer, dice, seed)
    audience = narrower(EVERYONE, request.visible_to, request.issuer)
    return Decision(
        drafts=(
            *_taken(tape, request, audience, dice, _without_words(command)),
            *_words(tape, request, audience),
            Draft(event=event, audience=audience),
        ),
        slot=_slot(tape) if takes_slot else None,
        state=tape.state,
        next_roll=dice.next_roll,
    )


def _without_words(command: Command) -> bytes | None:
    """A note's command as it is kept: its words stand in `NoteAdded` alone, where they can be redacted."""
    if not isinstance(command, AddNote):
        return None
    return encode({"type": "note", **({} if command.about is None else {"about": command.about})})


def _slot(tape: Tape[Any]) -> int:
    """The place in the story of what happens now: with the action whose question is open, or a new one."""
    asking = ruleset_named(tape.ruleset).record.questions(tape.state)
    return tape.slot if asking else tape.action + 1


# --- the game's commands ------------------------------------------------------------------------------------


def _game_decision(
    tape: Tape[Any], request: Request, command: Command, dice: ServerDice | TableDice
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
    played = play_out(tape, (command, *answers), request.overrule, dice, request.issuer)
    if not played.drafts:
        return Decision(drafts=(), slot=None, state=tape.state, next_roll=tape.next_roll)
    audience = played.drafts[0].audience
    ruling = [RulingMade(codes=played.passed_over, reason=request.text)] if played.passed_over else []
    return Decision(
        drafts=(
            *_taken(tape, request, audience, dice),
            *(Draft(event=each, audience=audience) for each in ruling),
            *(() if ruling else _words(tape, request, audience)),
            *played.drafts,
        ),
        slot=_slot(tape),
        state=played.state,
        next_roll=dice.next_roll,
    )


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What commands came to: drafts in order, the table after them, and the refusals passed over."""

    drafts: tuple[Draft, ...]
    state: Any
    passed_over: tuple[str, ...]


def play_out(
    tape: Tape[Any], commands: Iterable[Command], overrule: Collection[str], dice: Dice, issuer: Viewer | None
) -> Played:
    """Decide commands one after the other on this tape; without an issuer nobody's permission is asked.

    Raises the `RuleViolation` of the first that is refused.
    """
    ruleset, rules = ruleset_named(tape.ruleset), rules_of(tape.ruleset, tape.rules)
    drafts: list[Draft] = []
    passed_over: dict[str, None] = {}
    state = tape.state
    for command in commands:
        if issuer is not None:
            rules.permits(state, command, issuer)
        lawful = lawful_events(rules, state, command, dice, overrule)
        if lawful.passed_over:
            passed_over.update(dict.fromkeys(lawful.codes))
        state = _play(ruleset, state, lawful.events, drafts)
    if tape.settings.rulings == "default":
        state = _default_rulings(ruleset, rules, state, dice, drafts)
    return Played(drafts=tuple(drafts), state=state, passed_over=tuple(passed_over))


def _play(ruleset: Ruleset[Any], state: Any, found: tuple[Event, ...], events: list[Draft]) -> Any:
    for event in found:
        state = ruleset.record.evolve(state, event)
        events.append(Draft(event=event, audience=ruleset.record.audience(state, event)))
    return state


def _default_rulings(
    ruleset: Ruleset[Any], rules: Rules[Any], state: Any, dice: Dice, events: list[Draft]
) -> Any:
    for _ in range(MOST_RULINGS):
        question = next((each for each in ruleset.record.questions(state) if each.asks == GM_ONLY), None)
        if question is None:
            return state
        ruling = RulingMade(question=question.id, reason="recommended reading")
        events.append(Draft(event=ruling, audience=question.audience))
        lawful = lawful_events(rules, state, rules.default_answer(state, question), dice)
        state = _play(ruleset, state, lawful.events, events)
    raise RulesetBroken(
        f"The ruleset {ruleset.slug!r} asked for more than {MOST_RULINGS} rulings in one action"
    )


def await_answers(
    ruleset: Ruleset[Any], rules: Rules[Any], state: Any, command: Command, issuer: Viewer
) -> None:
    """Refuse what cannot pass while a question waits, naming who is awaited. Raises `RuleViolation`."""
    questions = ruleset.record.questions(state)
    violation = question_open(rules, command, visible(issuer, questions))
    if violation is None and question_open(rules, command, questions):
        violation = RuleViolation("question-open", "The GM has something to settle first", asks=["gm"])
    if violation is not None:
        raise violation
