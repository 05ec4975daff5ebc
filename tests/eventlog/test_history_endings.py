"""Corrections outlive restarts, copies, other writers and broken requests; nothing of them is ever half done."""

import asyncio
from pathlib import Path

import pytest
from copies import import_log
from dueling import Table, key, wanted
from test_history_outcomes import dagger

from eventlog.archive import export_lines, read_archive
from eventlog.errors import EventLogError
from eventlog.history.points import corrected_at, tape_at
from eventlog.recorder import Recorder
from eventlog.verification import verify_envelopes
from rulesets.installed import ruleset_named
from rulesets.people import GM


def test_the_history_outlives_its_server(tmp_path: Path) -> None:
    """After a restart the table is the corrected one, and play and corrections go on (ArkhamHorror#608)."""
    table = Table(tmp_path / "evening.db")
    table.open()
    dagger(table)
    table.act("undo", target=4, mode="rebase")
    before, session = table.tape, table.session
    table.close()
    again = Table(tmp_path / "evening.db")
    again.session = session
    assert again.tape == before
    again.act("roll", count=2, purpose="luck")
    again.act("redo", target=4)
    assert again.state == again.at(8)
    again.holds()
    again.close()


def test_a_server_that_dies_after_storing_a_correction_knows_of_it_when_it_comes_back(table: Table) -> None:
    """The stored log is all there is: what was in memory is told anew from it (ArkhamHorror#608)."""
    dagger(table)
    table.recorder.forget(table.session)
    table.act("undo", target=4, mode="cascade")
    live = table.tape

    async def restarted() -> Recorder:
        return Recorder(table.store)

    table.recorder = table.do(restarted)
    assert table.tape == live
    table.act("roll", count=1, purpose="luck")
    table.holds()


def test_a_correction_that_is_not_stored_has_not_happened(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    dagger(table)
    before, stood = table.log(), table.tape

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(table.store, "append", full)
        with pytest.raises(Exception, match="disk is full"):
            table.act("undo", target=4, mode="rebase")
    assert (table.log(), table.tape) == (before, stood)
    table.act("undo", target=4, mode="rebase")
    table.holds()


def test_a_copy_holds_its_corrections(table: Table) -> None:
    dagger(table)
    table.act("undo", target=4, mode="rebase")
    table.act("redo", target=4)
    table.act("undo", target=6, mode="cascade")
    header, events = read_archive(
        [line.rstrip(b"\n") for line in export_lines(table.store, table.session, GM)]
    )
    found = verify_envelopes(
        ruleset_named("duel"), header.session, events, end=(header.version, bytes.fromhex(header.head_hash))
    )
    assert found.ok, found.first_fault
    assert found.checked.redecided > 0


def test_of_two_who_correct_at_once_on_what_they_saw_one_is_told_to_look_again(table: Table) -> None:
    dagger(table)
    seen = table.tape.version

    async def both() -> list[object]:
        asked = [
            wanted("undo", {"target": 7}, expected=seen),
            wanted("undo", {"target": 8}, expected=seen),
        ]
        recording = (table.recorder.record(table.session, each) for each in asked)
        return await asyncio.gather(*recording, return_exceptions=True)

    done = table.do(both)
    refused = [each for each in done if isinstance(each, EventLogError)]
    assert [each.code for each in refused] == ["version-mismatch"]
    table.holds()


def test_of_two_who_undo_the_same_at_once_one_does_it(table: Table) -> None:
    """Without a version each is decided on what stands then: nothing is undone twice."""
    dagger(table)

    async def both() -> list[object]:
        asked = [wanted("undo", {}), wanted("undo", {"target": 8}), wanted("undo", {"target": 8})]
        recording = (table.recorder.record(table.session, each) for each in asked)
        return await asyncio.gather(*recording, return_exceptions=True)

    done = table.do(both)
    assert [each.code for each in done if isinstance(each, EventLogError)] == ["already-undone"] * 2
    table.holds()


def test_two_recorders_on_one_store_decide_corrections_again_on_what_the_other_wrote(table: Table) -> None:
    dagger(table)
    _ = table.tape

    async def elsewhere() -> None:
        other = Recorder(table.store)
        await other.record(table.session, wanted("undo", {"target": 8}))
        await other.aclose()

    table.do(elsewhere)
    table.act("undo", target=7)
    assert table.tape.history.revision(8) is None
    assert table.tape.history.revision(7) is None
    table.holds()


def test_a_repeated_correction_is_recorded_once(table: Table) -> None:
    dagger(table)
    request = {"key": key("undo-1")}
    first = table.act("undo", request=request)
    again = table.act("undo", request=request)
    assert again.replayed
    assert again.events == first.events
    assert table.tape.action == 9
    table.refused("idempotency-key-reused", "undo", request={"key": key("undo-1", "another")})
    table.act("redo", target=8)
    assert table.act("undo", request=request).events == first.events
    assert table.tape.history.revision(8) == 1


def test_a_refused_correction_binds_no_key(table: Table) -> None:
    dagger(table)
    request = {"key": key("undo-2")}
    table.refused("history-conflict", "undo", target=4, request=request)
    table.act("undo", target=4, mode="cascade", request=request)
    assert table.tape.history.revision(4) is None


def test_a_closed_session_is_corrected_no_more(table: Table) -> None:
    dagger(table)
    table.act("close")
    table.refused("session-closed", "undo")


def test_every_point_is_told_as_it_was_known_then_and_as_it_is_known_now(table: Table) -> None:
    dagger(table)
    before = [table.at(number) for number in range(9)]
    table.act("undo", target=4, mode="rebase")
    assert [table.at(number) for number in range(9)] == before
    tape = table.tape
    known_now = [corrected_at(table.store, tape, number).state for number in range(10)]
    assert known_now[3] == before[3]
    assert [state.duellists["ada"].dagger for state in known_now[4:]] == ["none"] * 6
    assert [state.duellists["ben"].hp for state in known_now[4:]] == [10, 10, 6, 6, 2, 2]
    assert known_now[9] == table.state == table.at(9)


def test_time_never_runs_backwards_through_corrections(table: Table) -> None:
    """Undo gives no time back (lila#12404)."""
    dagger(table)
    table.act("undo", target=4, mode="rebase")
    table.act("redo", target=4)
    times = [event.at for event in table.log()]
    assert times == sorted(times)
    assert tape_at(table.store, table.session).at == times[-1]


def test_a_corrected_log_is_taken_in_elsewhere_and_corrected_on(table: Table) -> None:
    dagger(table)
    table.act("undo", target=4, mode="rebase")
    elsewhere = Table()
    lines = [line.rstrip(b"\n") for line in export_lines(table.store, table.session, GM)]
    elsewhere.do(lambda: import_log(elsewhere.recorder, lines))
    elsewhere.session = table.session
    assert elsewhere.state == table.state
    assert elsewhere.tape.history == table.tape.history
    elsewhere.act("redo", target=4)
    assert elsewhere.state == table.at(8)
    elsewhere.act("undo", target=8)
    elsewhere.act("roll", count=1, purpose="luck")
    elsewhere.holds()
    elsewhere.close()
