"""Deciding an action again the short way: where every byte comes out as it is stored, no event need be read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from eventlog.beginning import next_place
from eventlog.codec import codec_for
from eventlog.commands import read_command, rules_of
from eventlog.core import ActionTaken
from eventlog.envelope import Envelope
from eventlog.history.as_thrown import AsThrown
from eventlog.playing import Draft
from eventlog.tape import Tape, roll_after
from eventlog.verification.asked_again import as_sourced, could_ask, could_play
from eventlog.verification.decided_again import play_again
from eventlog.verification.thrown import TAKEN, roll_in
from rulesets.contract import Event
from rulesets.installed import ruleset_named

ASKED = TAKEN, getattr(ActionTaken, "schema_version", 1)

_taken = msgspec.json.Decoder(ActionTaken).decode


def told_again(tape: Tape[Any], action: Sequence[Envelope]) -> Tape[Any] | None:
    """The tape after an action of the game that leads, decided again, to exactly what is stored.

    `None` says nothing against the log: whoever wants to know why looks closer, event by event.
    """
    first, last = action[0], action[-1]
    if (first.type, first.v) != ASKED or first.seq != tape.version + 1:
        return None
    try:
        return _told(tape, action, first, last)
    except Exception:  # noqa: BLE001 - whatever it is, the closer look comes upon it again and says where it is
        return None


def _told(tape: Tape[Any], action: Sequence[Envelope], first: Envelope, last: Envelope) -> Tape[Any] | None:
    taken, known = _taken(first.data or b""), _known(tape.ruleset, tape.rules)
    command = read_command(tape.ruleset, tape.rules, bytes(taken.command))
    if taken.redraws is not None or type(command) not in known.commands:
        return None
    could_ask(tape, taken, first.by)
    place = next_place(tape)
    if place[0] <= tape.action:  # it joins an action whose question is open
        could_play(tape, command, first.by)
    rolls = [roll for each in action[1:] if (roll := roll_in(each)) is not None]
    as_sourced(taken, rolled=bool(rolls))
    dice = AsThrown(taken.source or "server", rolls)
    played = play_again(tape, taken, command, dice)
    dice.finish()
    if played.passed_over or not _as_stored(known.write, action, played.drafts, place):
        return None
    return msgspec.structs.replace(
        tape,
        state=played.state,
        next_roll=max([tape.next_roll, *map(roll_after, rolls)]) if rolls else tape.next_roll,
        version=last.seq,
        action=first.action,
        slot=first.slot or tape.slot,
        at=last.at,
        hash=last.hash,
    )


class _Known(NamedTuple):
    """What is known of a game: its kinds of commands, and how its events are written."""

    commands: frozenset[type[Any]]
    write: Callable[[Event], tuple[str, int, bytes]]


@cache
def _known(slug: str, rules: int) -> _Known:
    return _Known(frozenset(rules_of(slug, rules).commands), codec_for(ruleset_named(slug)).write)


def _as_stored(
    write: Callable[[Event], tuple[str, int, bytes]],
    action: Sequence[Envelope],
    drafts: Sequence[Draft],
    place: tuple[int, int],
) -> bool:
    asked, *events = action
    if not drafts or len(drafts) != len(events) or asked.audience != drafts[0].audience:
        return False
    slot, revision = place
    if asked.slot != slot or asked.revision != revision:
        return False
    for each, draft in zip(events, drafts, strict=True):
        if write(draft.event) != (each.type, each.v, each.data):
            return False
        if each.slot != slot or each.revision != revision or draft.audience != each.audience:
            return False
    return True
