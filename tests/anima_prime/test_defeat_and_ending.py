"""6.1 to 6.3 and 6.7: setting up, turns, who is out, and how a conflict ends."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, fell, foe, pc, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    AddCharacter,
    AddGoal,
    EndConflict,
    EndRound,
    EndToken,
    EndTurn,
    Enter,
    Maneuver,
    StartConflict,
    Strike,
    Withdraw,
)
from rulesets.anima_prime.events import CharacterEntered, CharacterWithdrew, ConflictStarted, FirstSideRolled
from rulesets.testing import given, step

PEOPLE = (
    pc("zadie", strike=6),
    pc("rasheem"),
    foe("demons", strike=6),
    foe("imp", "individual", defense=1, max_wounds=1),
)


def test_a_conflict_starts_in_round_one() -> None:
    """6.1: everybody enters; Group Competence 1."""
    given(RULESET, *PEOPLE).when(StartConflict(first="adversity", title="The caravan")).then(
        ConflictStarted(number=1, title="The caravan", first="adversity"),
        *[CharacterEntered(character=name) for name in ("zadie", "rasheem", "demons", "imp")],
    ).then_state(
        conflict={
            "number": 1,
            "title": "The caravan",
            "status": "running",
            "round": 1,
            "turn": "adversity",
            "first": "adversity",
            "group_competence": 1,
        },
        characters={"zadie": {"status": "active", "acted": False}},
    )


def test_before_a_conflict_nobody_is_in_it() -> None:
    """6.1."""
    given(RULESET, *PEOPLE).when(AddGoal(id="gate", name="Gate", difficulty=3)).then_state(
        conflict={"status": "none"}, characters={"zadie": {"status": "reserve"}}
    )


def test_no_opposition_no_conflict() -> None:
    """6.1: two sides that want different things."""
    given(RULESET, pc("zadie")).when(StartConflict(first="pcs")).then_refused("no-opposition")
    given(RULESET, foe("demons")).when(StartConflict(first="pcs")).then_refused("no-opposition")
    given(RULESET, *PEOPLE).when(StartConflict(first="pcs", characters=("zadie", "rasheem"))).then_refused(
        "no-opposition"
    )


def test_one_conflict_at_a_time() -> None:
    """6.1."""
    running(*PEOPLE).when(StartConflict(first="pcs")).then_refused("conflict-running")


@pytest.mark.parametrize(
    "command",
    [EndTurn(), EndRound(), EndConflict(outcome="gm"), Enter(character="zadie"), Withdraw(character="zadie")],
)
def test_nothing_ends_that_does_not_run(command) -> None:
    """6.3."""
    given(RULESET, *PEOPLE).when(command).then_refused("conflict-not-running")


def test_only_those_named_enter() -> None:
    """6.1: the GM may name who takes part."""
    given(RULESET, *PEOPLE).when(StartConflict(first="pcs", characters=("zadie", "demons"))).then_state(
        characters={
            "zadie": {"status": "active"},
            "rasheem": {"status": "reserve"},
            "imp": {"status": "reserve"},
        }
    )


def test_who_has_no_free_circle_stays_out() -> None:
    """6.3: all wound circles marked is out."""
    given(RULESET, pc("zadie"), pc("mira", wounds=3), foe("demons")).when(
        StartConflict(first="pcs")
    ).then_state(characters={"zadie": {"status": "active"}})
    table = given(RULESET, pc("zadie"), pc("mira", wounds=3), foe("demons"), StartConflict(first="pcs"))
    assert table.view()["characters"]["mira"]["status"] != "active"


def test_dice_may_say_who_begins() -> None:
    """6.3: the player's die first, again on a tie, the higher begins."""
    given(RULESET, pc("zadie"), foe("demons")).when(StartConflict(first="roll"), (4, 4, 5, 2)).then(
        ConflictStarted(number=1),
        FirstSideRolled(roll=fell(1, "first", ("pcs", 4), ("adversity", 4))),
        FirstSideRolled(roll=fell(2, "first", ("pcs", 5), ("adversity", 2)), first="pcs"),
        CharacterEntered(character="zadie"),
        CharacterEntered(character="demons"),
    ).then_state(conflict={"first": "pcs", "turn": "pcs"})


def test_the_higher_die_of_the_master_begins() -> None:
    """6.3."""
    given(RULESET, pc("zadie"), foe("demons")).when(StartConflict(first="roll"), (1, 2)).then_state(
        conflict={"first": "adversity", "turn": "adversity"}
    )


def test_the_side_that_began_begins_again() -> None:
    """6.3."""
    table = running(*PEOPLE, first="adversity").after(EndTurn()).after(EndTurn())
    assert table.view()["conflict"]["round"] == 2
    assert table.view()["conflict"]["turn"] == "adversity"


def test_a_round_may_end_from_anywhere() -> None:
    """6.3: nobody has to act."""
    table = running(*PEOPLE).after(step(Maneuver(actor="zadie", action_dice=1), (3, 3)))
    table.when(EndRound()).then_state(
        conflict={"round": 2, "turn": "pcs"}, characters={"zadie": {"acted": False}}
    )


def test_the_last_circle_is_defeat() -> None:
    """6.3: who is out neither acts nor is struck."""
    table = running(*PEOPLE).after(step(Strike(actor="zadie", targets=("imp",), strike_dice=3), faces(3)))
    table = table.after(EndTurn())
    assert table.view()["characters"]["imp"]["status"] == "defeated"
    table.when(Maneuver(actor="imp", action_dice=1)).then_refused("out-of-conflict")


def test_withdrawing() -> None:
    """6.7, recommended reading: a fact with words, no dice."""
    table = running(*PEOPLE)
    gone = table.when(Withdraw(character="rasheem", text="Somebody has to warn the town")).then(
        CharacterWithdrew(character="rasheem", text="Somebody has to warn the town")
    )
    gone.then_state(characters={"rasheem": {"status": "withdrawn", "wounds": 0}})
    gone.when(Maneuver(actor="rasheem", action_dice=1)).then_refused("out-of-conflict")
    gone.when(Withdraw(character="rasheem")).then_refused("out-of-conflict")
    gone.when(Enter(character="rasheem")).then_state(characters={"rasheem": {"status": "active"}})


def test_entering_late() -> None:
    """6.1: adversity may be improvised."""
    table = running(*PEOPLE).after(foe("lord", "individual"))
    table.when(Maneuver(actor="lord", action_dice=1)).then_refused("out-of-conflict")
    table.when(Enter(character="lord")).then(CharacterEntered(character="lord")).then_state(
        characters={"lord": {"status": "active", "acted": False}}
    )
    assert table.when(Enter(character="zadie")).refusal


def test_the_end_settles_the_pools() -> None:
    """6.7, recommended readings: strike 0, charge halved rounding down, the rest stays."""
    table = running(
        pc("zadie", action=4, strike=3, charge=5, wounds=1, awesome_tokens=2), foe("demons", wounds=1)
    )
    table.when(EndConflict(outcome="victory", text="The road is free")).then_state(
        conflict={"status": "ended"},
        characters={
            "zadie": {
                "action": 4,
                "strike": 0,
                "charge": 2,
                "wounds": 1,
                "awesome_tokens": 0,
                "status": "reserve",
            },
            "demons": {"status": "reserve", "wounds": 1},
        },
    )


def test_tokens_are_spent_before_they_expire() -> None:
    """6.4, 6.7: some uses come only at the end."""
    table = running(pc("zadie", awesome_tokens=2), foe("demons"))
    wish = EndConflict(
        outcome="victory", tokens=(EndToken(payer="zadie", tokens=1, text="A friend in town"),)
    )
    table.when(wish).then_state(characters={"zadie": {"awesome_tokens": 0}})
    table.when(
        EndConflict(outcome="victory", tokens=(EndToken(payer="zadie", tokens=3, text="Everything"),))
    ).then_refused("not-enough-tokens", overrulable=False)


def test_tokens_at_the_end_add_up() -> None:
    """6.4: two uses of two tokens are too many for three."""
    table = running(pc("zadie", awesome_tokens=3), foe("demons"))
    twice = (EndToken(payer="zadie", tokens=2, text="One"), EndToken(payer="zadie", tokens=2, text="Two"))
    table.when(EndConflict(outcome="victory", tokens=twice)).then_refused("not-enough-tokens")


@pytest.mark.parametrize(
    "end, after",
    [
        ({"charge": "keep"}, {"charge": 5, "strike": 0, "awesome_tokens": 0}),
        ({"charge": "zero"}, {"charge": 0, "strike": 0, "awesome_tokens": 0}),
        ({"strike": "keep"}, {"charge": 2, "strike": 3, "awesome_tokens": 0}),
        ({"tokens": "keep"}, {"charge": 2, "strike": 0, "awesome_tokens": 2}),
    ],
)
def test_other_readings_of_the_end(end, after) -> None:
    """Parameters end."""
    table = running(pc("zadie", strike=3, charge=5, awesome_tokens=2), foe("demons"), end=end)
    table.when(EndConflict(outcome="agreement")).then_state(characters={"zadie": after})


def test_the_next_conflict_is_number_two() -> None:
    """6.1: adversity that was in a conflict is not drawn in again unless named."""
    table = running(*PEOPLE).after(EndConflict(outcome="agreement")).after(foe("wolves", "swarm"))
    table.when(StartConflict(first="pcs")).then_state(
        conflict={"number": 2, "status": "running", "round": 1},
        characters={
            "zadie": {"status": "active"},
            "wolves": {"status": "active"},
            "demons": {"status": "reserve"},
            "imp": {"status": "reserve"},
        },
    )


def test_ids_are_unique_and_some_are_taken() -> None:
    """A character, once added, keeps the id; `gm` and `all` mean somebody already."""
    table = given(RULESET, pc("zadie"))
    table.when(pc("zadie")).then_refused("duplicate-id")
    table.when(pc("gm")).then_refused("reserved-id")
    table.when(pc("all")).then_refused("reserved-id")


def test_a_sheet_may_leave_numbers_to_the_readings() -> None:
    """Parameters pc: defense 2, three wound circles."""
    given(RULESET, AddCharacter(id="zadie", side="pcs", kind="pc", action=6)).when(foe("demons")).then_state(
        characters={"zadie": {"defense": 2, "base_defense": 2, "max_wounds": 3, "wounds": 0, "action_max": 6}}
    )
