"""Copies of logs: the same log on the other side, or nothing at all."""

import asyncio
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from copies import ADA, SCENES, an_evening, forged, import_log, play, saying
from dueling import Table
from msgspec.structs import replace

from eventlog.archive import Imported, checked_copy, export_lines, foreseen, read_archive
from eventlog.core import SessionImported
from eventlog.dice import commitment
from eventlog.errors import (
    EventLogError,
    ImportConflict,
    ImportRefused,
    LogDiverged,
    NewerThanHead,
    OlderThanHead,
    SessionUnknown,
)
from eventlog.frames import shown
from eventlog.history.points import tape_at
from eventlog.verification import verify, verify_envelopes
from rulesets.errors import RulesetNotInstalled
from rulesets.installed import ruleset_named
from rulesets.people import GM, OBSERVER, Viewer

ADMIN = Viewer(role="admin", name="keeper")


@pytest.fixture
def elsewhere() -> Iterator[Table]:
    """Another store, empty."""
    table = Table()
    yield table
    table.close()


def copy_of(table: Table, viewer: Viewer = GM) -> list[bytes]:
    return list(export_lines(table.store, table.session, viewer))


def take_in(table: Table, lines: list[bytes]) -> Imported:
    return table.do(lambda: import_log(table.recorder, lines))


def edited(line: bytes, **changes: Any) -> bytes:
    return json.dumps({**json.loads(line), **changes}).encode()


# --- out ----------------------------------------------------------------------------------------------------


def test_a_copy_begins_with_what_it_is_a_copy_of(table: Table) -> None:
    an_evening(table)
    header, *lines = map(json.loads, copy_of(table))
    head = table.store.head(table.session)
    assert header == {
        "tabletape": 1, "session": table.session, "ruleset": "duel", "rules": 1, "title": "At dawn",
        "version": head.version, "head_hash": head.hash.hex(), "copy": "complete",
        "exported_for": {"role": "gm", "name": "gm"},
    }  # fmt: skip
    assert [line["seq"] for line in lines] == list(range(1, head.version + 1))


@pytest.mark.parametrize("viewer,complete", [(GM, True), (ADMIN, True), (ADA, False), (OBSERVER, False)])
def test_everybody_gets_what_they_may_see(table: Table, viewer: Viewer, complete: bool) -> None:
    an_evening(table)
    header, *lines = map(json.loads, copy_of(table, viewer))
    assert header["copy"] == ("complete" if complete else "redacted")
    hidden = [line for line in lines if "type" not in line]
    assert bool(hidden) is not complete
    assert all(line.keys() == {"seq", "digest", "hash"} for line in hidden)
    assert ("canary" in json.dumps(lines)) is complete


@pytest.mark.parametrize("viewer", [GM, ADA, OBSERVER])
def test_a_copy_can_be_checked_without_any_server(table: Table, viewer: Viewer) -> None:
    an_evening(table)
    table.act("close")
    header, events = read_archive(copy_of(table, viewer))
    end = header.version, bytes.fromhex(header.head_hash)
    found = verify_envelopes(ruleset_named("duel"), header.session, events, end=end)
    assert found.ok
    if viewer == GM:
        assert list(events) == [replace(event, position=0) for event in table.store.envelopes(table.session)]


def test_a_copy_made_while_others_act_is_one_of_its_moment(table: Table) -> None:
    table.duellists()
    lines = export_lines(table.store, table.session, GM)
    first = [next(lines)]
    table.act("end_turn")
    header, events = read_archive([*first, *lines])
    assert len(events) == header.version == 7
    assert verify_envelopes(None, header.session, events, end=(7, bytes.fromhex(header.head_hash))).ok


def test_a_session_nobody_opened_has_no_copy(table: Table) -> None:
    with pytest.raises(SessionUnknown):
        export_lines(table.store, "nowhere", GM)


# --- in -----------------------------------------------------------------------------------------------------


def test_a_closed_log_is_the_same_log_elsewhere(table: Table, elsewhere: Table) -> None:
    """Every state along the way, every event, and the proof (initiative-tracker#293)."""
    an_evening(table)
    table.act("close")
    lines = copy_of(table)
    head = table.store.head(table.session)
    assert take_in(elsewhere, lines) == Imported(
        session=head.session, version=head.version, added=head.version
    )
    elsewhere.session = table.session
    assert elsewhere.store.head(table.session) == head
    assert copy_of(elsewhere) == lines
    for action in range(head.action + 1):
        assert tape_at(elsewhere.store, table.session, action) == tape_at(table.store, table.session, action)
    assert verify(elsewhere.store, table.session) == verify(table.store, table.session)
    assert elsewhere.store.seed(table.session) == table.store.seed(table.session)


@pytest.mark.parametrize("path", SCENES[::4], ids=lambda path: path.stem)
def test_worked_examples_go_over_whole(table: Table, elsewhere: Table, path: Path) -> None:
    play(table, path)
    table.act("close")
    take_in(elsewhere, copy_of(table))
    for action in range(table.store.head(table.session).action + 1):
        assert tape_at(elsewhere.store, table.session, action) == tape_at(table.store, table.session, action)
    assert verify(elsewhere.store, table.session).ok


def test_an_imported_log_is_as_quick_to_read(table: Table, elsewhere: Table) -> None:
    an_evening(table)
    take_in(elsewhere, copy_of(table))
    for action in range(table.store.head(table.session).action + 1):
        here, there = (each.store.checkpoint(table.session, action) for each in (table, elsewhere))
        assert here == there


def test_a_running_log_goes_on_under_a_seed_of_its_own(table: Table, elsewhere: Table) -> None:
    """The old seed stays where it was: the dice before are not witnessed here, those after are."""
    an_evening(table)
    before = table.store.head(table.session)
    imported = take_in(elsewhere, copy_of(table))
    assert (imported.version, imported.added) == (before.version + 1, before.version + 1)
    elsewhere.session = table.session
    last = elsewhere.store.envelopes(table.session)[-1]
    assert (last.type, last.action, last.slot, last.by.role) == (
        "core.session-imported", before.action + 1, None, "admin",
    )  # fmt: skip
    seed = elsewhere.store.seed(table.session)
    assert seed != table.store.seed(table.session)
    promised = msgspec.json.decode(last.data or b"", type=SessionImported).dice_commitment
    assert promised == commitment(seed) == tape_at(elsewhere.store, table.session).dice_commitment
    elsewhere.act("roll", count=4, purpose="luck")
    elsewhere.act("close")
    found = verify(elsewhere.store, table.session)
    assert found.ok
    assert found.checked.dice == 4
    assert "not witnessed here" in found.notes[0]


def test_what_is_recorded_after_an_import_goes_into_the_next_copy(table: Table, elsewhere: Table) -> None:
    table.duellists()
    take_in(elsewhere, copy_of(table))
    elsewhere.session = table.session
    elsewhere.act("end_turn")
    third = Table()
    take_in(third, copy_of(elsewhere))
    assert verify(third.store, table.session).ok
    third.close()


def test_the_same_log_again_adds_nothing(table: Table, elsewhere: Table) -> None:
    table.duellists()
    running = copy_of(table)
    take_in(elsewhere, running)
    before = elsewhere.store.stream()
    again = take_in(elsewhere, running)
    assert again == Imported(session=table.session, version=len(running), added=0)
    assert elsewhere.store.stream() == before
    assert take_in(table, running).added == 0


def test_two_who_bring_the_same_log_at_once_bring_it_once(table: Table, elsewhere: Table) -> None:
    table.duellists()
    lines = copy_of(table)

    async def both() -> list[Imported]:
        return list(await asyncio.gather(*(import_log(elsewhere.recorder, lines) for _ in range(2))))

    assert sorted(each.added for each in elsewhere.do(both)) == [0, len(lines)]
    assert verify(elsewhere.store, table.session).ok


def test_removed_words_stay_removed_and_the_copy_holds(table: Table, elsewhere: Table) -> None:
    """Redaction leaves number, type and chain (foundryvtt#9928)."""
    note = table.act("note", text="a real name")
    table.act("redact", seq=note.events[1].seq)
    lines = copy_of(table)
    assert b"a real name" not in b"".join(lines)
    take_in(elsewhere, lines)
    found = verify(elsewhere.store, table.session)
    assert found.ok
    assert found.checked.redacted == (note.events[1].seq,)


def test_the_order_of_the_log_survives_clocks(
    table: Table, elsewhere: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was noted first is first in every copy (t3code#3983)."""
    monkeypatch.setattr("eventlog.recorder.seal", _five_hours_ahead(table))
    table.act("note", text="first")
    monkeypatch.undo()
    table.act("note", text="second")
    take_in(elsewhere, copy_of(table))
    words = [
        event.data for event in elsewhere.store.envelopes(table.session) if event.type == "core.note-added"
    ]
    assert words == [b'{"text":"first"}', b'{"text":"second"}']


def _five_hours_ahead(table: Table) -> Any:
    from eventlog.sealing import seal

    def ahead(tape: Any, *rest: Any) -> Any:
        later = datetime.fromisoformat(tape.at) + timedelta(hours=5)
        return seal(replace(tape, at=f"{later:%Y-%m-%dT%H:%M:%S.%f}Z"), *rest)

    return ahead


def test_lines_may_end_as_they_like(table: Table, elsewhere: Table) -> None:
    table.duellists()
    lines = b"".join(copy_of(table)).replace(b"\n", b"\r\n").splitlines()
    assert take_in(elsewhere, [*lines, b""]).added == 8


# --- refused ------------------------------------------------------------------------------------------------


def refused(table: Table, lines: list[bytes], error: type[Exception] = ImportRefused) -> Any:
    before = table.store.stream(), table.store.sessions()
    with pytest.raises(error) as caught:
        take_in(table, lines)
    assert (table.store.stream(), table.store.sessions()) == before
    return caught.value


def test_only_complete_copies_are_taken_in(table: Table, elsewhere: Table) -> None:
    an_evening(table)
    for viewer in (ADA, OBSERVER):
        error = refused(elsewhere, copy_of(table, viewer))
        assert error.fields["reason"] == "not-complete"
    lines = copy_of(table, OBSERVER)
    assert (
        refused(elsewhere, [edited(lines[0], copy="complete"), *lines[1:]]).fields["reason"] == "not-complete"
    )


@pytest.mark.parametrize(
    "spoil,reason,line",
    [
        (lambda _: [], "empty", 1),
        (lambda lines: lines[:1], "empty", 1),
        (lambda lines: lines[1:], "no-header", 1),
        (lambda lines: [b"PK\x03\x04", *lines[1:]], "unreadable", 1),
        (lambda lines: [b"[]", *lines[1:]], "unreadable", 1),
        (lambda lines: [edited(lines[0], tabletape=2), *lines[1:]], "newer-format", 1),
        (lambda lines: [edited(lines[0], session="../etc"), *lines[1:]], "unreadable", 1),
        (lambda lines: [edited(lines[0], title="Another"), *lines[1:]], "header", 1),
        (lambda lines: [edited(lines[0], rules=2), *lines[1:]], "header", 1),
        (lambda lines: [edited(lines[0], ruleset="chess"), *lines[1:]], "header", 1),
        (lambda lines: [edited(lines[0], log="another"), *lines[1:]], "header", 1),
        (lambda lines: [edited(lines[0], exported_for={"role": "player", "name": "Ada"}), *lines[1:]], "header", 1),
        (lambda lines: [edited(lines[0], version=9), *lines[1:]], "truncated", 8),
        (lambda lines: [edited(lines[0], head_hash="00" * 32), *lines[1:]], "truncated", 8),
        (lambda lines: lines[:-2], "truncated", 6),
        (lambda lines: [*lines[:-1], lines[-1][:40]], "unreadable", 8),
        (lambda lines: [*lines[:4], b"not json", *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], b"\xff\xfe", *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], b"[" * 5000, *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], salt="00"), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], salt=None), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], data=None), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], data={"a": 0.5}), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], seq=-4), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], data={"a": 1}), *lines[5:]], "invalid", 5),
        (lambda lines: [*lines[:4], edited(lines[4], at="2020"), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], at="2020-02-30T01:02:03.000004Z"), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], at="2020-02-03T01:02:03.000004Z"), *lines[5:]], "invalid", 5),
        (lambda lines: [*lines[:4], edited(lines[4], v=0), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], revision=0), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], slot=0), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], by={"role": "wizard"}), *lines[5:]], "unreadable", 5),
        (lambda lines: [*lines[:4], edited(lines[4], session="x"), *lines[5:]], "invalid", 5),
        (lambda lines: [*lines[:4], *lines[5:]], "invalid", 5),
        (lambda lines: [*lines[:5], lines[4], *lines[5:]], "invalid", 6),
        (lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]], "invalid", 5),
    ],
)  # fmt: skip
def test_a_spoilt_copy_is_refused_with_the_line_to_look_at(
    table: Table, elsewhere: Table, spoil: Any, reason: str, line: int
) -> None:
    """Nothing of it is taken in, and what is here stays as it is (pi#8993)."""
    table.duellists()
    lines = spoil(copy_of(table))
    for here in (elsewhere, table):
        error = refused(here, lines)
        assert (error.fields["reason"], error.fields["line"]) == (reason, line)
        assert error.message.startswith(f"Line {line}: ")


def test_a_changed_event_is_named(table: Table, elsewhere: Table) -> None:
    table.duellists()
    lines = copy_of(table)
    error = refused(elsewhere, [*lines[:4], edited(lines[4], data={"a": 1}), *lines[5:]])
    assert (error.code, error.fields["seq"], error.fields["field"]) == ("import-refused", 4, "hash")


def lines_of(table: Table, change: Any) -> list[bytes]:
    """A copy of a log that somebody forged, its chain and its header made anew."""
    events = forged(table.store.envelopes(table.session), change)
    header = edited(copy_of(table)[0], version=len(events), head_hash=events[-1].hash.hex())
    return [header, *(msgspec.json.encode(shown(event, placed=False)) for event in events)]


@pytest.mark.parametrize(
    "change,package",
    [
        ({"v": 2}, "tabletape-duel"),
        ({"type": "duel.ghost-summoned"}, "tabletape-duel"),
        ({"type": "core.table-photographed"}, "tabletape"),
    ],
)
def test_what_a_newer_version_wrote_is_refused_with_what_to_install(
    table: Table, elsewhere: Table, change: Any, package: str
) -> None:
    """It is not taken for damage, and the person is told which package to update."""
    table.duellists()
    lines = lines_of(table, lambda event: replace(event, **change) if event.seq == 3 else event)
    error = refused(elsewhere, lines)
    fields = error.fields
    assert (fields["reason"], fields["line"], fields["seq"], fields["install"]) == (
        "newer-event", 4, 3, package,
    )  # fmt: skip
    assert f"pip install --upgrade {package}" in error.message


def test_a_copy_in_a_newer_form_is_refused_with_what_to_install(table: Table, elsewhere: Table) -> None:
    lines = copy_of(table)
    error = refused(elsewhere, [edited(lines[0], tabletape=2), *lines[1:]])
    assert (error.fields["format"], error.fields["install"]) == (2, "tabletape")
    assert "form 2" in error.message
    assert "pip install --upgrade tabletape" in error.message


def test_an_event_of_another_game_is_not_blamed_on_a_newer_version(table: Table, elsewhere: Table) -> None:
    table.duellists()
    foreign = lines_of(table, lambda event: replace(event, type="chess.check") if event.seq == 3 else event)
    assert refused(elsewhere, foreign).fields["reason"] == "invalid"


# --- saying what would happen ---------------------------------------------------------------------------------


def test_what_is_foreseen_is_what_happens_and_nothing_is_stored(table: Table, elsewhere: Table) -> None:
    table.duellists()
    copy = checked_copy(copy_of(table))
    planned = foreseen(elsewhere.store, copy)
    with pytest.raises(SessionUnknown):
        elsewhere.store.head(table.session)
    assert take_in(elsewhere, copy_of(table)) == planned
    assert foreseen(elsewhere.store, copy) == Imported(session=table.session, version=8, added=0)


def test_what_would_be_refused_is_refused_when_foreseen(table: Table, elsewhere: Table) -> None:
    older = checked_copy(copy_of(table))
    table.duellists()
    with pytest.raises(OlderThanHead):
        foreseen(table.store, older)
    take_in(elsewhere, copy_of(table))
    elsewhere.store.remove(table.session, "2026-01-01T00:00:00.000000Z")
    with pytest.raises(ImportRefused, match="was removed from this store"):
        foreseen(elsewhere.store, checked_copy(copy_of(table)))


def test_a_log_that_does_not_fold_is_refused(table: Table, elsewhere: Table) -> None:
    table.duellists()
    """What folds to another table than the rules lead to is taken in, as long as there is one to show and tell of."""
    lines = lines_of(table, saying(7, lambda said: said.update(order=["ben", "ada"])))
    nobody = lines_of(table, saying(7, lambda said: said.update(order=["nobody"])))
    table.act("end_turn")
    assert refused(elsewhere, nobody).fields["line"] == 8
    assert take_in(elsewhere, lines).added == 8
    lines = lines_of(table, saying(9, lambda said: said.update(next="nobody")))
    third = Table()
    assert refused(third, lines).fields["line"] == 10
    third.close()


def test_dice_that_do_not_fit_a_revealed_seed_are_refused(table: Table, elsewhere: Table) -> None:
    roll = table.act("roll", count=1, sides=6, purpose="luck").events[1]
    table.act("close")
    better = saying(
        roll.seq, lambda said: said["roll"]["dice"][0].update(face=said["roll"]["dice"][0]["face"] % 6 + 1)
    )
    error = refused(elsewhere, lines_of(table, better))
    assert (error.fields["line"], error.fields["field"]) == (roll.seq + 1, "data.roll.dice[0].face")


def test_a_game_not_installed_is_named(table: Table, elsewhere: Table) -> None:
    header, *lines = lines_of(table, saying(1, lambda said: said.update(ruleset="chess")))
    error = refused(elsewhere, [edited(header, ruleset="chess"), *lines], RulesetNotInstalled)
    assert error.slug == "chess"


def test_a_log_played_by_newer_rules_is_refused_with_what_to_install(table: Table, elsewhere: Table) -> None:
    """An honest newer log: nobody could go on with it here. Only rules that were released once are forgotten."""
    table.duellists()
    header, *lines = lines_of(table, saying(1, lambda said: said.update(rules=99)))
    error = refused(elsewhere, [edited(header, rules=99), *lines])
    assert (error.fields["reason"], error.fields["line"], error.fields["install"]) == (
        "newer-rules", 2, "tabletape-duel",
    )  # fmt: skip
    assert "a newer tabletape-duel wrote it" in error.message


def test_rules_of_a_number_that_there_never_was_are_refused(table: Table, elsewhere: Table) -> None:
    header, *lines = lines_of(table, saying(1, lambda said: said.update(rules=0)))
    error = refused(elsewhere, [edited(header, rules=0), *lines])
    assert (error.fields["reason"], error.fields["seq"], error.fields["field"]) == (
        "invalid",
        1,
        "data.rules",
    )


def test_an_older_copy_is_refused_with_both_versions(table: Table) -> None:
    """Clearly, at once, and nothing changes (gloomhavensecretariat#234)."""
    table.duellists()
    old = copy_of(table)
    table.act("end_turn")
    error = refused(table, old, OlderThanHead)
    assert error.code == "older-than-head"
    assert error.fields == {"file": 7, "head": 9}
    assert isinstance(error, ImportConflict)


def test_a_copy_that_goes_on_beyond_what_is_here_is_refused(table: Table, elsewhere: Table) -> None:
    table.duellists()
    take_in(elsewhere, copy_of(table))
    elsewhere.session = table.session
    elsewhere.act("end_turn")
    error = refused(table, copy_of(elsewhere), NewerThanHead)
    assert error.code == "newer-than-head"
    assert error.fields == {"file": 10, "head": 7}


def test_logs_that_went_different_ways_are_refused(table: Table, elsewhere: Table) -> None:
    table.duellists()
    take_in(elsewhere, copy_of(table))
    elsewhere.session = table.session
    elsewhere.act("end_turn")
    for _ in range(2):
        table.act("note", text="Another way.")
        for here, lines in ((table, copy_of(elsewhere)), (elsewhere, copy_of(table))):
            error = refused(here, lines, LogDiverged)
            assert error.code == "diverged"
            assert error.fields.keys() == {"file", "head"}


def test_a_removed_session_does_not_come_back(table: Table) -> None:
    lines = copy_of(table)
    table.store.remove(table.session, "2026-12-01T00:00:00.000000Z")
    table.recorder.forget(table.session)
    assert refused(table, lines).fields["reason"] == "removed"


def test_every_refusal_has_a_code_of_its_own() -> None:
    codes = [each.code for each in (ImportRefused, ImportConflict, OlderThanHead, NewerThanHead, LogDiverged)]
    assert len(set(codes)) == len(codes)
    assert all(issubclass(each, EventLogError) for each in (ImportRefused, ImportConflict))
