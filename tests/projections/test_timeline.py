"""The timeline: one readable line for each thing that happened, its answers folded in."""

import pytest
from sitting import ADA, BEN, Sitting

from eventlog.errors import ActionUnknown
from projections.entries import Entry
from projections.timeline import timeline, timeline_entry
from rulesets.people import GM, OBSERVER, Viewer


def entries(sitting: Sitting, viewer: Viewer = GM) -> dict[int, Entry]:
    page = timeline(sitting.store, sitting.session, viewer, limit=200)
    return {entry.number: entry for entry in page.actions}


# --- what a line tells --------------------------------------------------------------------------------------


def test_the_opening_is_action_nought(sitting: Sitting) -> None:
    (opening,) = entries(sitting).values()
    assert (opening.number, opening.slot, opening.events) == (0, None, (1, 1))
    assert opening.line == "The GM opens the session “At dawn”"


def test_an_action_is_one_entry_with_its_answers_folded_in(duel: Sitting) -> None:
    number = duel.blow()
    found = entries(duel)
    assert list(found) == [0, 1, 2, 3, number]
    entry = found[number]
    assert (entry.type, entry.slot, entry.continues, entry.status, entry.revision) == (
        "attack", number, None, "standing", 1,
    )  # fmt: skip
    assert entry.answers == (number + 1, number + 2)
    assert "Ada attacks Ben: 3 3 3, lands" in entry.line
    assert entry.line.endswith("Ben loses 4")
    assert entry.events == (8, duel.tape.version)
    assert entry.by is not None
    assert entry.by.role == "gm"


def test_the_rolls_of_an_entry_show_every_die_and_where_it_came_from(duel: Sitting) -> None:
    """Purpose, every die and its origin are kept (foundryvtt/dnd5e#2216)."""
    number = duel.blow()
    entry = entries(duel)[number]
    assert [(roll.roll, roll.source, roll.purpose) for roll in entry.rolls] == [
        (1, "table", "attack"), (2, "table", "damage"),
    ]  # fmt: skip
    assert [(die.face, die.origin, die.sides) for die in entry.rolls[1].dice] == [(4, "damage:ada", 6)]
    assert "table-dice" in entry.marks


def test_an_answer_looked_up_by_its_number_says_what_it_continues(duel: Sitting) -> None:
    number = duel.blow()
    answer = timeline_entry(duel.store, duel.session, GM, number + 1)
    assert (answer.number, answer.slot, answer.type, answer.continues) == (
        number + 1,
        number,
        "defend",
        number,
    )
    assert answer.by is not None
    assert answer.by.name == "Ben's player"
    assert "takes the blow" in answer.line
    assert "attacks" not in answer.line
    whole = timeline_entry(duel.store, duel.session, GM, number)
    assert whole == entries(duel)[number]


def test_only_answers_join_the_line_of_the_action_that_asked(duel: Sitting) -> None:
    """Rolls and notes made while a question waits have lines of their own."""
    number = duel.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)}).tape.action
    duel.act("roll", count=1, purpose="the weather", request={"dice": (6,)})
    duel.act("note", text="He smiles.", by=BEN)
    duel.act("defend", question="q1", defense="none", by=BEN)
    found = entries(duel)
    assert found[number].answers == (number + 3,)
    assert [roll.purpose for roll in found[number].rolls] == ["attack"]
    assert found[number + 1].line == "The GM rolls 1d6 for the weather: 6"
    assert (found[number + 1].slot, found[number + 1].continues) == (number, None)
    assert found[number + 2].line == "Ben's player notes: He smiles."


@pytest.mark.parametrize(
    "command,line",
    [
        ({"type": "roll", "count": 2, "purpose": "the weather"}, "The GM rolls 2d6 for the weather: 3 5"),
        ({"type": "note", "text": "It rains\nhard."}, "The GM notes: It rains hard."),
        ({"type": "change_setting", "name": "table_dice", "value": "all"}, "The GM sets table dice to all"),
        ({"type": "close"}, "The GM closes the session and the dice are revealed"),
    ],
)
def test_the_recorders_own_actions_have_readable_lines(
    duel: Sitting, command: dict[str, object], line: str
) -> None:
    request = {"dice": (3, 5)} if command["type"] == "roll" else {}
    number = duel.act(str(command.pop("type")), request=request, **command).tape.action
    assert entries(duel)[number].line == line


def test_what_the_gm_passed_over_is_marked_and_said(duel: Sitting) -> None:
    recorded = duel.act(
        "attack", attacker="ben", target="ada",
        request={"overrule": ("not-your-turn",), "text": "He was faster.", "dice": (6, 6, 6)},
    )  # fmt: skip
    entry = entries(duel)[recorded.tape.action]
    assert entry.marks == ("overruled", "table-dice")
    assert entry.line.endswith("allowed by the GM against not-your-turn: He was faster.")


def test_a_ruling_taken_by_default_is_marked(duel: Sitting) -> None:
    duel.act("change_setting", name="rulings", value="default")
    number = duel.act(
        "attack", attacker="ada", target="ben", low=True, request={"dice": (3, 3, 3)}
    ).tape.action
    assert "ruling" in entries(duel)[number].marks


def test_words_that_were_removed_are_gone_from_every_line(duel: Sitting) -> None:
    """The entry stays, the words do not (foundryvtt#9928)."""
    noted = duel.act("note", text="a real name")
    sent = duel.act("end_turn", request={"text": "another real name"})
    for recorded, index in ((noted, 1), (sent, 1)):
        duel.act("redact", seq=recorded.events[index].seq)
    found = entries(duel)
    assert found[noted.tape.action].line == "The GM notes: (words removed)"
    assert [note.text for note in found[sent.tape.action].notes] == ["(words removed)"]
    assert "real name" not in str(found)
    assert found[sent.tape.action + 1].line == f"The GM removes the words of event {noted.events[1].seq}"


# --- notes --------------------------------------------------------------------------------------------------


def test_notes_stand_for_themselves_and_with_the_action_they_speak_of(duel: Sitting) -> None:
    number = duel.blow()
    for _ in range(40):
        duel.act("end_turn")
    note = duel.act("note", text="That was unfair.", about=number, by=BEN).tape.action
    answer = duel.act("note", text="It was not.", about=number + 2, by=ADA).tape.action
    found = entries(duel)
    assert [(each.number, each.by.name, each.text) for each in found[number].notes] == [
        (note, "Ben's player", "That was unfair."), (answer, "Ada's player", "It was not."),
    ]  # fmt: skip
    assert found[note].line == "Ben's player notes: That was unfair."
    assert found[note].notes == ()
    assert timeline_entry(duel.store, duel.session, OBSERVER, number).notes == found[number].notes


def test_words_sent_along_are_a_note_of_their_own_action(duel: Sitting) -> None:
    number = duel.act("end_turn", request={"text": "with a bow"}).tape.action
    assert [note.text for note in entries(duel)[number].notes] == ["with a bow"]
    setting = duel.act("change_setting", name="undo", value="off", request={"text": "enough"}).tape.action
    assert [note.text for note in entries(duel)[setting].notes] == ["enough"]


def test_a_private_note_is_listed_for_its_readers_only(duel: Sitting) -> None:
    number = duel.act("note", text="I bluff.", about=1, by=ADA, request={"visible_to": "self+gm"}).tape.action
    for viewer, sees in ((ADA, True), (GM, True), (BEN, False), (OBSERVER, False)):
        found = entries(duel, viewer)
        assert (number in found) is sees
        assert bool(found[1].notes) is sees
    assert entries(duel, ADA)[number].marks == ("private",)


# --- what somebody may not see ------------------------------------------------------------------------------


def test_an_action_of_which_nothing_may_be_seen_does_not_exist(duel: Sitting) -> None:
    hidden = duel.act("add_duellist", id="canary", side="blue", skill=10, secret=True).tape.action
    duel.act("end_turn")
    assert hidden in entries(duel)
    assert hidden not in entries(duel, BEN)
    assert hidden + 1 in entries(duel, BEN)
    for number in (hidden, 99, -1):
        with pytest.raises(ActionUnknown) as caught:
            timeline_entry(duel.store, duel.session, BEN, number)
        assert caught.value.message == f"There is no action {number} here"


def test_numbers_far_beyond_are_unknown(duel: Sitting) -> None:
    with pytest.raises(ActionUnknown):
        timeline_entry(duel.store, duel.session, GM, 2**60)


def test_a_correction_is_no_answer_of_the_action_it_changed(duel: Sitting) -> None:
    attack = duel.blow()
    correction = duel.act("amend", target=attack + 2, request={"dice": (2,)}).tape.action
    found = timeline_entry(duel.store, duel.session, GM, attack)
    assert (found.answers, found.changed_by) == ((attack + 1, attack + 2), (correction,))
