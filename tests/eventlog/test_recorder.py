"""The one write path: whole or not at all, stored before answered, once per key."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from dueling import Table, key, wanted

from eventlog.core import SessionOpened
from eventlog.errors import (
    ActionUnknown,
    CommandMalformed,
    EventLogError,
    KeyReused,
    NotAllowed,
    NothingToRedact,
    SessionIsClosed,
    SessionUnknown,
    TableDiceOff,
    VersionMismatch,
    VisibilityNotPossible,
)
from eventlog.history.points import tape_at
from eventlog.requests import Recorded
from eventlog.settings import Settings
from eventlog.tape import CHECKPOINT_EVERY, fold
from rulesets.contract import RuleViolation
from rulesets.installed import ruleset_named
from rulesets.people import OBSERVER, Viewer

BEN = Viewer(role="player", name="Ben's player", characters=("ben",))


def log_of(table: Table) -> list[Any]:
    return table.store.envelopes(table.session)


def types_of(recorded: Recorded) -> list[str]:
    return [event.type for event in recorded.events]


def refused(
    table: Table,
    error: type[Exception],
    type: str,  # noqa: A002 - the field's own name
    request: dict[str, Any] | None = None,
    **fields: Any,
) -> Any:
    before = log_of(table)
    with pytest.raises(error) as caught:
        table.act(type, request=request, **fields)
    assert log_of(table) == before
    return caught.value


# --- what is recorded ---------------------------------------------------------------------------------------


def test_a_session_opens_with_its_rules_readings_and_promise(table: Table) -> None:
    (opening,) = log_of(table)
    event = msgspec.json.decode(opening.data, type=SessionOpened)
    assert (event.ruleset, event.rules, event.title) == ("duel", 1, "At dawn")
    parameters = msgspec.to_builtins(ruleset_named("duel").record.parameters())
    assert msgspec.json.decode(event.parameters) == parameters
    assert len(event.dice_commitment) == 64
    assert (opening.action, opening.slot, opening.seq) == (0, None, 1)


def test_an_action_begins_with_the_command_as_it_was_sent(table: Table) -> None:
    recorded = table.act("add_duellist", id="ada", side="red", skill=12)
    assert types_of(recorded) == ["core.action-taken", "duel.duellist-added"]
    data = msgspec.json.decode(recorded.events[0].data or b"")
    assert data == {"command": {"type": "add_duellist", "id": "ada", "side": "red", "skill": 12}}
    assert {event.action for event in recorded.events} == {1} == {event.slot for event in recorded.events}


def test_answers_brought_along_are_part_of_the_action(table: Table) -> None:
    table.duellists()
    recorded = table.act(
        "attack", attacker="ada", target="ben", low=True,
        request={"answers": [{"type": "rule", "question": "q1", "counts": False}], "dice": (3, 3, 3)},
    )  # fmt: skip
    assert {event.action for event in recorded.events} == {4}
    assert "duel.blow-ruled" in types_of(recorded)


def test_an_answer_has_its_own_number_and_joins_the_slot_that_asked(table: Table) -> None:
    table.duellists()
    asked = table.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
    answered = table.act("defend", question=open_question(table), defense="none", request={"issuer": BEN})
    assert {event.slot for event in (*asked.events, *answered.events)} == {4}
    assert answered.tape.action == 5
    assert answered.tape.slot == 4


def open_question(table: Table) -> str:
    tape = tape_at(table.store, table.session)
    return ruleset_named("duel").record.questions(tape.state)[0].id


def test_what_waits_for_an_answer_says_whose(table: Table) -> None:
    table.duellists()
    table.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
    violation = refused(table, RuleViolation, "end_turn")
    assert violation.code == "question-open"
    assert not violation.overrulable
    assert "ben" in str(violation.fields)


def test_notes_rolls_and_settings_are_actions_and_only_rolls_have_a_place_in_the_story(table: Table) -> None:
    note = table.act("note", text="It rains.", about=0)
    roll = table.act("roll", count=2, sides=10, purpose="the weather")
    setting = table.act("change_setting", name="rulings", value="default")
    assert [types_of(each)[1] for each in (note, roll, setting)] == [
        "core.note-added", "core.dice-rolled", "core.setting-changed",
    ]  # fmt: skip
    assert [each.events[0].slot for each in (note, roll, setting)] == [None, 2, None]
    assert setting.tape.settings == Settings(rulings="default")
    assert roll.tape.next_roll == 2


def test_words_sent_along_are_an_event_of_their_own(table: Table) -> None:
    recorded = table.act("add_duellist", id="ada", side="red", skill=12, request={"text": "masked"})
    assert types_of(recorded) == ["core.action-taken", "core.note-added", "duel.duellist-added"]
    assert b"masked" not in (recorded.events[0].data or b"")


def test_the_gm_passes_over_a_rule_and_the_ruling_comes_first(table: Table) -> None:
    table.duellists()
    violation = refused(table, RuleViolation, "attack", attacker="ben", target="ada")
    assert violation.overrulable
    recorded = table.act(
        "attack", attacker="ben", target="ada",
        request={"overrule": (violation.code,), "text": "He was faster.", "dice": (6, 6, 6)},
    )  # fmt: skip
    assert types_of(recorded)[:2] == ["core.action-taken", "core.ruling-made"]
    ruling = msgspec.json.decode(recorded.events[1].data or b"")
    assert ruling == {"codes": [violation.code], "reason": "He was faster."}


def test_books_are_never_overruled(table: Table) -> None:
    table.duellists()
    violation = refused(
        table,
        RuleViolation,
        "attack",
        attacker="ada",
        target="nobody",
        request={"overrule": ("unknown-duellist",)},
    )
    assert not violation.overrulable


def test_rulings_by_default_are_taken_at_once_and_marked(table: Table) -> None:
    table.duellists()
    table.act("change_setting", name="rulings", value="default")
    recorded = table.act("attack", attacker="ada", target="ben", low=True, request={"dice": (3, 3, 3)})
    index = types_of(recorded).index("core.ruling-made")
    assert types_of(recorded)[index + 1] == "duel.blow-ruled"
    assert msgspec.json.decode(recorded.events[index].data or b"")["reason"] == "recommended reading"


# --- refusals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"[]", b"null", b"17", b'{"type":"fly"}', b'{"type":"end_turn","x":1}', b'{"id":"ada"}',
        b'{"type":"attack","attacker":1,"target":"ben"}', b'{"type":"roll","count":1e3,"sides":6,"purpose":"x"}',
        b'{"type":"roll","count":-1,"purpose":"x"}', b'{"type":"roll","count":NaN,"purpose":"x"}',
        b'{"type":"roll","count":101,"purpose":"x"}', b'{"type":"roll","count":1,"purpose":"a\\u0000b"}',
        b'{"type":"roll","count":1,"purpose":"\xff"}', b'{"type":"roll","count":1,"purpose":"\\ud800"}',
        b'{"type":"note","text":"' + b"x" * 2001 + b'"}', b'{"type":"note","text":" "}',
        b'{"type":"change_setting","name":"undo","value":"maybe"}', b"[" * 5000,
    ],
)  # fmt: skip
def test_what_cannot_be_read_changes_nothing(table: Table, raw: bytes) -> None:
    before = log_of(table)
    request = msgspec.structs.replace(wanted("end_turn", {}), command=raw)
    with pytest.raises(CommandMalformed):
        table.do(lambda: table.recorder.record(table.session, request))
    assert log_of(table) == before


def test_those_who_only_read_do_not_act(table: Table) -> None:
    error = refused(table, NotAllowed, "note", request={"issuer": OBSERVER}, text="hello")
    assert error.fields == {"needs": "player"}


@pytest.mark.parametrize(
    "type,fields",
    [("change_setting", {"name": "undo", "value": "off"}), ("close", {}), ("redact", {"seq": 1})],
)
def test_book_keeping_is_the_gms(table: Table, type: str, fields: dict[str, Any]) -> None:  # noqa: A002 - the field's own name
    assert refused(table, NotAllowed, type, request={"issuer": BEN}, **fields).fields == {"needs": "gm"}


def test_players_do_not_overrule(table: Table) -> None:
    refused(table, NotAllowed, "end_turn", request={"issuer": BEN, "overrule": ("not-your-turn",)})


def test_a_setting_that_cannot_be_is_refused_with_those_that_can(table: Table) -> None:
    with pytest.raises(CommandMalformed) as refused:
        table.act("change_setting", name="undo", value="maybe")
    assert str(refused.value) == (
        "The setting `undo` cannot be 'maybe': it is one of `off`, `gm`, `own_last`, `request`"
    )


@pytest.mark.parametrize(
    "setting,gm,player", [("off", False, False), ("gm", True, False), ("all", True, True)]
)
def test_who_may_type_in_faces_is_a_setting(table: Table, setting: str, gm: bool, player: bool) -> None:
    table.act("change_setting", name="table_dice", value=setting)
    for issuer, allowed in (("gm", gm), ("player", player)):
        request = {"dice": (4,), **({"issuer": BEN} if issuer == "player" else {})}
        if allowed:
            assert table.act("roll", count=1, purpose="x", request=request).events
        else:
            refused(table, TableDiceOff, "roll", count=1, purpose="x", request=request)


def test_a_command_of_the_game_is_not_hidden(table: Table) -> None:
    refused(table, VisibilityNotPossible, "begin", request={"visible_to": "gm"})


def test_nothing_is_noted_about_what_has_not_happened(table: Table) -> None:
    refused(table, ActionUnknown, "note", text="?", about=99)


def test_a_session_nobody_opened_is_unknown(table: Table) -> None:
    table.session = "nowhere"
    with pytest.raises(SessionUnknown):
        table.act("note", text="hello?")


def test_a_refused_command_has_drawn_no_die(table: Table) -> None:
    table.duellists()
    seed = table.store.seed(table.session)
    refused(table, RuleViolation, "attack", attacker="ben", target="ada")
    refused(table, RuleViolation, "roll", count=3, purpose="x", request={"dice": (1, 2)})
    recorded = table.act("roll", count=1, sides=20, purpose="x")
    assert msgspec.json.decode(recorded.events[1].data or b"")["roll"]["number"] == 1
    assert seed == table.store.seed(table.session)


# --- time and versions --------------------------------------------------------------------------------------


def test_a_stale_version_is_refused_with_the_present_one(table: Table) -> None:
    table.act("note", text="first", request={"expected": 1})
    error = refused(table, VersionMismatch, "note", text="second", request={"expected": 1})
    assert error.fields == {"version": 3, "expected": 1}


def test_a_clock_set_back_does_not_turn_the_log_back(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Order is by seq, and no time is before the one above it (ShieldBattery#139)."""
    import eventlog.sealing as sealing  # noqa: PLR0402 - the module's own clock is set back

    monkeypatch.setattr(sealing, "time_ns", lambda: 1_577_836_800 * 10**9)  # the first second of 2020
    assert sealing.now() == "2020-01-01T00:00:00.000000Z"
    table.act("note", text="in the past?")
    times = [event.at for event in log_of(table)]
    assert times == sorted(times)


def test_two_who_act_on_one_version_do_not_both_pass(table: Table) -> None:
    async def race() -> list[Recorded | BaseException]:
        requests = [wanted("note", {"text": str(n)}, expected=1) for n in range(10)]
        return await asyncio.gather(
            *(table.recorder.record(table.session, request) for request in requests), return_exceptions=True
        )

    outcomes = table.do(race)
    assert sum(isinstance(outcome, Recorded) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, VersionMismatch) for outcome in outcomes) == 9


def test_whoever_stops_waiting_neither_loses_nor_doubles_the_action(table: Table) -> None:
    async def give_up() -> None:
        waiting = asyncio.create_task(
            table.recorder.record(table.session, wanted("note", {"text": "x"}, key=key("k")))
        )
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await table.recorder.record(table.session, wanted("note", {"text": "x"}, key=key("k")))
        await table.recorder.record(table.session, wanted("note", {"text": "y"}))

    table.do(give_up)
    texts = [event.data for event in log_of(table) if event.type == "core.note-added"]
    assert texts == [b'{"text":"x"}', b'{"text":"y"}']


# --- idempotency --------------------------------------------------------------------------------------------


def test_a_repeated_request_gets_the_answer_it_had(table: Table) -> None:
    first = table.act("roll", count=3, purpose="x", request={"key": key("k1")})
    table.act("note", text="meanwhile")
    again = table.act("roll", count=3, purpose="x", request={"key": key("k1"), "expected": 1})
    assert again.replayed
    assert again.events == first.events
    assert again.tape == first.tape
    assert len(log_of(table)) == 5


def test_a_key_with_another_body_is_refused(table: Table) -> None:
    table.act("note", text="a", request={"key": key("k1")})
    refused(table, KeyReused, "note", text="b", request={"key": key("k1", "other")})


def test_only_what_was_accepted_binds_a_key(table: Table) -> None:
    refused(table, RuleViolation, "begin", request={"key": key("k1")})
    assert not table.act("note", text="b", request={"key": key("k1", "other")}).replayed


def test_opening_twice_with_one_key_opens_once(table: Table) -> None:
    first = table.open(key=key("o"))
    again = table.open(key=key("o"))
    assert again.replayed
    assert again.tape.session == first.tape.session


def test_a_key_is_remembered_over_a_restart(tmp_path: Path) -> None:
    """One roll for one key, also after the server came back (vtta-dndbeyond#153)."""
    table = Table(tmp_path / "table.db")
    session = table.open().tape.session
    first = table.act("roll", count=3, purpose="x", request={"key": key("k1")})
    table.close()
    table = Table(tmp_path / "table.db")
    table.session = session
    again = table.act("roll", count=3, purpose="x", request={"key": key("k1")})
    assert again.events == first.events
    later = table.act("roll", count=3, purpose="x")
    assert later.tape.next_roll == first.tape.next_roll + 1
    table.close()


# --- redaction and the end ----------------------------------------------------------------------------------


def test_words_can_be_removed_for_good_and_the_chain_still_holds(table: Table) -> None:
    """The text is gone from every read; number, type and hash stay (foundryvtt#9928)."""
    noted = table.act("note", text="Tom's real name is …")
    place = noted.events[1].seq
    table.act("redact", seq=place, reason="private")
    redacted = log_of(table)[place - 1]
    assert not any(b"real name" in (event.data or b"") for event in log_of(table))
    assert (redacted.data, redacted.salt) == (None, None)
    assert redacted.hash == noted.events[1].hash
    assert refused(table, NothingToRedact, "redact", seq=place).fields == {"seq": place}


@pytest.mark.parametrize("seq", [1, 2, 3, 999])
def test_facts_cannot_be_removed(table: Table, seq: int) -> None:
    table.act("add_duellist", id="ada", side="red", skill=12)
    refused(table, NothingToRedact, "redact", seq=seq)


def test_a_closed_session_shows_its_seed_and_takes_nothing_more(table: Table) -> None:
    seed = table.store.seed(table.session)
    closed = table.act("close", text="Good night.")
    assert msgspec.json.decode(closed.events[-1].data or b"")["seed"] == seed.hex()
    refused(table, SessionIsClosed, "note", text="wait")


def test_the_seed_is_nowhere_before(table: Table) -> None:
    table.duellists()
    table.act("roll", count=5, purpose="x")
    seed = table.store.seed(table.session)
    for event in log_of(table):
        assert seed not in (event.data or b"")
        assert seed.hex().encode() not in (event.data or b"")


# --- the tape -----------------------------------------------------------------------------------------------


def test_the_live_table_is_the_fold_of_what_is_stored(table: Table) -> None:
    table.duellists()
    for _ in range(2 * CHECKPOINT_EVERY):
        live = table.act("end_turn").tape
        ruleset = ruleset_named("duel")
        assert fold(ruleset, table.session, table.store.rows(table.session)) == live
        assert tape_at(table.store, table.session) == live


def test_every_point_of_the_story_can_be_read(table: Table) -> None:
    table.duellists()
    known = {tape.action: tape for tape in (table.act("end_turn").tape for _ in range(3 * CHECKPOINT_EVERY))}
    for action, tape in known.items():
        assert tape_at(table.store, table.session, action) == tape
    for action in (-1, 10**6):
        with pytest.raises(ActionUnknown):
            tape_at(table.store, table.session, action)


def test_a_checkpoint_of_another_shape_is_not_trusted(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.duellists()
    tapes = [table.act("end_turn").tape for _ in range(CHECKPOINT_EVERY)]
    monkeypatch.setattr("eventlog.tape._shape", lambda _: b"new form")
    assert tape_at(table.store, table.session) == tapes[-1]


def test_errors_have_their_own_codes() -> None:
    errors = EventLogError.__subclasses__()
    assert len({error.code for error in errors}) == len(errors)
    assert all(error.__doc__ for error in errors)


# --- about what is hidden -----------------------------------------------------------------------------------


def seen_of(recorded: Recorded) -> set[tuple[str, ...]]:
    return {event.audience for event in recorded.events}


def test_a_redaction_is_no_more_visible_than_what_it_redacts(table: Table) -> None:
    hidden = table.act("note", text="secret", request={"visible_to": "gm"})
    told = table.act("redact", seq=hidden.events[-1].seq, reason="named the traitor")
    assert seen_of(told) == {("gm",)}
    own = table.act("note", text="mine", request={"visible_to": "self+gm", "issuer": BEN})
    told = table.act("redact", seq=own.events[-1].seq, reason="a real name", request={"text": "sorry"})
    assert seen_of(told) == {("gm", "player:Ben's player")}
    public = table.act("note", text="said aloud")
    assert seen_of(table.act("redact", seq=public.events[-1].seq)) == {("everyone",)}
    table.holds()


def test_a_note_is_no_more_visible_than_the_action_it_is_about(table: Table) -> None:
    """But for whoever wrote it."""
    hidden = table.act("roll", count=1, purpose="the traitor's nerve", request={"visible_to": "gm"})
    about = hidden.events[0].action
    assert seen_of(table.act("note", text="he knows", about=about)) == {("gm",)}
    by_ben = table.act("note", text="what was that?", about=about, request={"issuer": BEN})
    assert seen_of(by_ben) == {("gm", "player:Ben's player")}
    alone = table.act("note", text="hm", about=about, request={"issuer": BEN, "visible_to": "self"})
    assert seen_of(alone) == {("player:Ben's player",)}
    open_roll = table.act("roll", count=1, purpose="the weather")
    said = table.act("note", text="rain", about=open_roll.events[0].action)
    assert seen_of(said) == {("everyone",)}
    table.holds()
