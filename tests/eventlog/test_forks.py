"""Forks: another way the story might have gone, that shares the beginning and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from copies import import_log
from dueling import Table, key

from eventlog.archive import export_lines, read_archive
from eventlog.canonical import encode
from eventlog.chain import digest, genesis, link
from eventlog.dice import commitment, face
from eventlog.envelope import Envelope
from eventlog.errors import (
    ActionUnknown,
    CommandMalformed,
    KeyReused,
    NotAllowed,
    SessionExists,
    SessionIsClosed,
    SessionUnknown,
    WordsShared,
)
from eventlog.history.points import corrected_at, tape_at
from eventlog.requests import ForkRequest, Recorded
from eventlog.verification import Verification, verify, verify_envelopes, verify_for
from rulesets.installed import ruleset_named
from rulesets.people import GM, OBSERVER, Viewer

BEN = Viewer(role="player", name="Ben's player", characters=("ben",))


def fork(table: Table, parent: str, at: int | None = None, **fields: Any) -> Recorded:
    """Fork a session, and sit down at the fork."""
    recorded = table.do(lambda: table.recorder.fork(ForkRequest(parent=parent, at=at, **fields)))
    table.session = recorded.tape.session
    return recorded


def sit_at(table: Table, session: str) -> Any:
    """Sit down at another session; its tape."""
    table.session = session
    return table.do(lambda: table.recorder.tape(session))


def tape(table: Table) -> Any:
    return table.do(lambda: table.recorder.tape(table.session))


def copy_of(table: Table, session: str) -> list[bytes]:
    return list(export_lines(table.store, session, GM))


def whole(table: Table, session: str) -> Verification:
    """What is found of a log that has to be whole, in its store and as a copy."""
    stored = verify(table.store, session)
    assert stored.ok, stored.first_fault
    header, events = read_archive(copy_of(table, session))
    end = header.version, bytes.fromhex(header.head_hash)
    copied = verify_envelopes(ruleset_named(header.ruleset), header.session, events, end=end)
    assert copied.ok, copied.first_fault
    assert copied.checked == stored.checked
    return stored


@pytest.fixture
def elsewhere() -> Iterator[Table]:
    """Another store, empty."""
    table = Table()
    yield table
    table.close()


@pytest.fixture
def attacked(table: Table) -> str:
    """A session in which Ada's attack waits for Ben's defense: question q1 of action 4."""
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
    return table.session


# --- what a fork is -----------------------------------------------------------------------------------------


def test_a_fork_begins_as_its_parent_was_and_goes_on_counting(table: Table) -> None:
    table.act("change_setting", name="table_dice", value="all")
    table.duellists()
    table.act("roll", count=2, purpose="the weather")
    parent, then = table.session, tape(table)
    table.act("end_turn")
    recorded = fork(table, parent, 5, title="What if it rained")
    event = recorded.events[0]
    assert (event.session, event.seq, event.action, event.slot) == (table.session, then.version + 1, 6, None)
    said = msgspec.json.decode(event.data or b"")
    seed = table.store.seed(table.session)
    assert said == {
        "parent": parent, "at": 5, "version": then.version, "kind": "fork", "title": "What if it rained",
        "session": table.session, "dice_commitment": commitment(seed), "first_roll": 2,
    }  # fmt: skip
    assert seed != table.store.seed(parent)
    assert recorded.tape.state == then.state
    assert recorded.tape.settings.table_dice == "all"
    assert (recorded.tape.title, recorded.tape.closed) == ("What if it rained", False)
    assert recorded.tape == tape_at(table.store, table.session)


def test_each_goes_its_own_way(table: Table, attacked: str) -> None:
    fork(table, attacked)
    other = table.session
    table.act("defend", question="q1", defense="none")
    sit_at(table, attacked)
    before = table.store.envelopes(attacked)
    table.act("note", text="He ran.")
    assert table.store.envelopes(attacked)[: len(before)] == before
    assert [event.seq for event in table.store.envelopes(attacked)] == list(range(1, len(before) + 3))
    assert "He ran." not in str(table.store.envelopes(other))
    assert sit_at(table, other).state.waiting != sit_at(table, attacked).state.waiting
    whole(table, other)
    whole(table, attacked)


def test_the_store_grows_by_the_fork_alone(tmp_path: Path) -> None:
    table = Table(tmp_path / "tabletape.db")
    table.open()
    table.duellists()
    for _ in range(300):
        table.act("end_turn")
    with table.store._held.reading() as db:
        before = db.execute("SELECT count(*) FROM events").fetchone()[0]
        fork(table, table.session, 200)
        assert db.execute("SELECT count(*) FROM events").fetchone()[0] == before + 1
        (size,) = db.execute("SELECT sum(length(tape)) FROM checkpoints WHERE session = 2").fetchone()
    assert size < 2048
    parent = table.store.head(table.session).parent
    assert parent is not None
    table.store._held.flush()
    file = (tmp_path / "tabletape.db").stat().st_size
    for _ in range(32):
        fork(table, parent.session, 200)
    table.store._held.flush()
    assert ((tmp_path / "tabletape.db").stat().st_size - file) / 32 < 2048
    table.close()


def test_a_question_that_was_open_is_answered_in_the_fork(table: Table, attacked: str) -> None:
    fork(table, attacked)
    assert [question.id for question in ruleset_named("duel").record.questions(tape(table).state)] == ["q1"]
    answered = table.act("defend", question="q1", defense="none", request={"issuer": BEN})
    assert {event.slot for event in answered.events} == {4}
    table.act("throw_damage", question="q2", request={"dice": (2,)})
    assert whole(table, table.session).checked.redecided == 6
    assert tape_at(table.store, attacked).state.waiting is not None


def test_a_title_that_is_left_out_names_the_parent(table: Table, attacked: str) -> None:
    titles = [fork(table, attacked, **fields).tape.title for fields in ({"at": 2}, {"kind": "sequel"})]
    assert titles == ["At dawn (fork after action 2)", "At dawn (sequel)"]
    fork(table, attacked, title="x" * 80)
    assert fork(table, table.session, 5).tape.title == f"{'x' * 58} (fork after action 5)"


def test_only_the_game_master_forks(table: Table, attacked: str) -> None:
    with pytest.raises(NotAllowed, match="Only the GM forks"):
        fork(table, attacked, issuer=BEN)
    assert table.store.forks(attacked) == []


@pytest.mark.parametrize("at", [-1, 5, 2**53])
def test_a_fork_begins_after_an_action_that_is_there(table: Table, attacked: str, at: int) -> None:
    with pytest.raises(ActionUnknown, match=f"no action {at} here"):
        fork(table, attacked, at)
    with pytest.raises(SessionUnknown):
        fork(table, "nowhere")


def test_a_fork_is_made_once_with_its_key(table: Table, attacked: str) -> None:
    first = fork(table, attacked, key=key("k"))
    again = fork(table, attacked, key=key("k"))
    assert again.replayed
    assert (again.tape, again.events[0].data) == (first.tape, first.events[0].data)
    assert len(table.store.forks(attacked)) == 1
    with pytest.raises(KeyReused):
        fork(table, attacked, key=key("k", "another body"))
    with pytest.raises(SessionExists):
        fork(table, attacked, session=attacked)


# --- sequels ------------------------------------------------------------------------------------------------


def test_a_sequel_goes_on_from_a_closed_session(table: Table) -> None:
    table.duellists()
    table.act("roll", count=3, purpose="luck")
    parent = table.session
    table.act("close", text="Until next week")
    recorded = fork(table, parent, kind="sequel", title="Next week")
    assert not recorded.tape.closed
    table.act("roll", count=3, purpose="luck")
    found = whole(table, table.session)
    assert found.checked.dice == 3  # those of the first evening: their seed is out
    assert found.notes == (
        "Dice thrown by the server can be recomputed once the session is closed and its seed is out",
    )
    table.act("close")
    found = whole(table, table.session)
    assert (found.checked.dice, found.notes) == (6, ())
    with pytest.raises(SessionIsClosed):
        table.act("end_turn")
    assert table.store.head(parent).closed_at is not None


def test_a_sequel_goes_on_from_the_end_alone(table: Table, attacked: str) -> None:
    with pytest.raises(CommandMalformed, match="goes on from the end"):
        fork(table, attacked, 3, kind="sequel")
    assert fork(table, attacked, 4, kind="sequel").tape.action == 5


# --- dice ---------------------------------------------------------------------------------------------------


def test_dice_fall_under_the_id_and_the_seed_of_the_fork(table: Table) -> None:
    table.act("roll", count=2, purpose="luck")
    parent = table.session
    fork(table, parent)
    rolled = table.act("roll", count=9, sides=1000, purpose="luck").events[-1]
    roll = msgspec.json.decode(rolled.data or b"")["roll"]
    seed, session = table.store.seed(table.session), table.session
    assert roll["number"] == 2
    assert [die["face"] for die in roll["dice"]] == [
        face(seed, session, 2, place, 1000) for place in range(1, 10)
    ]
    sit_at(table, parent)
    other = table.act("roll", count=9, sides=1000, purpose="luck").events[-1]
    assert msgspec.json.decode(other.data or b"")["roll"]["number"] == 2
    assert other.data != rolled.data


def test_dice_before_a_fork_wait_for_the_seed_of_the_parent(table: Table) -> None:
    table.act("roll", count=2, purpose="luck")
    parent = table.session
    fork(table, parent)
    table.act("roll", count=3, purpose="luck")
    table.act("close")
    found = whole(table, table.session)
    assert found.checked.dice == 3
    (note,) = found.notes
    assert note.startswith(
        f"Dice before event 4 belong to the session {parent}, whose seed is not in this log"
    )


# --- corrections --------------------------------------------------------------------------------------------


def test_what_happened_before_the_fork_is_corrected_in_it_alone(table: Table) -> None:
    table.duellists()
    for count in (2, 3, 1):
        table.act("roll", count=count, purpose="luck")
    parent, before = table.session, table.store.envelopes(table.session)
    fork(table, parent, 6)
    table.act("amend", target=4, command={"type": "roll", "count": 4, "purpose": "luck"})
    revised = [event for event in table.store.envelopes(table.session) if event.revision > 1]
    roll = msgspec.json.decode(revised[-1].data or b"")["roll"]
    old = [
        msgspec.json.decode(event.data or b"")["roll"]
        for event in before
        if b'"roll":{' in (event.data or b"")
    ]
    assert roll["dice"][:2] == old[0]["dice"]
    assert [die.get("address") for die in roll["dice"]] == [
        None,
        None,
        "4.1",
        "5.1",
    ]  # new dice are the fork's own
    table.act("undo", target=5, mode="cascade")
    assert tape(table).history.revision(5) is None
    assert table.store.envelopes(parent) == before
    assert not sit_at(table, parent).history.touched
    whole(table, parent)
    whole(table, table.store.forks(parent)[0].session)


def test_a_parents_later_corrections_are_none_of_the_forks(table: Table) -> None:
    table.duellists()
    for _ in range(70):
        table.act("end_turn")
    table.act("undo", target=10, mode="rebase")
    parent = table.session
    fork(table, parent)
    other, then = table.session, tape(table)
    points = [corrected_at(table.store, then, action).state for action in (9, 10, 40, 73)]
    sit_at(table, parent)
    table.act("undo", target=20, mode="rebase")
    table.act("undo", target=5, mode="rebase")
    assert sit_at(table, other) == then == tape_at(table.store, other)
    assert [corrected_at(table.store, then, action).state for action in (9, 10, 40, 73)] == points
    table.act("undo", target=30, mode="rebase")
    whole(table, other)
    whole(table, parent)


# --- words --------------------------------------------------------------------------------------------------


def test_shared_words_are_removed_in_the_session_they_belong_to(table: Table) -> None:
    table.duellists()
    seq = table.act("note", text="a real name").events[-1].seq
    parent = table.session
    fork(table, parent)
    child = table.session
    fork(table, child)
    grandchild = table.session
    for session in (child, grandchild):
        sit_at(table, session)
        with pytest.raises(WordsShared, match=f"belong to the session {parent}.*remove them there"):
            table.act("redact", seq=seq)
    sit_at(table, parent)
    table.act("redact", seq=seq)
    for session in (child, grandchild):
        assert b"a real name" not in b"".join(copy_of(table, session))
        found = whole(table, session)
        assert found.checked.redacted == (seq,)
        (note,) = found.notes
        assert note.startswith(f"Words of events that belong to the session {parent} were removed there")
    assert whole(table, parent).notes == ()


def test_a_reader_hears_of_words_removed_elsewhere_as_far_as_they_saw_them(table: Table) -> None:
    table.duellists()
    request = {"issuer": BEN, "visible_to": "self"}
    seq = table.act("note", text="a secret", request=request).events[-1].seq
    table.act("roll", count=2, purpose="luck", request={"visible_to": "gm"})
    parent = table.session
    fork(table, parent)
    child = table.session
    table.act("close")
    sit_at(table, parent)
    table.act("redact", seq=seq)
    told = {viewer.role: verify_for(table.store, child, viewer) for viewer in (GM, BEN, OBSERVER)}
    assert all(found.ok for found in told.values())
    notes = {role: " ".join(found.notes) for role, found in told.items()}
    assert ["were removed there" in notes[role] for role in ("gm", "player", "observer")] == [
        True,
        True,
        False,
    ]
    assert ["Dice before" in notes[role] for role in ("gm", "player", "observer")] == [True, False, False]


def test_shared_words_that_nobody_removed_are_missed(table: Table) -> None:
    table.duellists()
    noted = table.act("note", text="a real name").events[-1]
    fork(table, table.session)
    with table.store._held.writing() as db:
        db.execute(
            "UPDATE events SET data = NULL, salt = NULL, digest = zeroblob(32) WHERE seq = ?", (noted.seq,)
        )
    found = verify(table.store, table.session)
    assert found.first_fault is not None
    assert found.first_fault.seq == noted.seq


# --- proof --------------------------------------------------------------------------------------------------


def forked_log(table: Table) -> list[Envelope]:
    table.duellists()
    table.act("roll", count=2, purpose="luck")
    fork(table, table.session, 3)
    table.act("roll", count=2, purpose="luck")
    return table.store.envelopes(table.session)


def test_the_chain_of_a_fork_begins_at_the_first_session(table: Table) -> None:
    root = table.session
    events = forked_log(table)
    fork(table, table.session)
    head = table.store.head(table.session)
    assert head.log == root
    assert events[0].hash == table.store.envelopes(root)[0].hash
    assert genesis(root) != genesis(table.session)
    header = msgspec.json.decode(copy_of(table, table.session)[0])
    assert (header["log"], header["session"]) == (root, table.session)
    assert "log" not in msgspec.json.decode(copy_of(table, root)[0])


@pytest.mark.parametrize("field,value", [("parent", "other"), ("version", 3), ("at", 1), ("first_roll", 7)])
def test_a_fork_that_does_not_go_on_from_its_parent_is_found(table: Table, field: str, value: object) -> None:
    events = forked_log(table)
    seq = next(event.seq for event in events if event.type == "core.session-forked")
    found = verify_envelopes(None, events[0].session, forged_at(events, seq, field, value))
    assert found.first_fault is not None
    if field != "parent":  # where the chain begins, too
        assert (found.first_fault.seq, found.first_fault.field) == (seq, f"data.{field}")


def test_a_log_of_another_session_is_found(table: Table) -> None:
    events = forked_log(table)
    other = [msgspec.structs.replace(event, session="other") for event in events]
    found = verify_envelopes(None, "other", other)
    assert found.first_fault is not None
    assert "and not of other" in found.first_fault.message


def forged_at(events: list[Envelope], seq: int, field: str, value: object) -> list[Envelope]:
    """The log with another word in one event, and its chain made anew from the same beginning."""
    said = msgspec.json.decode(events[seq - 1].data or b"")
    changed = msgspec.structs.replace(events[seq - 1], data=encode({**said, field: value}))
    previous, made = genesis(said["parent"]), []
    for event in (*events[: seq - 1], changed, *events[seq:]):
        previous = link(previous, event.seq, digest(event))
        made.append(msgspec.structs.replace(event, hash=previous))
    return made


# --- copies -------------------------------------------------------------------------------------------------


def take_in(table: Table, lines: list[bytes]) -> Any:
    return table.do(lambda: import_log(table.recorder, lines))


@pytest.mark.parametrize("here", [False, True], ids=["without its parent", "beside its parent"])
def test_a_fork_is_taken_in_whole(table: Table, elsewhere: Table, here: bool) -> None:
    root = table.session
    forked_log(table)
    child = table.session
    fork(table, child)
    table.act("close")
    lines = copy_of(table, table.session)
    if here:
        take_in(elsewhere, copy_of(table, root))
        take_in(elsewhere, copy_of(table, child))
    assert take_in(elsewhere, lines).added == len(lines) - 1
    assert copy_of(elsewhere, table.session) == lines
    assert take_in(elsewhere, lines).added == take_in(table, lines).added == 0
    head = elsewhere.store.head(table.session)
    assert head.parent is not None
    assert (head.log, head.parent.session, head.parent.held_by) == (root, child, None)
    assert tape_at(elsewhere.store, table.session).state == tape(table).state
    whole(elsewhere, table.session)
    if here:
        assert [each.session for each in elsewhere.store.forks(child)] == [table.session]


def test_a_fork_that_was_taken_in_goes_on_and_is_forked(table: Table, elsewhere: Table) -> None:
    forked_log(table)
    take_in(elsewhere, copy_of(table, table.session))
    elsewhere.session = table.session
    elsewhere.act("roll", count=2, purpose="luck")
    fork(elsewhere, elsewhere.session)
    elsewhere.act("roll", count=2, purpose="luck")
    elsewhere.act("close")
    found = whole(elsewhere, elsewhere.session)
    assert found.checked.dice == 2


def test_words_removed_in_the_parent_do_not_hinder_taking_a_fork_in(table: Table, elsewhere: Table) -> None:
    seq = table.act("note", text="a real name").events[-1].seq
    root = table.session
    fork(table, root)
    child = table.session
    sit_at(table, root)
    table.act("redact", seq=seq)
    take_in(elsewhere, copy_of(table, child))
    assert f"belong to the session {root} were removed there" in whole(elsewhere, child).notes[0]


@pytest.mark.parametrize("at,which", [(0, 0), (3, 0), (4, 1), (6, 2)])
def test_a_point_before_the_fork_belongs_to_its_parent(
    table: Table, elsewhere: Table, at: int, which: int
) -> None:
    sessions = [table.session]
    forked_log(table)
    sessions.append(table.session)
    last = fork(table, table.session).tape.session
    sessions.append(last)
    take_in(elsewhere, copy_of(table, last))
    for kept, holder in ((table, sessions[which]), (elsewhere, last)):
        fork(kept, last, at)
        parent = kept.store.head(kept.session).parent
        assert parent is not None
        assert (parent.session, parent.held_by) == (sessions[which], holder)
        kept.act("roll", count=2, purpose="luck")
        whole(kept, kept.session)


# --- lasting ------------------------------------------------------------------------------------------------


def test_a_fork_outlives_its_process(tmp_path: Path) -> None:
    table = Table(tmp_path / "tabletape.db")
    table.open()
    parent = table.session
    forked_log(table)
    child, before = table.session, tape(table)
    table.close()
    table = Table(tmp_path / "tabletape.db")
    assert sit_at(table, child) == before
    table.act("roll", count=2, purpose="luck")
    assert [head.session for head in table.store.forks(parent)] == [child]
    whole(table, child)
    table.close()
