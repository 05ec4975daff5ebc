"""A log forged whole, hashes and head: in whatever event of whatever action, it is found there and breaks nothing off."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from caravans import Caravan
from copies import forged, of_type, saying
from dueling import wanted
from msgspec.structs import replace

from eventlog.archive import checked_copy, export_lines
from eventlog.chain import digest
from eventlog.envelope import By, Envelope
from eventlog.errors import HistoryDoesNotFold, ImportRefused
from eventlog.frames import shown
from eventlog.history.copied import CopiedLog
from eventlog.history.points import tape_at
from eventlog.verification import Fault, Verification, verify, verify_envelopes
from rulesets.installed import ruleset_named
from rulesets.people import GM, Viewer

SCRIPT = Path(__file__).parents[2] / "verifier" / "check_tape.py"
NORA = Viewer(role="player", name="Nora", characters=("rasheem",))
CORRECTIONS = ("undone", "redone", "amended", "inserted", "revised")
ANIMA = ruleset_named("anima-prime")
EYES = ((), ("gm",), ("everyone",), ("player:somebody",))


def corrected_evening(caravan: Caravan) -> None:
    """Dice of the server, corrections of every kind, and a request for one; then it is over."""
    caravan.act("maneuver", actor="zadie", action_dice=2, no_reroll=True)
    caravan.act("roll", count=2, purpose="luck", request={"issuer": NORA, "visible_to": "self"})
    caravan.act("note", text="hm", about=5, request={"issuer": NORA, "visible_to": "self+gm"})
    caravan.act("adjust", character="rasheem", changes={"strike": 1}, reason="found some")
    more = {"type": "maneuver", "actor": "zadie", "action_dice": 3, "no_reroll": True}
    caravan.act("amend", target=5, command=more, mode="rebase", request={"text": "three, I said"})
    caravan.act("undo", target=8)
    caravan.act("redo", target=8)
    forgotten = {"type": "adjust", "character": "bull", "changes": {"charge": 1}, "reason": "forgotten"}
    caravan.act("insert", before=8, command=forgotten)
    caravan.act("maneuver", actor="rasheem", action_dice=2, no_reroll=True, request={"issuer": NORA})
    caravan.act("ask_undo", target=13, request={"issuer": NORA})
    approved = {"request": 14, "verdict": "approve", "mode": "rebase"}
    caravan.do(lambda: caravan.recorder.record(caravan.session, wanted("settle_undo_request", approved)))
    caravan.act("close")


@pytest.fixture
def caravan() -> Iterator[Caravan]:
    with patch("eventlog.recorder.secrets.token_bytes", Random(7).randbytes):  # the same dice every time
        caravan = Caravan()
    try:
        corrected_evening(caravan)
        caravan.holds()
        yield caravan
    finally:
        caravan.close()


@pytest.fixture
def events(caravan: Caravan) -> list[Envelope]:
    return caravan.log()


def checked(events: list[Envelope], *, redecide: bool = True) -> Verification:
    return verify_envelopes(ANIMA, events[0].session, events, redecide=redecide)


def fault_of(found: Verification) -> Fault:
    assert found.first_fault is not None
    assert not found.ok
    return found.first_fault


def with_one(events: list[Envelope], seq: int, **changes: Any) -> list[Envelope]:
    """The log with one event changed, and a whole new chain over it."""
    return forged(events, lambda each: replace(each, **changes) if each.seq == seq else each)


def copy_of(caravan: Caravan, events: list[Envelope]) -> list[bytes]:
    """A copy of a forged log whose header knows its new end."""
    header = json.loads(next(export_lines(caravan.store, caravan.session, GM)))
    header |= {"version": len(events), "head_hash": events[-1].hash.hex()}
    return [json.dumps(header).encode(), *(msgspec.json.encode(shown(each, placed=False)) for each in events)]


# --- who signed ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("redecide", [True, False])
def test_an_event_signed_by_somebody_else_than_its_action_is_found(
    events: list[Envelope], redecide: bool
) -> None:
    """Else an audit credits dice to somebody who never threw them."""
    for before, event in pairwise(events):
        if before.action == event.action:
            for by in (By(role="player", name="Ben"), By(role="gm", name="another"), By(role="strike")):
                fault = fault_of(checked(with_one(events, event.seq, by=by), redecide=redecide))
                assert (fault.seq, fault.field) == (event.seq, "by")


def test_a_role_that_there_is_not_is_found(events: list[Envelope]) -> None:
    for action in range(events[-1].action + 1):
        first = next(each for each in events if each.action == action)
        strange = forged(
            events, lambda each, of=action: replace(each, by=By(role="strike")) if each.action == of else each
        )
        for redecide in (True, False):
            fault = fault_of(checked(strange, redecide=redecide))
            assert (fault.seq, fault.field) == (first.seq, "by")


def test_a_copy_signed_by_somebody_else_is_not_taken_in(caravan: Caravan, events: list[Envelope]) -> None:
    roll = next(of_type(events, "anima-prime.dice-rolled"))
    with pytest.raises(ImportRefused) as refused:
        checked_copy(copy_of(caravan, with_one(events, roll.seq, by=By(role="player", name="Ben"))))
    assert (refused.value.fields["seq"], refused.value.fields["field"]) == (roll.seq, "by")


# --- who may see it -----------------------------------------------------------------------------------------


def test_an_event_before_other_eyes_is_found_in_whatever_action(events: list[Envelope]) -> None:
    """Also what asks for a correction, a note, a private roll, and words that were sent along."""
    for event in events:
        for audience in EYES:
            if audience != event.audience:
                fault = fault_of(checked(with_one(events, event.seq, audience=audience)))
                assert (fault.action, fault.field) == (event.action, "audience")


def test_a_whole_action_before_eyes_that_cannot_have_been_asked_for_is_found(events: list[Envelope]) -> None:
    for action in range(events[-1].action + 1):
        for audience in ((), ("player:somebody",)):
            moved = forged(
                events,
                lambda each, of=action, to=audience: (
                    replace(each, audience=to) if each.action == of else each
                ),
            )
            fault = fault_of(checked(moved))
            assert (fault.action, fault.field) == (action, "audience")


# --- what it says -------------------------------------------------------------------------------------------


def leaves(said: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where single values stand in a document."""
    if isinstance(said, dict | list):
        for key, value in said.items() if isinstance(said, dict) else enumerate(said):
            yield from leaves(value, (*path, key))
    else:
        yield path


def otherwise(path: tuple[Any, ...]) -> Callable[[dict[str, Any]], None]:
    """Another value at a place."""

    def change(said: Any) -> None:
        for key in path[:-1]:
            said = said[key]
        old = said[path[-1]]
        said[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else "nobody"

    return change


def test_whatever_is_changed_in_a_correction_is_found_there(events: list[Envelope]) -> None:
    """A slot that was never taken out, a revision that is not there: no table breaks off, it is said where."""
    changed = 0
    for event in events:
        if event.type.rpartition("-")[2] not in CORRECTIONS:
            continue
        for path in leaves(json.loads(event.data or b"")):
            fault = fault_of(checked(forged(events, saying(event.seq, otherwise(path)))))
            assert fault.action == event.action, (event.type, path)
            assert fault.seq >= event.seq or fault.field == "command"
            changed += 1
    assert changed > 30


def test_an_unknown_thing_is_a_fault_of_the_event_that_names_it(events: list[Envelope]) -> None:
    """The table before it has no character of that name."""
    declared = next(of_type(events, "anima-prime.maneuver-declared"))
    nobody = forged(events, saying(declared.seq, lambda said: said.update(actor="nobody")))
    for redecide in (True, False):
        fault = fault_of(checked(nobody, redecide=redecide))
        assert (fault.seq, fault.field) == (declared.seq, "data")
        assert "does not fit the table before it" in fault.message


@pytest.mark.parametrize("name", ["slot", "revision", "type", "v"])
def test_another_place_or_kind_is_found_in_its_action(events: list[Envelope], name: str) -> None:
    others: dict[str, tuple[Any, ...]] = {
        "slot": (None, 1, 5),
        "revision": (1, 2, 9),
        "v": (7,),
        "type": (
            "core.action-undone",
            "core.action-revised",
            "core.text-redacted",
            "anima-prime.turn-passed",
        ),
    }
    for event in events:
        for value in others[name]:
            if value == getattr(event, name) or (name == "slot" and (value or 0) > event.action):
                continue
            fault = fault_of(checked(with_one(events, event.seq, **{name: value})))
            assert fault.action == event.action, (event.seq, value)


def test_an_action_that_nobody_asked_for_is_found(events: list[Envelope]) -> None:
    """What happened at the table was asked for by somebody: without that, nothing was decided again."""
    for asked in of_type(events, "core.action-taken"):
        without = [
            replace(each, seq=seq, position=0)
            for seq, each in enumerate((each for each in events if each is not asked), 1)
        ]
        for redecide in (True, False):
            fault = fault_of(checked(forged(without, lambda each: each), redecide=redecide))
            assert (fault.seq, fault.field) == (asked.seq, "type")


def test_a_log_is_opened_once(events: list[Envelope]) -> None:
    """A second promise would speak for dice that fell before it."""
    kept = [each for each in events if each.action < events[-1].action]
    after = {"action": events[-1].action, "position": events[-1].position, "at": events[-1].at}
    again = replace(events[0], seq=len(kept) + 1, **after)
    for redecide in (True, False):
        fault = fault_of(checked(forged([*kept, again], lambda each: each), redecide=redecide))
        assert (fault.seq, fault.field) == (again.seq, "type")


def test_what_holds_no_words_has_none_to_lose(events: list[Envelope]) -> None:
    """Only words are removed: what was decided stays."""
    earned = next(of_type(events, "anima-prime.maneuver-earned"))
    emptied = replace(earned, data=None, salt=None, digest=digest(earned))
    fault = fault_of(checked([emptied if each is earned else each for each in events]))
    assert (fault.seq, fault.field) == (earned.seq, "data")


def test_where_an_actions_dice_came_from_is_compared(events: list[Envelope]) -> None:
    """What was thrown says so, and what threw nothing says nothing."""
    for asked in of_type(events, "core.action-taken"):
        thrown = b'"source":"server"' in (asked.data or b"")

        def change(said: dict[str, Any], thrown: bool = thrown) -> None:
            said.pop("source") if thrown else said.update(source="server")

        if thrown or asked.slot is not None:
            fault = fault_of(checked(forged(events, saying(asked.seq, change))))
            assert (fault.seq, fault.field) == (asked.seq, "command")


# --- dice ---------------------------------------------------------------------------------------------------


def test_a_die_that_was_taken_along_is_counted_once(
    caravan: Caravan, events: list[Envelope], tmp_path: Path
) -> None:
    """As many as there are addresses, which is as many as the script for players counts."""
    rolls = [json.loads(each.data)["roll"] for each in events if b'"roll":{' in (each.data or b"")]
    places = [
        die.get("address", f"{roll['number']}.{place}")
        for roll in rolls
        for place, die in enumerate(roll["dice"], 1)
    ]
    assert len(places) > len(set(places))
    assert verify(caravan.store, caravan.session).checked.dice == len(set(places))
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(b"".join(export_lines(caravan.store, caravan.session, GM)))
    told = subprocess.run([sys.executable, SCRIPT, copy], capture_output=True, text=True, check=True).stdout
    assert f"Checked: {len(set(places))} server dice" in told


# --- reading it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("revision", [False, True])
def test_reading_a_tampered_correction_says_that_it_does_not_fold(
    events: list[Envelope], revision: bool
) -> None:
    """Whoever reads is told what is wrong with the log; nothing breaks off with a mistake of ours."""
    amended = next(of_type(events, "core.action-amended"))
    revised = next(of_type(events, "core.action-revised"))
    if revision:
        spoilt = with_one(events, revised.seq, revision=9)
    else:
        spoilt = forged(
            events, saying(amended.seq, lambda said: said["targets"][0].update(slot=3, after=None))
        )
    log = CopiedLog(events[0].session, spoilt)
    with pytest.raises(HistoryDoesNotFold) as spoken:
        tape_at(log, events[0].session)
    assert "bull" not in spoken.value.message  # who is told need not know of everybody
