"""Re-decision: every command, decided once more on the table before it with its own dice, gives what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from eventlog.beginning import next_place
from eventlog.codec import codec_for, core_type
from eventlog.commands import command_type, read_command, rules_of
from eventlog.core import (
    ActionTaken,
    BookKeeping,
    NoteAdded,
    RulingMade,
    SessionClosed,
    SessionForked,
    SessionImported,
    ThrowDice,
)
from eventlog.core_rules import keep_books, throw_dice
from eventlog.corrections import HistoryCommand
from eventlog.envelope import Envelope
from eventlog.errors import EventLogError
from eventlog.history.as_thrown import AsThrown
from eventlog.history.reading import Past
from eventlog.logs import Log
from eventlog.playing import Played, play_out
from eventlog.tape import Tape
from eventlog.verification.asked_again import could_ask, could_play
from eventlog.verification.corrected_again import corrected_again
from eventlog.verification.expected import Expected
from eventlog.verification.report import Found
from eventlog.verification.stored import Stored
from rulesets.contract import Command, Event
from rulesets.dice import Dice, Roll
from rulesets.installed import ruleset_named

NOTE_ADDED = core_type(NoteAdded)
TURNS = frozenset({core_type(SessionImported), core_type(SessionForked)})
"""What the recorder writes down by itself: that the log goes on in another store, or as another session."""


def decide_again(tape: Tape[Any], action: Sequence[Envelope], log: Log) -> bool:
    """Whether this action was a command, decided again to the same events. Raises `Found` where not."""
    stored = [Stored(envelope=each, event=_read(tape, each)) for each in action]
    taken, first = stored[0].event, action[0]
    if not isinstance(taken, ActionTaken):
        _goes_on(action)
        return False
    rolls = [roll for each in stored if isinstance(roll := getattr(each.event, "roll", None), Roll)]
    dice = AsThrown(taken.source or "server", rolls)
    try:
        could_ask(tape, taken, first.by)
        decided = _decided(Past(log, tape), taken, stored, dice)
        dice.finish()
    except Found:
        raise
    except Exception as error:  # a forged log may break anything that decides
        message = f"Action {first.action}, decided again, is refused: {_word(error)}"
        raise Found(first.seq, first.action, "command", message) from error
    _compare(stored, decided)
    return True


def _read(tape: Tape[Any], event: Envelope) -> Event | None:
    try:
        return codec_for(ruleset_named(tape.ruleset)).event(event)
    except EventLogError as error:
        raise Found(event.seq, event.action, "data", f"Event {event.seq} cannot be read") from error


def _goes_on(action: Sequence[Envelope]) -> None:
    """Raise `Found` where an action was not asked for, and is not the log going on in another store or session."""
    first = action[0]
    if len(action) > 1 or first.type not in TURNS or (first.slot, first.revision) != (None, 1):
        message = f"Action {first.action} does not begin with what was asked for"
        raise Found(first.seq, first.action, "type", message)


def _word(error: Exception) -> str:
    """What may be said of a refusal to anybody: its code, never its words."""
    return getattr(error, "code", None) or (
        str(error) if isinstance(error, ValueError) else type(error).__name__
    )


# --- deciding -----------------------------------------------------------------------------------------------


def _decided(past: Past, taken: ActionTaken, stored: list[Stored], dice: AsThrown) -> list[Expected]:
    """The events the command leads to now."""
    if command_type(taken.command) == "note":
        last = stored[-1].event
        return [] if last is None else [Expected(_note_again(taken, last))]
    tape = past.tape
    command = read_command(tape.ruleset, tape.rules, bytes(taken.command))
    if isinstance(command, HistoryCommand):
        dice.hand_over()
        return corrected_again(past, command, stored)
    if isinstance(command, ThrowDice):
        return [Expected(throw_dice(command, stored[0].envelope.by, dice), None, *next_place(tape))]
    if isinstance(command, BookKeeping):
        return [Expected(_book_keeping(tape, command, stored))]
    could_play(tape, command, stored[0].envelope.by)
    played, place = play_again(tape, taken, command, dice), next_place(tape)
    ruling = [RulingMade(codes=played.passed_over)] if played.passed_over else []
    return [
        *(Expected(each, played.drafts[0].audience, *place) for each in ruling),
        *(Expected(draft.event, draft.audience, *place) for draft in played.drafts),
    ]


def play_again(tape: Tape[Any], taken: ActionTaken, command: Command, dice: Dice) -> Played:
    """The command and the answers sent with it, decided on the table before them. Raises what refuses them now."""
    answers = [read_command(tape.ruleset, tape.rules, bytes(answer)) for answer in taken.answers]
    return play_out(
        ruleset_named(tape.ruleset),
        rules_of(tape.ruleset, tape.rules),
        tape.state,
        (command, *answers),
        dice,
        overrule=taken.overrule,
        rulings=taken.rulings == "default" or tape.settings.rulings == "default",
    )


class _About(msgspec.Struct, frozen=True):
    about: int | None = None


def _note_again(taken: ActionTaken, kept: Event) -> NoteAdded:
    """A note's words stand in its event alone; what it is about stands in the command too."""
    text = kept.text if isinstance(kept, NoteAdded) else ""
    return NoteAdded(text=text, about=msgspec.json.decode(taken.command, type=_About).about)


def _book_keeping(tape: Tape[Any], command: BookKeeping, stored: list[Stored]) -> Event:
    signer, last = stored[0].envelope.by.signer, stored[-1].event
    seed = bytes.fromhex(last.seed) if isinstance(last, SessionClosed) else b""
    return keep_books(tape, command, signer, seed)


# --- comparing ----------------------------------------------------------------------------------------------


def _compare(stored: list[Stored], decided: list[Expected]) -> None:
    """Raise `Found` at the first event that differs. Free words are nobody's decision and are passed over."""
    kept = [each for each in stored[1:] if not _words(each)]
    _begins(stored, kept, decided)
    if not decided and _is_removed_note(stored):
        return
    for each, again in zip_longest(kept, decided):
        if each is None:
            raise _differs(stored[-1], "events", "it would have led to more events")
        if again is None:
            raise _differs(each, "events", "it would not have led to this event")
        _compare_one(each, again)
    if kept and decided and not decided[0].corrects and _asked_before_others(stored[0], kept[0]):
        raise _differs(stored[0], "audience", "other people would have seen what was asked")


def _words(each: Stored) -> bool:
    """Whether these are words sent along with the action."""
    if each.event is None:
        return each.envelope.type == NOTE_ADDED
    return isinstance(each.event, NoteAdded) and each.event.about == each.envelope.action


def _is_removed_note(stored: list[Stored]) -> bool:
    return stored[-1].event is None and stored[-1].envelope.type == NOTE_ADDED


def _begins(stored: list[Stored], kept: list[Stored], decided: list[Expected]) -> None:
    """What was asked, and the words sent along, stand where the first event stands."""
    corrects = bool(decided) and decided[0].corrects
    slot, revision = (None, 1) if corrects or not decided else (decided[0].slot, decided[0].revision)
    for each in stored:
        if each not in kept:
            _in_place(each, slot, revision)


def _asked_before_others(asked: Stored, first: Stored) -> bool:
    """Whether other people saw what was asked than what it led to first."""
    return asked.envelope.audience != first.envelope.audience


def _compare_one(kept: Stored, expected: Expected) -> None:
    _in_place(kept, expected.slot, expected.revision)
    again = expected.event
    if kept.event is None:
        return
    if type(kept.event) is not type(again):
        raise _differs(kept, "type", "it would have led to an event of another type")
    for name in again.__struct_fields__:
        free = isinstance(again, RulingMade) and name == "reason"
        if not free and getattr(kept.event, name) != getattr(again, name):
            raise _differs(kept, f"data.{name}", f"its {name} would have been another")
    if expected.audience is not None and expected.audience != kept.envelope.audience:
        raise _differs(kept, "audience", "other people would have seen it")


def _in_place(kept: Stored, slot: int | None, revision: int) -> None:
    if kept.envelope.slot != slot:
        raise _differs(kept, "slot", "it would have had another place in the story")
    if kept.envelope.revision != revision:
        raise _differs(kept, "revision", "it would have been another revision of its place")


def _differs(kept: Stored, field: str, how: str) -> Found:
    envelope = kept.envelope
    return Found(
        envelope.seq,
        envelope.action,
        field,
        f"Action {envelope.action}, decided again: at event {envelope.seq} {how}",
    )
