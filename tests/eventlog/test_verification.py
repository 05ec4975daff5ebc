"""Verification: a log that was recorded holds, and whatever was done to it since is found where it was done."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from copies import SCENES, an_evening, forged, of_type, play, saying
from dueling import Table
from msgspec.structs import replace

from eventlog.archive import export_lines, read_archive
from eventlog.chain import digest
from eventlog.envelope import By, Envelope
from eventlog.errors import SessionUnknown
from eventlog.tape import CHECKPOINT_EVERY
from eventlog.verification import Fault, Verification, verify, verify_envelopes
from rulesets.errors import RulesetNotInstalled, RulesNotDecided
from rulesets.installed import ruleset_named
from rulesets.people import OBSERVER

DUEL = ruleset_named("duel")


def fault_of(found: Verification) -> Fault:
    assert not found.ok
    assert found.first_fault is not None
    return found.first_fault


# --- what holds ---------------------------------------------------------------------------------------------


def test_an_evening_holds_in_every_respect(table: Table) -> None:
    an_evening(table)
    found = verify(table.store, table.session)
    head = table.store.head(table.session)
    assert found.first_fault is None
    assert found.ok
    assert found.checked.events == head.version
    assert found.checked.actions == head.action + 1
    assert found.checked.redecided == head.action
    assert found.checked.dice == 0
    (removed,) = [event for event in table.store.envelopes(table.session) if event.data is None]
    assert found.checked.redacted == (removed.seq,)
    assert found.notes == (
        "Dice thrown by the server can be recomputed once the session is closed and its seed is out",
    )


def test_once_the_seed_is_out_every_server_die_is_thrown_again(table: Table) -> None:
    an_evening(table)
    table.act("close")
    found = verify(table.store, table.session)
    assert found.ok
    assert found.checked.dice == 5
    assert found.notes == ()


def test_a_session_just_opened_holds(table: Table) -> None:
    assert verify(table.store, table.session).ok


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_worked_example_is_decided_again_to_the_same_events(table: Table, path: Path) -> None:
    play(table, path)
    table.act("close")
    found = verify(table.store, table.session)
    assert found.first_fault is None
    assert found.checked.redecided == table.store.head(table.session).action


def test_decisions_need_not_be_made_again(table: Table) -> None:
    an_evening(table)
    assert verify(table.store, table.session, redecide=False).checked.redecided == 0


def test_an_unknown_session_cannot_be_verified(table: Table) -> None:
    with pytest.raises(SessionUnknown):
        verify(table.store, "nowhere")


# --- what cannot be checked ---------------------------------------------------------------------------------


def test_a_log_of_a_game_not_installed_is_checked_as_far_as_it_goes(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_evening(table)
    table.act("close")

    def missing(slug: str) -> Any:
        raise RulesetNotInstalled(slug, ())

    monkeypatch.setattr("eventlog.verification.verifying.ruleset_named", missing)
    found = verify(table.store, table.session)
    assert found.ok
    assert (found.checked.actions, found.checked.redecided, found.checked.dice) == (0, 0, 5)
    assert "not installed" in found.notes[0]


def test_rules_nobody_can_decide_any_more_are_said_to_be_unchecked(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_evening(table)

    def forgotten(slug: str, number: int) -> Any:
        raise RulesNotDecided(slug, number)

    monkeypatch.setattr("eventlog.verification.walking.rules_of", forgotten)
    found = verify(table.store, table.session)
    assert found.ok
    assert found.checked.actions == table.store.head(table.session).action + 1
    assert found.checked.redecided == 0
    assert any("not checked" in note for note in found.notes)


def test_a_players_copy_is_checked_by_what_it_shows(table: Table) -> None:
    an_evening(table)
    table.act("close")
    header, events = read_archive(export_lines(table.store, table.session, OBSERVER))
    end = header.version, bytes.fromhex(header.head_hash)
    found = verify_envelopes(DUEL, header.session, events, end=end)
    assert found.ok
    assert found.checked.dice == 2
    assert "hidden" in found.notes[0]
    for seq in range(1, header.version + 1):
        cut = [event for event in events if event.seq != seq]
        assert fault_of(verify_envelopes(DUEL, header.session, cut, end=end)).seq == seq


# --- what was done to the file ------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Table]:
    """A long evening in a file, whose triggers somebody took away."""
    table = Table(tmp_path / "log.db")
    table.open()
    an_evening(table)
    with sqlite3.connect(tmp_path / "log.db") as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
        for name in names:
            db.execute(f"DROP TRIGGER {name}")
    db.close()
    yield table
    table.close()


SET_TAPE = "UPDATE checkpoints SET tape = ? WHERE action = ?"


def tamper(table: Table, *statements: str, values: tuple[object, ...] = ()) -> None:
    """Another program opens the file and does as it likes."""
    db = sqlite3.connect(table.store._held.path)
    with db:
        for statement in statements:
            db.execute(statement, values)
    db.close()


@pytest.mark.parametrize(
    "statement,seq,field",
    [
        ("UPDATE events SET data = replace(data, '\"amount\":2', '\"amount\":1') WHERE data LIKE '%\"amount\":2%'", 18, "hash"),
        ("UPDATE events SET at = '2020-01-01T00:00:00.000000Z' WHERE seq = 9", 9, "hash"),
        ("UPDATE events SET \"by\" = '{\"role\":\"gm\",\"name\":\"x\"}' WHERE seq = 7", 7, "hash"),
        ("UPDATE events SET audience = '[\"gm\"]' WHERE seq = 3", 3, "hash"),
        ("UPDATE events SET action = action + 1 WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET slot = NULL WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET revision = 2 WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET v = 2 WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET type = 1 WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET type = 'x' WHERE seq = 5", 5, "row"),
        ("UPDATE events SET type = 9999 WHERE seq = 5", 5, "row"),
        ("UPDATE events SET salt = zeroblob(16) WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET hash = zeroblob(32) WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET at = 17 WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET data = NULL, salt = NULL, digest = NULL WHERE seq = 5", 5, "hash"),
        ("UPDATE events SET \"by\" = 'somebody' WHERE seq = 7", 7, "row"),
        ("UPDATE events SET audience = 'all' WHERE seq = 600 - 500", 100, "row"),
        ("DELETE FROM events WHERE seq = 1", 1, "seq"),
        ("DELETE FROM events WHERE seq = 12", 12, "seq"),
        ("DELETE FROM events WHERE seq > 40", 41, "version"),
        ("UPDATE sessions SET version = 40", 40, "hash"),
        ("UPDATE sessions SET hash = zeroblob(32)", None, "hash"),
        ("UPDATE sessions SET title = 'Another evening'", 1, "sessions.title"),
        ("UPDATE sessions SET rules = 2", 1, "sessions.rules"),
        ("UPDATE sessions SET action = 3", None, "sessions.action"),
        ("UPDATE sessions SET action = 3000", None, "sessions.action"),
        ("UPDATE sessions SET closed_at = changed_at", None, "sessions.closed_at"),
        ("UPDATE sessions SET opened_at = '2020-01-01T00:00:00.000000Z'", 1, "sessions.opened_at"),
        ("UPDATE sessions SET changed_at = '2020-01-01T00:00:00.000000Z'", None, "sessions.changed_at"),
        ("UPDATE sessions SET ruleset = 'anima-prime'", 1, "sessions.ruleset"),
        ("UPDATE sessions SET ruleset = 'chess'", 1, "sessions.ruleset"),
        ("UPDATE seeds SET seed = zeroblob(32)", 1, "seed"),
        ("UPDATE seeds SET seed = 'no bytes'", 1, "seed"),
        ("DELETE FROM seeds", 1, "seed"),
        ("UPDATE events SET digest = zeroblob(32) WHERE seq = 5", 5, "digest"),
    ],
)  # fmt: skip
def test_what_was_changed_or_taken_away_is_found_at_its_place(
    kept: Table, statement: str, seq: int | None, field: str
) -> None:
    last = kept.store.head(kept.session).version
    tamper(kept, statement)
    fault = fault_of(verify(kept.store, kept.session))
    assert (fault.seq, fault.field) == (seq or last, field)


def test_two_exchanged_events_are_found_at_the_first(kept: Table) -> None:
    tamper(
        kept,
        "UPDATE events SET seq = -1 WHERE seq = 10",
        "UPDATE events SET seq = 10 WHERE seq = 12",
        "UPDATE events SET seq = 12 WHERE seq = -1",
    )
    assert fault_of(verify(kept.store, kept.session)).seq == 10


def test_an_event_pushed_in_between_is_found(kept: Table) -> None:
    tamper(
        kept,
        "UPDATE events SET seq = -seq - 1 WHERE seq > 20",
        "UPDATE events SET seq = -seq WHERE seq < 0",
        """INSERT INTO events (session, seq, action, slot, revision, type, v, at, "by", audience, data, salt, hash)
           SELECT session, 21, action, slot, revision, type, v, at, "by", audience, data, salt, hash
           FROM events WHERE seq = 20""",
    )
    assert fault_of(verify(kept.store, kept.session)).seq == 21


def test_positions_out_of_order_are_found(kept: Table) -> None:
    tamper(kept, "UPDATE events SET position = 5000 WHERE seq = 30")
    fault = fault_of(verify(kept.store, kept.session))
    assert (fault.seq, fault.field) == (31, "position")


def test_words_taken_away_without_a_record_are_found(kept: Table) -> None:
    """Removing words is allowed only as an event that says so."""
    (ruling, *_) = of_type(kept.store.envelopes(kept.session), "core.ruling-made")
    emptied = "UPDATE events SET data = NULL, salt = NULL, digest = ? WHERE seq = ?"
    tamper(kept, emptied, values=(digest(ruling), ruling.seq))
    fault = fault_of(verify(kept.store, kept.session))
    assert (fault.seq, fault.field) == (ruling.seq, "data")


def test_a_cached_table_that_is_not_what_its_events_lead_to_is_found(kept: Table) -> None:
    checkpoints = [
        kept.store.checkpoint(kept.session, action) for action in (CHECKPOINT_EVERY, 2 * CHECKPOINT_EVERY)
    ]
    first, second = [checkpoint for checkpoint in checkpoints if checkpoint]
    tamper(kept, SET_TAPE, values=(second.tape, first.action))
    fault = fault_of(verify(kept.store, kept.session))
    assert (fault.action, fault.field, fault.seq) == (first.action, "checkpoint", first.version)


def test_a_cached_table_that_cannot_be_read_is_found(kept: Table) -> None:
    first = kept.store.checkpoint(kept.session, CHECKPOINT_EVERY)
    assert first
    tamper(kept, SET_TAPE, values=(first.tape[:-9], first.action))
    assert fault_of(verify(kept.store, kept.session)).field == "checkpoint"


def test_without_its_caches_a_log_holds(kept: Table) -> None:
    tamper(kept, "DELETE FROM checkpoints")
    assert verify(kept.store, kept.session).ok


def test_a_fault_tells_nothing_of_what_the_event_says(kept: Table) -> None:
    tamper(kept, "UPDATE events SET data = replace(data, 'canary', 'parrot') WHERE data LIKE '%canary%'")
    fault = fault_of(verify(kept.store, kept.session))
    assert "canary" not in fault.message
    assert "parrot" not in fault.message


# --- what the owner of the store forged, chain and all ------------------------------------------------------


@pytest.fixture
def closed(table: Table) -> list[Envelope]:
    """The events of a closed evening."""
    an_evening(table)
    table.act("close")
    return table.store.envelopes(table.session)


def checked(events: list[Envelope], **fields: Any) -> Verification:
    return verify_envelopes(DUEL, events[0].session, events, **fields)


def first_roll(events: list[Envelope], source: str) -> Envelope:
    mark = b'"source":"table"'
    return next(
        event for event in events
        if b'"roll":{' in (event.data or b"") and (mark in (event.data or b"")) is (source == "table")
    )  # fmt: skip


def test_a_face_changed_by_the_owner_is_found_by_the_seed(closed: list[Envelope]) -> None:
    roll = first_roll(closed, "server")

    def better(said: dict[str, Any]) -> None:
        die = said["roll"]["dice"][1]
        die["face"] = die["face"] % 20 + 1

    fault = fault_of(checked(forged(closed, saying(roll.seq, better)), redecide=False))
    assert (fault.seq, fault.action, fault.field) == (roll.seq, roll.action, "data.roll.dice[1].face")


def test_a_face_a_die_does_not_have_is_found(closed: list[Envelope]) -> None:
    roll = first_roll(closed, "table")
    fault = fault_of(
        checked(forged(closed, saying(roll.seq, lambda said: said["roll"]["dice"][0].update(face=7))))
    )
    assert (fault.seq, fault.field) == (roll.seq, "data.roll.dice[0].face")


def test_a_roll_that_was_skipped_is_found(closed: list[Envelope]) -> None:
    roll = first_roll(closed, "server")
    fault = fault_of(checked(forged(closed, saying(roll.seq, lambda said: said["roll"].update(number=3)))))
    assert (fault.seq, fault.field) == (roll.seq, "data.roll.number")


def test_a_roll_that_cannot_be_read_is_found(closed: list[Envelope]) -> None:
    roll = first_roll(closed, "server")
    fault = fault_of(checked(forged(closed, saying(roll.seq, lambda said: said.update(roll="six")))))
    assert (fault.seq, fault.field) == (roll.seq, "data.roll")


def test_another_seed_than_the_promised_one_is_found(closed: list[Envelope]) -> None:
    last = closed[-1]
    for seed in ("00" * 32, "no seed"):
        fault = fault_of(
            checked(forged(closed, saying(last.seq, lambda said, seed=seed: said.update(seed=seed))))
        )
        assert (fault.seq, fault.field) == (last.seq, "data.seed")


@pytest.mark.parametrize(
    "name,field,change",
    [
        ("duel.wound-dealt", "data.amount", lambda said: said.update(amount=1)),
        ("duel.attack-made", "data.paid", lambda said: said.update(paid=0)),
        ("duel.turn-ended", "data.next", lambda said: said.update(next="ada")),
        ("core.setting-changed", "data.value", lambda said: said.update(value="ask")),
        ("core.ruling-made", "data.codes", lambda said: said.update(codes=["already-attacked"])),
        ("core.dice-rolled", "command", lambda said: said["roll"].update(purpose="nothing")),
        ("core.note-added", "data.about", lambda said: said.update(about=1)),
    ],
)
def test_a_consequence_the_rules_do_not_lead_to_is_found(
    closed: list[Envelope], name: str, field: str, change: Callable[[dict[str, Any]], None]
) -> None:
    """Re-decision names action, event and field of the first difference."""
    event = next(each for each in of_type(closed, name) if b"bravely" not in (each.data or b""))
    fault = fault_of(checked(forged(closed, saying(event.seq, change))))
    assert (fault.action, fault.field) == (event.action, field)
    assert fault.seq == (event.seq if field != "command" else fault.seq)


def test_a_command_that_was_not_legal_is_found(closed: list[Envelope]) -> None:
    taken = next(
        event for event in of_type(closed, "core.action-taken") if b"not-your-turn" in (event.data or b"")
    )
    fault = fault_of(checked(forged(closed, saying(taken.seq, lambda said: said.pop("overrule")))))
    assert (fault.seq, fault.action, fault.field) == (taken.seq, taken.action, "command")
    assert "not-your-turn" in fault.message


def test_an_event_shown_to_others_than_the_rules_say_is_found(closed: list[Envelope]) -> None:
    secret = next(
        event for event in of_type(closed, "duel.duellist-added") if event.audience != ("everyone",)
    )

    def leaked(event: Envelope) -> Envelope:
        return replace(event, audience=("everyone",)) if event.seq == secret.seq else event

    fault = fault_of(checked(forged(closed, leaked)))
    assert (fault.seq, fault.field) == (secret.seq, "audience")


@pytest.mark.parametrize(
    "changes,field",
    [({"at": "2020-01-01T00:00:00.000000Z"}, "at"), ({"action": 9}, "action"), ({"slot": 9}, "slot"),
     ({"session": "another"}, "session")],
)  # fmt: skip
def test_an_order_no_recorder_writes_is_found(
    closed: list[Envelope], changes: dict[str, Any], field: str
) -> None:
    events = forged(closed, lambda event: replace(event, **changes) if event.seq == 12 else event)
    fault = fault_of(checked(events))
    assert (fault.seq, fault.field) == (12, field)


def test_nothing_comes_after_the_close(closed: list[Envelope]) -> None:
    last = closed[-1]
    number = last.action + 1
    late = replace(
        closed[-3], seq=last.seq + 1, position=last.position + 1, action=number, slot=number, at=last.at
    )
    fault = fault_of(checked(forged([*closed, late], lambda event: event)))
    assert (fault.seq, fault.field) == (late.seq, "action")


@pytest.mark.parametrize(
    "changes",
    [{"type": "duel.duellist-vanished"}, {"v": 9}, {"type": "duel.turn-ended"}, {"data": b'{"id":1}'}],
)
def test_an_event_nobody_can_read_or_fold_is_found(closed: list[Envelope], changes: dict[str, Any]) -> None:
    events = forged(closed, lambda event: replace(event, **changes) if event.seq == 3 else event)
    fault = fault_of(checked(events))
    assert (fault.seq, fault.field) == (3, "data")


def test_a_receipt_shows_a_log_that_was_rewritten_whole(closed: list[Envelope]) -> None:
    """Whoever keeps version and hash of an answer finds what the chain alone cannot show."""
    receipt = closed[-1].seq, closed[-1].hash
    assert checked(closed, end=receipt).ok
    words = next(event for event in of_type(closed, "core.note-added") if event.data)
    rewritten = forged(closed, saying(words.seq, lambda said: said.update(text="Nothing.")))
    assert checked(rewritten).ok
    assert fault_of(checked(rewritten, end=receipt)).field == "hash"


def test_events_beyond_the_receipt_are_found(closed: list[Envelope]) -> None:
    fault = fault_of(checked(closed, end=(10, closed[9].hash)))
    assert (fault.seq, fault.field) == (11, "version")


def test_permission_is_not_asked_again(closed: list[Envelope]) -> None:
    """Who played whom then is nobody's business now: a stranger's name on an action changes no rule."""
    stranger = By(role="player", name="Zoe")
    named = forged(
        closed, lambda event: replace(event, by=stranger) if event.action in range(1, 4) else event
    )
    assert checked(named).ok


# --- what a whole chain was made over again for -------------------------------------------------------------


def test_a_die_that_is_said_to_be_typed_in_is_found(closed: list[Envelope]) -> None:
    """With the seed out a server's die can only be changed where it is called a table's."""
    roll = first_roll(closed, "server")

    def typed(said: dict[str, Any]) -> None:
        said["roll"]["source"] = "table"
        said["roll"]["dice"][0]["face"] = said["roll"]["dice"][0]["face"] % 20 + 1

    fault = fault_of(checked(forged(closed, saying(roll.seq, typed)), redecide=False))
    assert (fault.seq, fault.field) == (roll.seq, "data.roll.source")


def test_dice_of_another_source_than_the_action_was_taken_with_are_found(closed: list[Envelope]) -> None:
    roll = first_roll(closed, "table")
    fault = fault_of(checked(forged(closed, saying(roll.seq, lambda said: said["roll"].pop("source")))))
    assert (fault.action, fault.field) in ((roll.action, "command"), (roll.action, "data.roll.dice[0].face"))


def asked(events: list[Envelope], type_: str) -> Envelope:
    """The first action of that command."""
    mark = f'"type":"{type_}"'.encode()
    return next(
        event for event in events if event.type == "core.action-taken" and mark in (event.data or b"")
    )


@pytest.mark.parametrize(
    "by,command",
    [
        (By(role="observer", name="eve"), "attack"),
        (By(role="tool", name="bot"), "attack"),
    ],
)
def test_what_somebody_could_not_have_asked_is_found(closed: list[Envelope], by: By, command: str) -> None:
    taken = asked(closed, command)

    def signed(event: Envelope) -> Envelope:
        return replace(event, by=by) if event.action == taken.action else event

    fault = fault_of(checked(forged(closed, signed)))
    assert (fault.seq, fault.field) == (taken.seq, "command")
    assert "not-allowed" in fault.message


def test_faces_nobody_could_have_typed_in_are_found(closed: list[Envelope]) -> None:
    """At this table only the GM types in faces."""
    roll, stranger = first_roll(closed, "table"), By(role="player", name="Zoe")

    def signed(event: Envelope) -> Envelope:
        return replace(event, by=stranger) if event.action == roll.action else event

    fault = fault_of(checked(forged(closed, signed)))
    assert (fault.action, fault.field) == (roll.action, "command")
    assert "table-dice-off" in fault.message


@pytest.mark.parametrize("change", [{"slot": 2}, {"slot": None}, {"revision": 2}, {"audience": ("gm",)}])
@pytest.mark.parametrize("place", [0, 1])
def test_another_place_in_the_story_or_before_other_eyes_is_found(
    closed: list[Envelope], change: dict[str, Any], place: int
) -> None:
    """An action of the game and its events stand in one place, and are seen by the same people."""
    action = [event for event in closed if event.action == asked(closed, "attack").action]

    def moved(event: Envelope) -> Envelope:
        return replace(event, **change) if event.seq == action[place].seq else event

    fault = fault_of(checked(forged(closed, moved)))
    assert (fault.seq, fault.field) == (action[place].seq, *change)
