"""A replay shows each action with the table right after it: as it was known then, or as the history stands."""

from collections.abc import Iterator
from itertools import islice

import pytest
from sitting import ADA, BEN, Sitting, written

from eventlog.envelope import Envelope, Row
from eventlog.errors import ActionUnknown
from projections.replay import ACTIONS_AT_ONCE, ReplayFrame, replay
from projections.timeline import timeline_entry
from rulesets.people import GM, OBSERVER, Viewer


def frames(sitting: Sitting, viewer: Viewer = GM, **which: object) -> list[ReplayFrame]:
    return list(replay(sitting.store, sitting.session, viewer, **which))


def test_an_empty_session_replays_its_opening(sitting: Sitting) -> None:
    for corrected in (False, True):
        (opening,) = frames(sitting, corrected=corrected)
        assert (opening.action, opening.line) == (0, "The GM opens the session “At dawn”")
        assert opening.state["duellists"] == {}


def test_every_action_has_a_frame_of_its_own_answers_too(duel: Sitting) -> None:
    attack = duel.blow()
    told = frames(duel)
    assert [frame.action for frame in told] == [0, 1, 2, 3, attack, attack + 1, attack + 2]
    assert [frame.entry.continues for frame in told[-3:]] == [None, attack, attack]
    hp = [frame.state["duellists"]["ben"]["hp"] for frame in told[-3:]]
    assert hp[0] == hp[1] == 10 > hp[2]
    assert told[-1].line == timeline_entry(duel.store, duel.session, GM, attack + 2).line


def test_an_undone_action_is_told_and_then_its_correction(duel: Sitting) -> None:
    duel.act("adjust", duellist="ada", hp=-7, reason="a bad breakfast")
    duel.act("undo", target=4)
    told = frames(duel, first=3)
    assert [(frame.action, frame.state["duellists"]["ada"]["hp"]) for frame in told] == [
        (3, 10),
        (4, 3),
        (5, 10),
    ]
    assert [frame.entry.status for frame in told] == ["standing"] * 3
    assert told[-1].line == "The GM undoes action 4"


def test_the_corrected_replay_leaves_out_what_was_undone(duel: Sitting) -> None:
    duel.act("adjust", duellist="ada", hp=-7, reason="a bad breakfast")
    duel.act("note", text="She slept badly")
    duel.act("undo", target=4)
    told = frames(duel, corrected=True)
    assert [frame.action for frame in told] == [0, 1, 2, 3, 5]
    assert {frame.state["duellists"]["ada"]["hp"] for frame in told[3:]} == {10}


def test_the_corrected_replay_tells_an_amended_action_as_it_goes_now(duel: Sitting) -> None:
    duel.act("adjust", duellist="ada", hp=-7, reason="a bad breakfast")
    duel.act("end_turn")
    command = {"type": "adjust", "duellist": "ada", "hp": -3, "reason": "a poor breakfast"}
    duel.act("amend", target=4, command=command)
    then, now = frames(duel, first=4, last=4), frames(duel, first=4, last=4, corrected=True)
    assert [frame.state["duellists"]["ada"]["hp"] for frame in (*then, *now)] == [3, 7]
    assert now[0].entry.changed_by == (6,)
    assert (now[0].at, now[0].entry.by) == (then[0].at, then[0].entry.by)


def test_the_corrected_replay_tells_what_was_forgotten_in_its_place(duel: Sitting) -> None:
    duel.act("end_turn")
    duel.act("insert", before=4, command={"type": "adjust", "duellist": "ben", "hp": -5, "reason": "rain"})
    told = frames(duel, corrected=True)
    assert [frame.action for frame in told] == [0, 1, 2, 3, 5, 4]
    assert [frame.state["duellists"]["ben"]["hp"] for frame in told[3:]] == [10, 5, 5]
    assert [frame.action for frame in frames(duel, first=4, corrected=True)] == [5, 4]


def test_what_is_hidden_has_no_frame(duel: Sitting) -> None:
    duel.act("conceal_dagger", duellist="ada", by=ADA)
    duel.act("note", text="a canary", request={"visible_to": "gm"})
    duel.act("add_duellist", id="canary", side="blue", skill=9, secret=True)
    seen = {viewer.name or viewer.role: frames(duel, viewer, first=3) for viewer in (GM, ADA, BEN, OBSERVER)}
    assert {name: [frame.action for frame in told] for name, told in seen.items()} == {
        "gm": [3, 4, 5, 6],
        ADA.name: [3, 4],
        BEN.name: [3],
        "observer": [3],
    }
    for corrected in (False, True):
        assert "canary" not in written(frames(duel, BEN, corrected=corrected))


@pytest.mark.parametrize("first, last", [(-1, None), (4, None), (0, 4), (0, -1)])
def test_an_action_that_is_not_there_is_refused_at_once(duel: Sitting, first: int, last: int | None) -> None:
    with pytest.raises(ActionUnknown, match=r"There is no action -?[14] here"):
        replay(duel.store, duel.session, GM, first=first, last=last)


def test_a_frame_reads_no_more_than_a_stretch_of_the_log(
    duel: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3 * ACTIONS_AT_ONCE):
        duel.act("end_turn")
    read: list[int] = []
    rows, actions = duel.store.rows, duel.store.actions

    def counted_rows(*which: object) -> Iterator[Row]:
        for row in rows(*which):
            read.append(row.action)
            yield row

    def counted_actions(session: str, first: int, last: int) -> list[Envelope]:
        read.extend(range(first, last + 1))
        return actions(session, first, last)

    monkeypatch.setattr(duel.store, "rows", counted_rows)
    monkeypatch.setattr(duel.store, "actions", counted_actions)
    for corrected in (False, True):
        whole = replay(duel.store, duel.session, GM, first=70, corrected=corrected)
        read.clear()
        assert [frame.action for frame in islice(whole, 10)] == list(range(70, 80))
        assert len(read) <= ACTIONS_AT_ONCE + 20
