"""Looking ahead: what a correction would do is told exactly, nothing is drawn and nothing recorded."""

from typing import Any

import pytest
from dueling import Table
from hypothesis import given
from hypothesis import strategies as st
from random_history import GAMES, Sitting
from test_history_laws import few
from test_history_outcomes import dagger

from eventlog.codec import codec_for
from eventlog.corrections import CORRECTION_EVENTS, Change
from eventlog.errors import EventLogError
from eventlog.history.standing import changes_of
from eventlog.history.touching import Told
from eventlog.requests import Recorded
from rulesets.contract import RuleViolation
from rulesets.installed import ruleset_named


def recorded_changes(game: str, recorded: Recorded) -> dict[int, Change]:
    codec = codec_for(ruleset_named(game))
    events = (codec.event(each) for each in recorded.events)
    return {each.slot: each for each in changes_of([e for e in events if isinstance(e, CORRECTION_EVENTS)])}


def foretold_changes(told: Told) -> dict[int, Change]:
    return {each.slot: each for each in told.changes}


def test_a_look_ahead_tells_what_falls_what_changes_and_the_table_after(table: Table) -> None:
    dagger(table)
    told = table.foreseen("undo", target=4, mode="rebase")
    assert [(each.action, each.outcome, each.before, each.after) for each in told.targets] == [
        (4, "undone", 1, None)
    ]
    assert [(each.action, each.outcome, each.after, each.code) for each in told.consequences] == [
        (5, "falls", None, "no-dagger"),
        (6, "changes", 2, None),
        (8, "changes", 2, None),
    ]
    table.act("undo", target=4, mode="rebase")
    assert told.state == table.state


def test_a_look_ahead_at_a_strict_correction_is_not_refused_for_what_it_touches(table: Table) -> None:
    dagger(table)
    told = table.foreseen("undo", target=4)
    assert [each.action for each in told.consequences] == [5, 6, 8]


def test_a_look_ahead_is_refused_for_what_is_wrong_in_itself(table: Table) -> None:
    dagger(table)
    for fields in ({"type": "undo", "target": 99}, {"type": "redo", "target": 4}, {"type": "end_turn"}):
        with pytest.raises((EventLogError, RuleViolation)):
            table.foreseen(**fields)  # type: ignore[arg-type]


def test_dice_that_were_never_thrown_are_open_and_so_is_everything_after(table: Table) -> None:
    """Ada was asked for nothing but a miss; another target's defense would be thrown anew."""
    table.duellists(skill=18)
    table.act("add_duellist", id="cid", side="red", skill=3, stamina=1)
    table.act(
        "attack",
        attacker="ada",
        target="ben",
        request={"answers": ({"type": "defend", "question": "q1", "defense": "none"},)},
    )
    table.act("end_turn")
    told = table.foreseen(
        "amend", target=5, answers=[{"type": "defend", "question": "q1", "defense": "dodge"}], mode="rebase"
    )
    assert [(each.action, each.outcome, each.purpose, each.dice) for each in told.targets] == [
        (5, "amended", "dodge", (None, None, None))
    ]
    assert [(each.action, each.outcome) for each in told.consequences] == [(6, "open")]
    assert told.state is None
    rolls = table.tape.next_roll
    table.foreseen("undo", target=5)
    assert table.tape.next_roll == rolls


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_a_look_ahead_tells_exactly_what_is_then_recorded(game: str, seed: int) -> None:
    """The real correction does what was foretold to every action, unless dice were open."""
    with Sitting(game, seed) as sitting:
        sitting.play(20)
        for _ in range(8):
            command = sitting.any_correction()
            kind = command.pop("type")
            rolls = sitting.tape.next_roll
            try:
                told = sitting.foreseen(kind, **command)
            except (RuleViolation, EventLogError) as refusal:
                sitting.refused(refusal.code, kind, **command)
                continue
            assert sitting.tape.next_roll == rolls
            if told.state is None or _refused_in_strict(sitting, told, kind, command):
                continue
            recorded = sitting.correct(kind, **command)
            assert foretold_changes(told) == recorded_changes(game, recorded)
            assert told.state == sitting.state


def _refused_in_strict(sitting: Sitting, told: Told, kind: str, command: dict[str, Any]) -> bool:
    """Whether it touches others and may not; the refusal lists what was foretold."""
    dropping = [each for each in told.targets if each.outcome in ("redone", "changes") and each.dropped]
    touching = [each for each in told.consequences if each.outcome in ("changes", "falls") or each.dropped]
    touched = {each.action: each.outcome for each in (*dropping, *touching)}
    if command.get("mode", "strict") != "strict" or not touched:
        return False
    refusal = sitting.refused("history-conflict", kind, **command)
    assert {each.action: each.outcome for each in refusal.fields["touched"]} == touched
    return True
