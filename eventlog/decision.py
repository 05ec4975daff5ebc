"""From a request to events: what the session's rules make of it, before anything is stored.

Pure but for the dice it is handed and the log it reads. Nothing here draws before every check has passed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from eventlog.audience import narrower
from eventlog.canonical import canonical_copy, encode
from eventlog.commands import read_command, rules_of
from eventlog.core import ActionTaken, AddNote, BookKeeping, NoteAdded, RulingMade, ThrowDice
from eventlog.core_rules import keep_books, throw_dice
from eventlog.corrections import (
    AskUndo,
    CorrectionCommand,
    HistoryCommand,
    Redo,
    SettleRequest,
    Undo,
    UndoRequestClosed,
)
from eventlog.dice import ServerDice, TableDice
from eventlog.envelope import By
from eventlog.errors import CommandMalformed, NotAllowed, TableDiceOff, VisibilityNotPossible
from eventlog.history.correcting import Told, deed, rolls_of
from eventlog.history.reading import Log, Past
from eventlog.history.recording import (
    Corrected,
    approved_undo,
    asked_by,
    asked_undo,
    correct,
    draw_from,
    settled,
    superseded,
)
from eventlog.history.stock import Draw, Stock, StockDice, draw_nothing
from eventlog.playing import Draft, await_answers, play_out
from eventlog.requests import Request
from eventlog.tape import Tape
from rulesets.contract import Command, RuleViolation
from rulesets.installed import ruleset_named
from rulesets.people import EVERYONE, Audience


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a request comes to: drafts in order (none when it is ignored), the table after them.

    `slot` is the last filled slot afterwards. `told` is how a correction was told through the history, which
    it changes from slot `first` on.
    """

    drafts: tuple[Draft, ...]
    slot: int
    state: Any
    next_roll: int
    told: Told | None = None
    first: int | None = None


Hand = ServerDice | TableDice | StockDice


def decide(tape: Tape[Any], request: Request, seed: bytes, log: Log) -> Decision:
    """What the request comes to on this tape, whose earlier events are read from the log where they are needed.

    Raises `RuleViolation` where a rule refuses it, or an `EventLogError` where the recorder does.
    """
    command = read_command(tape.ruleset, tape.rules, request.command)
    _allow(tape, request)
    if isinstance(command, HistoryCommand):
        return _history_decision(Past(log, tape), request, command, draw_from(seed, tape.session))
    if isinstance(command, BookKeeping):
        return _core_decision(tape, request, command, seed)
    hand, emptied = _hand(tape, request, seed, log)
    if isinstance(command, ThrowDice):
        decision = _throw(tape, request, command, hand, emptied)
    else:
        decision = _game_decision(tape, request, command, hand, emptied)
    hand.finish()
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


def _hand(tape: Tape[Any], request: Request, seed: bytes, log: Log) -> tuple[Hand, int | None]:
    """The dice a command throws, and the emptied slot whose dice fall again."""
    if request.dice is not None:
        return TableDice(request.dice, tape.next_roll), None
    if tape.history.touched and tape.settings.redraw_after_undo == "same":
        issuer = request.issuer
        doer = deed(msgspec.Raw(request.command), f"{issuer.role}.{issuer.name}")
        emptied = tape.history.heirless(doer)
        if emptied is not None:
            past = Past(log, tape)
            own = rolls_of(past.content(emptied, tape.history.shown(emptied)))
            stock = Stock(own, lambda: past.rolls(emptied))
            draw = draw_from(seed, tape.session)
            return StockDice(stock, "server", tape.next_roll, tape.first_roll, draw), emptied
    return ServerDice(seed, tape.session, tape.next_roll), None


def _begun(  # noqa: PLR0913, PLR0917 - all that an action begins with
    tape: Tape[Any],
    request: Request,
    audience: Audience,
    hand: Hand | None = None,
    emptied: int | None = None,
    said: bytes | None = None,
) -> Draft:
    """What was asked, as it begins the action; `source` is told where dice were typed in or thrown."""
    thrown = hand is not None and (emptied is not None or _threw(tape, hand))
    try:
        command = msgspec.Raw(canonical_copy(said or request.command))
        answers = tuple(msgspec.Raw(canonical_copy(answer)) for answer in request.answers)
    except ValueError as error:
        raise CommandMalformed(f"This command cannot be recorded: {error}") from error
    taken = ActionTaken(
        command=command,
        answers=answers,
        source="table" if request.dice is not None else hand.source if hand is not None and thrown else None,
        overrule=request.overrule,
        rulings="default" if hand is not None and tape.settings.rulings == "default" else None,
        redraws=emptied,
    )
    return Draft(event=taken, audience=audience)


def _threw(tape: Tape[Any], hand: Hand) -> bool:
    return hand.next_roll > tape.next_roll


def _words(tape: Tape[Any], request: Request, audience: Audience) -> list[Draft]:
    if not request.text:
        return []
    return [Draft(event=NoteAdded(text=request.text, about=tape.action + 1), audience=audience)]


def _placed(tape: Tape[Any], drafts: tuple[Draft, ...]) -> tuple[tuple[Draft, ...], int]:
    """Drafts in their place in the story: with the action whose question is open, or in a new slot."""
    asking = ruleset_named(tape.ruleset).record.questions(tape.state)
    slot = tape.slot if asking else tape.action + 1
    revision = (tape.history.revision(slot) or 1) if asking else 1
    return tuple(msgspec.structs.replace(draft, slot=slot, revision=revision) for draft in drafts), slot


# --- the recorder's own commands ----------------------------------------------------------------------------


def _core_decision(tape: Tape[Any], request: Request, command: BookKeeping, seed: bytes) -> Decision:
    _takes_neither(request)
    event = keep_books(tape, command, request.issuer, seed)
    audience = narrower(EVERYONE, request.visible_to, request.issuer)
    return Decision(
        drafts=(
            _begun(tape, request, audience, said=_without_words(command)),
            *_words(tape, request, audience),
            Draft(event=event, audience=audience),
        ),
        slot=tape.slot,
        state=tape.state,
        next_roll=tape.next_roll,
    )


def _takes_neither(request: Request) -> None:
    """Refuse answers and faces sent with what opens no question and throws no die."""
    if request.answers:
        raise CommandMalformed("This command opens no question, so it takes no answers")
    if request.dice:
        raise RuleViolation(
            "dice-count-mismatch",
            f"{len(request.dice)} dice were typed in, and this throws none",
            wanted=0,
            given=len(request.dice),
        )


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
            _begun(tape, request, audience, hand, emptied),
            *_words(tape, request, audience),
            Draft(event=event, audience=audience),
        ),
    )
    return Decision(drafts=drafts, slot=slot, state=tape.state, next_roll=hand.next_roll)


def foresee(tape: Tape[Any], request: Request, log: Log) -> Told:
    """What a correction would come to: nothing is drawn, and nothing is refused that only its mode would refuse.

    Raises like `decide`, and `CommandMalformed` for a command that is no correction.
    """
    command, past = read_command(tape.ruleset, tape.rules, request.command), Past(log, tape)
    _allow(tape, request)
    if isinstance(command, SettleRequest) and command.verdict == "approve":
        settled(tape, command, request.issuer)
        command = approved_undo(tape, command)
    if not isinstance(command, CorrectionCommand):
        raise CommandMalformed("Only a correction is looked ahead to")
    return correct(past, command, request.issuer, request.dice, draw_nothing, ahead=True).told


# --- corrections --------------------------------------------------------------------------------------------


def _history_decision(past: Past, request: Request, command: HistoryCommand, draw: Draw) -> Decision:
    if request.answers or request.overrule:
        raise CommandMalformed("Answers and overrule of a correction stand in its command")
    tape = past.tape
    if isinstance(command, AskUndo):
        _takes_neither(request)
        asked = asked_undo(past, command, request.issuer)
        return _beside(tape, request, (asked,), asked.audience)
    if isinstance(command, SettleRequest):
        return _settle(past, request, command, draw)
    if isinstance(command, Undo | Redo):
        _takes_neither(request)
    corrected = correct(past, command, request.issuer, request.dice, draw)
    return _told(past, request, corrected, tuple(superseded(past, corrected.told)))


def _settle(past: Past, request: Request, command: SettleRequest, draw: Draw) -> Decision:
    _takes_neither(request)
    closed = settled(past.tape, command, request.issuer)
    if closed.outcome != "approved":
        audience = asked_by(past)
        return _beside(past.tape, request, (Draft(event=closed, audience=audience),), audience)
    corrected = correct(past, approved_undo(past.tape, command), request.issuer, None, draw)
    return _told(past, request, corrected, (closed,))


def _beside(tape: Tape[Any], request: Request, drafts: tuple[Draft, ...], audience: Audience) -> Decision:
    """Something that has a number and no place in the story."""
    return Decision(
        drafts=(_begun(tape, request, audience), *_words(tape, request, audience), *drafts),
        slot=tape.slot,
        state=tape.state,
        next_roll=tape.next_roll,
    )


def _told(
    past: Past, request: Request, corrected: Corrected, closed: tuple[UndoRequestClosed, ...]
) -> Decision:
    tape, told, audience = past.tape, corrected.told, corrected.audience
    return Decision(
        drafts=(
            _begun(tape, request, audience),
            *_words(tape, request, audience),
            *corrected.drafts,
            *(Draft(event=event, audience=asked_by(past)) for event in closed),
        ),
        slot=corrected.last,
        state=told.state,
        next_roll=told.next_roll,
        told=told,
        first=corrected.first,
    )


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
            _begun(tape, request, audience, hand, emptied),
            *(Draft(event=each, audience=audience) for each in ruling),
            *(() if ruling else _words(tape, request, audience)),
            *played.drafts,
        ),
    )
    return Decision(drafts=drafts, slot=slot, state=played.state, next_roll=hand.next_roll)
