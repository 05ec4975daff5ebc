"""A log whose owner changed it and made its chain anew: the fault is named at its place, and nothing of it is taken in."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from copies import forged, saying
from dueling import Table

from eventlog.archive import checked_copy, export_lines
from eventlog.chain import digest
from eventlog.envelope import Envelope
from eventlog.errors import ImportRefused
from eventlog.verification import verify_envelopes
from rulesets.installed import ruleset_named
from rulesets.people import GM

DUEL = ruleset_named("duel")
Change = Callable[[Envelope], Envelope]

ASKED, NOTED, THROWN = 8, 9, 11
"""What was asked as action 4, the note it led to, and the roll of action 5."""


@pytest.fixture
def evening(table: Table) -> Table:
    """Two duellists, a note about the second, and a roll."""
    table.duellists()
    table.act("note", text="hello", about=2)
    table.act("roll", count=2, purpose="luck")
    return table


def made_of(seq: int, **fields: Any) -> Change:
    """One event given other fields."""
    return lambda event: msgspec.structs.replace(event, **fields) if event.seq == seq else event


def said_as(seq: int, name: str, data: dict[str, Any], **fields: Any) -> Change:
    """One event turned into another."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
    return made_of(seq, type=f"core.{name}", data=text, **fields)


def copied(table: Table, events: list[Envelope]) -> list[bytes]:
    """A copy of a log as it would be exported if these were its events."""
    lines = [json.loads(line) for line in export_lines(table.store, table.session, GM)]
    for line, event in zip(lines[1:], events, strict=True):
        line |= {
            name: getattr(event, name)
            for name in ("action", "slot", "revision", "type", "v", "at", "audience")
        }
        line |= {"data": json.loads(event.data or b"null"), "hash": event.hash.hex()}
        line |= {"by": msgspec.to_builtins(event.by)}
        if event.data is None:
            line |= {"redacted": True, "digest": digest(event).hex()}
            del line["salt"]
    lines[0]["head_hash"] = events[-1].hash.hex()
    return [json.dumps(line).encode() for line in lines]


FORGERIES: dict[str, tuple[Change, int, str]] = {
    "a version nobody wrote": (made_of(2, v=0), 2, "data"),
    "dice of an action that was never undone": (saying(2, lambda said: said.update(redraws=1)), 2, "data"),
    "a seed that is no text": (said_as(11, "session-closed", {"seed": 5}, slot=None, revision=1), 11, "data"),
    "half a fork": (said_as(11, "session-forked", {"parent": "a"}, slot=None, revision=1), 11, "data"),
    "removed words of no event": (said_as(11, "text-redacted", {"seq": "x"}, slot=None, revision=1), 11, "data"),
    "no command": (saying(2, lambda said: said.update(command=None)), 2, "command"),
    "a command that is none": (saying(2, lambda said: said.update(command=[1])), 2, "command"),
    "an answer that is none": (saying(2, lambda said: said.update(answers=[{"type": 3}])), 2, "command"),
    "a revision from nowhere": (lambda each: made_of(each.seq, revision=7)(each) if each.action == 1 else each, 2, "revision"),
    "no place in the story": (lambda each: made_of(each.seq, slot=None)(each) if each.action == 1 else each, 2, "slot"),
    "a roll without dice": (saying(11, lambda said: said["roll"].update(dice=[])), 11, "data.roll.dice"),
    "nobody asked": (said_as(10, "note-added", {"text": "x"}, slot=None), 10, "type"),
    "another opening": (said_as(11, "session-opened", {"title": "x"}), 11, "type"),
    "a setting there is not": (said_as(11, "setting-changed", {"name": "x", "value": "y"}), 11, "data"),
    "what stands is not there": (
        said_as(11, "action-undone", {"targets": [{"slot": 1, "outcome": "undone", "before": 1, "after": 3}]}, slot=None), 10, "command",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGERIES)
def test_what_was_forged_is_named_at_its_place_and_not_taken_in(evening: Table, what: str) -> None:
    change, seq, field = FORGERIES[what]
    events = forged(evening.log(), change)
    found = verify_envelopes(DUEL, evening.session, events)
    assert found.first_fault is not None
    assert (found.ok, found.first_fault.seq, found.first_fault.field) == (False, seq, field), (
        found.first_fault
    )
    with pytest.raises(ImportRefused) as refusal:
        checked_copy(copied(evening, events))
    assert refusal.value.fields["line"] in (seq + 1, seq + 2), refusal.value


def test_only_words_are_ever_removed(evening: Table) -> None:
    """A roll cannot be called redacted, although the log says that it was."""
    events = evening.log()
    roll = events[THROWN - 1]
    bare = msgspec.structs.replace(roll, data=None, salt=None, digest=digest(roll))
    evening.act("note", text="farewell")
    said = said_as(13, "text-redacted", {"seq": THROWN})
    removed = forged([*events[:-1], bare, *map(said, evening.log()[THROWN:])], lambda event: event)
    found = verify_envelopes(DUEL, evening.session, removed)
    assert found.first_fault is not None
    assert (found.first_fault.seq, found.first_fault.field) == (THROWN, "data")


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"


def test_a_clock_in_another_time_zone_is_forgiven_and_the_far_future_is_not(evening: Table) -> None:
    """What is recorded next would bear that time too."""
    soon, late = (_at(datetime.now(UTC) + timedelta(hours=hours)) for hours in (14, 25))
    assert checked_copy(copied(evening, forged(evening.log(), made_of(THROWN, at=soon))))
    for at in (late, "9999-01-01T00:00:00.000000Z"):
        with pytest.raises(ImportRefused, match=r"Line 12: event 11 .* more than a day after") as refusal:
            checked_copy(copied(evening, forged(evening.log(), made_of(THROWN, at=at))))
        assert (refusal.value.fields["reason"], refusal.value.fields["at"]) == ("future", at)


def test_what_the_rules_made_of_a_deed_may_differ_and_is_told_by_verification(evening: Table) -> None:
    """Its shape has to be right; that it was decided otherwise is no reason to keep it out."""
    events = forged(evening.log(), saying(7, lambda said: said.update(order=["ben", "ada"])))
    assert not verify_envelopes(DUEL, evening.session, events).ok
    assert checked_copy(copied(evening, events)).header.version == len(events)
