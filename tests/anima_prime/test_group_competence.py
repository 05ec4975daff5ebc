"""6.4 Group Competence: the basic dice, and how the group earns them."""

from __future__ import annotations

from anima_prime.table import foe, pc, running
from rulesets.anima_prime.commands import (
    Adjust,
    Changes,
    EndConflict,
    EndRound,
    EndTurn,
    Maneuver,
    StartConflict,
)
from rulesets.anima_prime.events import RoundEnded, TurnPassed
from rulesets.testing import step

GIFT = step(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (3, 3, 3))


def group(**readings):
    """Zadie and Mira against the demons, the heroes first."""
    return running(pc("zadie", action=60), pc("mira", action=60), foe("demons"), **readings)


def at(table, competence):
    """The same table at another Group Competence."""
    return table.after(
        Adjust(conflict=True, changes=Changes(group_competence=competence - 1), reason="Later")
    )


def test_it_starts_at_one() -> None:
    """6.4."""
    assert group().view()["conflict"]["group_competence"] == 1


def test_a_round_with_a_gift_raises_it_by_one() -> None:
    """6.4: at the end of the round, not before."""
    table = group().after(GIFT)
    assert table.view()["conflict"]["group_competence"] == 1
    table.when(EndRound()).then(RoundEnded(round=1, raised=1)).then_state(
        conflict={"round": 2, "group_competence": 2, "gift_given": False}
    )


def test_a_round_without_a_gift_does_not() -> None:
    """6.4."""
    group().when(EndRound()).then(RoundEnded(round=1)).then_state(
        conflict={"round": 2, "group_competence": 1}
    )


def test_many_gifts_raise_it_once() -> None:
    """6.4: by one in a round, however many dice were given."""
    table = (
        group()
        .after(GIFT)
        .after(step(Maneuver(actor="mira", action_dice=1, gifts=("zadie", "gm")), (3,) * 4))
    )
    table.when(EndRound()).then_state(conflict={"group_competence": 2})


def test_a_gift_that_came_back_counts() -> None:
    """6.4: given is the condition."""
    table = group().after(step(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (1, 1, 1)))
    table.when(EndRound()).then_state(conflict={"group_competence": 2}, characters={"mira": {"action": 60}})


def test_it_stops_at_four() -> None:
    """6.4."""
    table = at(group(), 4).after(
        step(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (3, 1, 1, 1, 1, 1))
    )
    table.when(EndRound()).then(RoundEnded(round=1)).then_state(conflict={"group_competence": 4})


def test_it_gives_that_many_basic_dice() -> None:
    """6.4: three basic dice, one action die."""
    table = at(group(), 3)
    table.when(Maneuver(actor="zadie", action_dice=1), (3, 4, 5), source="table").then_refused(
        "dice-count-mismatch"
    )
    table.when(Maneuver(actor="zadie", action_dice=1), (3, 4, 5, 6), source="table").accepted()


def test_the_second_turn_ends_the_round() -> None:
    """6.3: a round is one turn of each side."""
    table = group().after(GIFT)
    passed = (
        table.when(EndTurn())
        .then(TurnPassed(to="adversity"))
        .then_state(conflict={"round": 1, "turn": "adversity"})
    )
    passed.when(EndTurn()).then(RoundEnded(round=1, raised=1)).then_state(
        conflict={"round": 2, "turn": "pcs", "group_competence": 2}, characters={"zadie": {"acted": False}}
    )


def test_it_starts_again_in_the_next_conflict() -> None:
    """6.4, likely: it goes up over the course of a conflict."""
    table = group().after(GIFT).after(EndRound()).after(EndConflict(outcome="agreement"))
    table.when(StartConflict(first="pcs", characters=("zadie", "demons"))).then_state(
        conflict={"number": 2, "group_competence": 1, "gift_given": False, "round": 1}
    )


def test_house_rule_every_round() -> None:
    """Parameter gc.policy."""
    group(gc={"policy": "every-round"}).when(EndRound()).then_state(conflict={"group_competence": 2})


def test_house_rule_by_hand() -> None:
    """Parameter gc.policy."""
    group(gc={"policy": "manual"}).after(GIFT).when(EndRound()).then_state(conflict={"group_competence": 1})


def test_other_start_step_and_maximum() -> None:
    """Parameters gc.start, gc.step and gc.max: 2 and 5 are 7, but 6 is the end."""
    table = group(gc={"start": 2, "step": 5, "max": 6})
    assert table.view()["conflict"]["group_competence"] == 2
    table.after(step(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), (3,) * 4)).when(
        EndRound()
    ).then(RoundEnded(round=1, raised=4))
