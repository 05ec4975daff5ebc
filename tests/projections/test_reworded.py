"""A correction says what it made of what it was asked for, to each as far as they may see it."""

from __future__ import annotations

from sitting import ADA, BEN, EVERYBODY, Sitting

from projections.entries import Entry
from projections.lines import EntryRewording
from projections.replay import replay
from projections.timeline import timeline, timeline_entry
from rulesets.people import GM, OBSERVER, Viewer


def entry(duel: Sitting, number: int, viewer: Viewer = GM) -> Entry:
    """The same on a page of the timeline and by itself."""
    alone = timeline_entry(duel.store, duel.session, viewer, number)
    page = timeline(duel.store, duel.session, viewer, limit=500).actions
    assert [each for each in page if each.number == number] == [alone]
    return alone


def test_an_amended_action_is_told_as_it_was_and_as_it_is(duel: Sitting) -> None:
    number = duel.act("adjust", duellist="ben", hp=-3, reason="a fall").tape.action
    turn = duel.act("end_turn").tape.action
    other = {"type": "adjust", "duellist": "ada", "hp": -2, "reason": "a fall"}
    amend = duel.act("amend", target=number, command=other).tape.action
    was, now = "Ben is set right: hp -3, stamina +0.0", "Ada is set right: hp -2, stamina +0.0"
    told = entry(duel, amend)
    assert told.line == f"The GM amends action {number}: “{was}” is now “{now}”"
    assert told.reworded == (EntryRewording(number=number, was=was, now=now),)
    assert entry(duel, number).line == now
    assert entry(duel, turn).reworded == ()


def test_each_amendment_tells_of_its_own_two_lines(duel: Sitting) -> None:
    """However often it is amended since, undone or redone."""
    number = duel.act("adjust", duellist="ben", hp=-1, reason="a fall").tape.action
    amends = []
    for hp in (-2, -3):
        other = {"type": "adjust", "duellist": "ben", "hp": hp, "reason": "a fall"}
        amends.append(duel.act("amend", target=number, command=other).tape.action)
    duel.act("undo", target=amends[1])
    for made, was, now in zip(amends, (-1, -2), (-2, -3), strict=True):
        words = (
            f"“Ben is set right: hp {was}, stamina +0.0” is now “Ben is set right: hp {now}, stamina +0.0”"
        )
        assert entry(duel, made).line == f"The GM amends action {number}: {words}"


def test_an_answer_given_otherwise_is_told_with_what_it_answers(duel: Sitting) -> None:
    number = duel.blow()
    before = entry(duel, number).line
    amend = duel.act("amend", target=number + 2, request={"dice": (1,)}).tape.action
    after = entry(duel, number).line
    assert before != after
    assert entry(duel, amend).line == f"The GM amends action {number}: “{before}” is now “{after}”"


def test_book_keeping_between_question_and_answer_is_told_by_its_own_number(duel: Sitting) -> None:
    number = duel.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)}).tape.action
    kept = duel.act("adjust", duellist="ada", hp=-1, reason="a scratch").tape.action
    duel.act("defend", question="q1", defense="none", by=BEN)
    other = {"type": "adjust", "duellist": "ada", "hp": -2, "reason": "a scratch"}
    amend = duel.act("amend", target=kept, command=other).tape.action
    (reworded,) = entry(duel, amend).reworded
    assert (reworded.number, reworded.was, reworded.now) == (
        kept,
        "Ada is set right: hp -1, stamina +0.0",
        "Ada is set right: hp -2, stamina +0.0",
    )
    assert number != kept


def test_what_goes_otherwise_with_it_is_told_after_its_words(duel: Sitting) -> None:
    number = duel.act("adjust", duellist="ben", hp=-10, reason="a fall").tape.action
    later = duel.act("adjust", duellist="ben", hp=0, reason="nothing").tape.action
    other = {"type": "adjust", "duellist": "ben", "hp": -1, "reason": "a fall"}
    amend = duel.act("amend", target=number, command=other, mode="rebase").tape.action
    assert entry(duel, amend).line.endswith(f"hp -1, stamina +0.0”; goes otherwise: action {later}")


def test_a_hidden_action_is_reworded_for_those_who_see_it(duel: Sitting) -> None:
    """A dagger hidden by the one is hidden by the other: each reads of their own side alone."""
    number = duel.act("conceal_dagger", duellist="ada").tape.action
    other = {"type": "conceal_dagger", "duellist": "ben"}
    amend = duel.act("amend", target=number, command=other).tape.action
    was, now = "Ada hides a dagger", "Ben hides a dagger"
    lines = {}
    for name, viewer in EVERYBODY.items():
        page = timeline(duel.store, duel.session, viewer, limit=500).actions
        lines[name] = [each.line for each in page if each.number == amend]
    assert lines["gm"] == [f"The GM amends action {number}: “{was}” is now “{now}”"]
    assert lines["ada"] == [f"The GM amends action {number}: “{was}”"]
    assert lines["ben"] == [f"The GM amends action {number}: “{now}”"]
    assert lines["observer"] == []


def test_a_forgotten_action_says_before_which_it_was_put_in(duel: Sitting) -> None:
    number = duel.act("end_turn").tape.action
    roll = {"type": "roll", "count": 1, "purpose": "the weather"}
    first = duel.act("insert", before=number, command=roll, request={"dice": (5,)}).tape.action
    second = duel.act("insert", before=first, command=roll, request={"dice": (4,)}).tape.action
    for made, before, face in ((first, number, 5), (second, first, 4)):
        told = entry(duel, made)
        assert told.line == f"The GM rolls 1d6 for the weather: {face} (put in before action {before})"
        assert (told.before, told.marks) == (before, ("inserted", "table-dice"))
    assert entry(duel, number).before is None


def test_nobody_learns_of_a_hidden_action_that_something_was_put_in_before_it(duel: Sitting) -> None:
    hidden = duel.act("conceal_dagger", duellist="ada").tape.action
    roll = {"type": "roll", "count": 1, "purpose": "the weather"}
    made = duel.act("insert", before=hidden, command=roll, request={"dice": (5,)}).tape.action
    for viewer, before in ((GM, hidden), (ADA, hidden), (BEN, None), (OBSERVER, None)):
        assert entry(duel, made, viewer).before == before
    assert entry(duel, made, OBSERVER).line == "The GM rolls 1d6 for the weather: 5"


def test_a_replay_says_the_same(duel: Sitting) -> None:
    number = duel.act("adjust", duellist="ben", hp=-3, reason="a fall").tape.action
    other = {"type": "adjust", "duellist": "ada", "hp": -2, "reason": "a fall"}
    amend = duel.act("amend", target=number, command=other).tape.action
    roll = {"type": "roll", "count": 1, "purpose": "the weather"}
    made = duel.act("insert", before=number, command=roll, request={"dice": (5,)}).tape.action
    then = {frame.action: frame.line for frame in replay(duel.store, duel.session, GM)}
    assert then[amend] == entry(duel, amend).line
    words = "The GM rolls 1d6 for the weather: 5"
    assert then[made] == f"The GM puts action {made} in before action {number}: “{words}”"
    stands = {frame.action: frame.line for frame in replay(duel.store, duel.session, GM, corrected=True)}
    assert stands[made] == f"{words} (put in before action {number})"
