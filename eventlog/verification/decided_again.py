"""Re-decision: every command, decided once more on the table before it with its own dice, gives what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from eventlog.audience import narrowings
from eventlog.beginning import next_place
from eventlog.codec import codec_for
from eventlog.commands import command_type, read_command, rules_of
from eventlog.core import ActionTaken, AddNote, BookKeeping, NoteAdded, RulingMade, SessionClosed, ThrowDice
from eventlog.core_rules import keep_books, throw_dice
from eventlog.corrections import HistoryCommand
from eventlog.decision import who_knows
from eventlog.envelope import By, Envelope
from eventlog.errors import EventLogError
from eventlog.history.as_thrown import AsThrown
from eventlog.history.reading import Past
from eventlog.history.slots import NOTE
from eventlog.logs import Log
from eventlog.playing import Played, play_out
from eventlog.tape import Tape
from eventlog.verification.asked_again import as_sourced, could_ask, could_play
from eventlog.verification.corrected_again import corrected_again
from eventlog.verification.expected import Decided, Expected
from eventlog.verification.report import NOT_THE_LOG, Found
from eventlog.verification.stored import Stored
from rulesets.contract import Command, Event
from rulesets.dice import Dice, Roll
from rulesets.installed import ruleset_named
from rulesets.people import EVERYONE, Audience


def decide_again(tape: Tape[Any], action: Sequence[Envelope], log: Log) -> bool:
    """Whether this action was a command, decided again to the same events. Raises `Found` where not."""
    first = action[0]
    try:
        return _again(tape, action, log)
    except (Found, *NOT_THE_LOG):
        raise
    except Exception as error:  # a forged log may break anything that decides
        message = f"Action {first.action}, decided again, is refused: {_word(error)}"
        raise Found(first.seq, first.action, "command", message) from error


def _again(tape: Tape[Any], action: Sequence[Envelope], log: Log) -> bool:
    stored = [Stored(envelope=each, event=_read(tape, each)) for each in action]
    taken = stored[0].event
    if not isinstance(taken, ActionTaken):
        return False
    rolls = [roll for each in stored if isinstance(roll := getattr(each.event, "roll", None), Roll)]
    dice = AsThrown(taken.source or "server", rolls)
    could_ask(tape, taken, action[0].by)
    decided = _decided(Past(log, tape), taken, stored, dice)
    if not any(each.corrects for each in decided.events):
        as_sourced(taken, rolled=bool(rolls))
    dice.finish()
    _compare(stored, decided)
    return True


def _read(tape: Tape[Any], event: Envelope) -> Event | None:
    try:
        return codec_for(ruleset_named(tape.ruleset)).event(event)
    except EventLogError as error:
        raise Found(event.seq, event.action, "data", f"Event {event.seq} cannot be read") from error


def _word(error: Exception) -> str:
    """What may be said of a refusal to anybody: its code, never its words."""
    return getattr(error, "code", None) or (
        str(error) if isinstance(error, ValueError) else type(error).__name__
    )


# --- deciding -----------------------------------------------------------------------------------------------


def _decided(past: Past, taken: ActionTaken, stored: list[Stored], dice: AsThrown) -> Decided:
    """What the command leads to now."""
    tape, by = past.tape, stored[0].envelope.by
    if command_type(taken.command) == "note":
        return _noted(past, taken, stored[-1].event, by)
    command = read_command(tape.ruleset, tape.rules, bytes(taken.command))
    if isinstance(command, HistoryCommand):
        dice.hand_over()
        return corrected_again(past, command, stored)
    if isinstance(command, ThrowDice):
        thrown = Expected(throw_dice(command, by, dice), None, *next_place(tape))
        return Decided([thrown], narrowings(EVERYONE, by.signer))
    if isinstance(command, BookKeeping):
        return _kept_books(past, command, _book_keeping(tape, command, stored), by)
    could_play(tape, command, by)
    played, place = play_again(tape, taken, command, dice), next_place(tape)
    ruling = [RulingMade(codes=played.passed_over)] if played.passed_over else []
    events = [
        *(Expected(each, played.drafts[0].audience, *place) for each in ruling),
        *(Expected(draft.event, draft.audience, *place) for draft in played.drafts),
    ]
    return Decided(events, [draft.audience for draft in played.drafts[:1]])


def _kept_books(past: Past, command: BookKeeping, event: Event, by: By) -> Decided:
    return Decided([Expected(event)], narrowings(who_knows(past, command, by.signer), by.signer))


def _noted(past: Past, taken: ActionTaken, kept: Event | None, by: By) -> Decided:
    """A note's words stand in its event alone, perhaps no longer; what it is about stands in the command too."""
    about = msgspec.json.decode(taken.command, type=_About).about
    text = kept.text if isinstance(kept, NoteAdded) else ""
    decided = _kept_books(past, AddNote(text=text, about=about), NoteAdded(text=text, about=about), by)
    return decided if kept is not None else decided._replace(events=[])


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


def _book_keeping(tape: Tape[Any], command: BookKeeping, stored: list[Stored]) -> Event:
    signer, last = stored[0].envelope.by.signer, stored[-1].event
    seed = bytes.fromhex(last.seed) if isinstance(last, SessionClosed) else b""
    return keep_books(tape, command, signer, seed)


# --- comparing ----------------------------------------------------------------------------------------------


def _compare(stored: list[Stored], decided: Decided) -> None:
    """Raise `Found` at the first event that differs. Free words are nobody's decision and are passed over."""
    kept, asked = [each for each in stored[1:] if not _words(each)], stored[0].envelope.audience
    _begins(stored, kept, decided)
    if not decided.events and _is_removed_note(stored):
        return
    for each, again in zip_longest(kept, decided.events):
        if each is None:
            raise _differs(stored[-1], "events", "it would have led to more events")
        if again is None:
            raise _differs(each, "events", "it would not have led to this event")
        _compare_one(each, again, asked)


def _words(each: Stored) -> bool:
    """Whether these are words sent along with the action."""
    if each.event is None:
        return each.envelope.type == NOTE
    return isinstance(each.event, NoteAdded) and each.event.about == each.envelope.action


def _is_removed_note(stored: list[Stored]) -> bool:
    return stored[-1].event is None and stored[-1].envelope.type == NOTE


def _begins(stored: list[Stored], kept: list[Stored], decided: Decided) -> None:
    """What was asked, and the words sent along, stand where the first event stands, and before the same eyes."""
    first = next(iter(decided.events), None)
    slot, revision = (None, 1) if first is None or first.corrects else (first.slot, first.revision)
    asked = stored[0].envelope.audience
    for each in stored:
        if each in kept:
            continue
        _in_place(each, slot, revision)
        if each.envelope.audience != asked or asked not in decided.asked:
            raise _differs(each, "audience", "other people would have seen what was asked")


def _compare_one(kept: Stored, expected: Expected, asked: Audience) -> None:
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
    if kept.envelope.audience != (asked if expected.audience is None else expected.audience):
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
