"""Chapter 7, goals: chains, solo and individual goals, sides, effects, and what the end makes of them."""

from __future__ import annotations

from anima_prime.table import faces, foe, marked, pc, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    Achieve,
    AddGoal,
    EndConflict,
    EndRound,
    EndTurn,
    GoalRuling,
    SetGoal,
    Settle,
)
from rulesets.anima_prime.events import DefenseChanged, GoalAchieved, GoalAdded, GoalUnlocked
from rulesets.anima_prime.sheet import ConditionEffect, DefenseEffect, StoryEffect
from rulesets.testing import given, step


def goal(name, difficulty=2, **more):
    """A goal of difficulty 2 unless said otherwise."""
    return AddGoal(id=name, name=name.capitalize(), difficulty=difficulty, **more)


def with_goals(*goals, **people):
    """Zadie, Rasheem and the demons, nine strike dice each."""
    return running(pc("zadie", strike=9), pc("rasheem", strike=9), foe("demons", strike=9, **people), *goals)


def tries(actor, name, dice=3, successes=3):
    """Somebody tries for a goal, as a step."""
    return step(
        Achieve(actor=actor, goal=name, strike_dice={actor: dice}), faces(successes, dice - successes)
    )


def test_a_goal_may_come_during_the_conflict() -> None:
    """7.1: the GM adds it on a player's request."""
    table = running(pc("zadie"), foe("demons"))
    table.when(goal("gate", 5, effect=StoryEffect(text="No more demons come"))).then(
        GoalAdded(id="gate", name="Gate", difficulty=5, effects=(StoryEffect(text="No more demons come"),))
    ).then_state(goals={"gate": {"name": "Gate", "difficulty": 5, "status": "open", "achieved_by": None}})


def test_a_goal_achieved_stays_achieved() -> None:
    """7.1: for the rest of the conflict."""
    table = with_goals(goal("gate")).after(tries("zadie", "gate"))
    table.when(Achieve(actor="rasheem", goal="gate", strike_dice={"rasheem": 3})).then_refused(
        "goal-not-open"
    )


def test_a_failed_goal_stays_open() -> None:
    """7.1: the status quo."""
    table = with_goals(goal("gate")).after(tries("zadie", "gate", 3, 2))
    table.when(tries("rasheem", "gate").command, tries("rasheem", "gate").dice).then_state(
        goals={"gate": {"status": "achieved"}}
    )


def test_an_unknown_goal() -> None:
    """An id nobody gave."""
    with_goals().when(Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1})).then_refused(
        "unknown-goal"
    )


def test_goals_of_one_id() -> None:
    """Ids are unique, and some mean somebody already."""
    table = with_goals(goal("gate"))
    table.when(goal("gate")).then_refused("duplicate-id")
    table.when(goal("gm")).then_refused("reserved-id")
    table.when(goal("all")).then_refused("reserved-id")


def test_a_chain_opens_link_by_link() -> None:
    """7.5: in order, each with its own effect at once."""
    table = with_goals(
        goal("ward", effects=(DefenseEffect(character="demons", change=-1),)),
        goal("heart", 3, after="ward", effects=(DefenseEffect(character="demons", change=-1),)),
        goal("name", 1, after="heart"),
    )
    assert {name: one["status"] for name, one in table.view()["goals"].items()} == {
        "ward": "open",
        "heart": "locked",
        "name": "locked",
    }
    table.when(Achieve(actor="zadie", goal="heart", strike_dice={"zadie": 4})).then_refused("goal-locked")
    when = table.when(tries("zadie", "ward").command, tries("zadie", "ward").dice)
    tail = [event for event in when.events if isinstance(event, GoalAchieved | GoalUnlocked | DefenseChanged)]
    assert sorted(tail, key=repr) == sorted(
        [
            GoalAchieved(goal="ward"),
            DefenseChanged(character="demons", change=-1),
            GoalUnlocked(goal="heart"),
        ],
        key=repr,
    )
    when.then_state(
        goals={"ward": {"status": "achieved"}, "heart": {"status": "open"}, "name": {"status": "locked"}},
        characters={"demons": {"defense": 2, "base_defense": 3}},
    ).accepted().after(tries("rasheem", "heart", 4, 4)).when(EndRound()).then_state(
        goals={"heart": {"status": "achieved"}, "name": {"status": "open"}},
        characters={"demons": {"defense": 1}},
    )


def test_a_link_after_an_achieved_goal_is_open() -> None:
    """7.5: nothing to wait for."""
    table = with_goals(goal("ward")).after(tries("zadie", "ward"))
    table.when(goal("heart", after="ward")).then_state(goals={"heart": {"status": "open"}})


def test_a_link_needs_a_goal_before_it() -> None:
    """7.5: `after` names a goal on the table."""
    with_goals().when(goal("heart", after="ward")).then_refused("unknown-goal")


def test_a_solo_goal_takes_no_help() -> None:
    """7.4."""
    table = with_goals(goal("duel", participation="solo"))
    table.when(Achieve(actor="zadie", goal="duel", strike_dice={"zadie": 2, "rasheem": 1})).then_refused(
        "goal-solo"
    )
    table.when(Achieve(actor="zadie", goal="duel", strike_dice={"zadie": 3}), faces(3)).then_state(
        goals={"duel": {"status": "achieved"}}
    )


def test_an_individual_goal_stays_for_the_others() -> None:
    """7.4: everyone gets there alone; whoever is there is there."""
    table = with_goals(goal("exit", participation="solo", scope="individual")).after(tries("zadie", "exit"))
    assert table.view()["goals"]["exit"]["status"] == "open"
    table.after(EndRound()).when(Achieve(actor="zadie", goal="exit", strike_dice={"zadie": 3})).then_refused(
        "goal-not-open"
    )
    table.when(tries("rasheem", "exit").command, tries("rasheem", "exit").dice).accepted()


def test_both_sides_may_try() -> None:
    """7.1: whoever gets there first decides the outcome."""
    table = with_goals(goal("gate")).after(EndTurn())
    table.when(tries("demons", "gate").command, tries("demons", "gate").dice).then_state(
        goals={"gate": {"status": "achieved"}}, characters={"demons": {"strike": 6}}
    )


def test_a_goal_of_one_side() -> None:
    """7.1: only that side may try."""
    table = with_goals(goal("horn", side="adversity"), goal("gate", side="pcs"))
    table.when(Achieve(actor="zadie", goal="horn", strike_dice={"zadie": 3})).then_refused("goal-other-side")
    table.after(EndTurn()).when(Achieve(actor="demons", goal="gate", strike_dice={"demons": 3})).then_refused(
        "goal-other-side"
    )


def test_effects_apply_at_once() -> None:
    """7.1: a defense and a condition; the story is words."""
    table = with_goals(
        goal(
            "oil",
            effects=(
                DefenseEffect(character="demons", change=-1),
                ConditionEffect(character="demons", condition="Blinded"),
                StoryEffect(text="The road burns"),
            ),
        )
    )
    after = table.when(tries("zadie", "oil").command, tries("zadie", "oil").dice).accepted().view()
    assert after["characters"]["demons"]["defense"] == 2
    assert [one["name"] for one in after["characters"]["demons"]["conditions"]] == ["Blinded"]


def test_a_defense_never_falls_below_one() -> None:
    """6.6, recommended reading; and rises again with the end of the conflict."""
    table = with_goals(goal("corner", effects=(DefenseEffect(character="demons", change=-9),))).after(
        tries("zadie", "corner")
    )
    assert table.view()["characters"]["demons"]["defense"] == 1
    table.when(EndConflict(outcome="agreement")).then_state(
        characters={"demons": {"defense": 3, "base_defense": 3}}
    )


def test_two_effects_add_up() -> None:
    """6.6: 3 - 1 - 1."""
    table = with_goals(
        goal("one", effect=DefenseEffect(character="demons", change=-1)),
        goal("two", effect=DefenseEffect(character="demons", change=-1)),
    )
    table.after(tries("zadie", "one")).after(tries("rasheem", "two")).when(EndTurn()).then_state(
        characters={"demons": {"defense": 1}}
    )


def test_the_master_sets_goals_by_hand() -> None:
    """7.1: difficulty, status, words; reopened goals can be achieved again."""
    table = with_goals(goal("blade")).after(tries("zadie", "blade"))
    table.when(SetGoal(goal="blade", status="open", difficulty=1)).then_state(
        goals={"blade": {"status": "open", "difficulty": 1}}
    )
    table.after(SetGoal(goal="blade", status="open")).when(
        tries("rasheem", "blade").command, tries("rasheem", "blade").dice
    ).then_state(goals={"blade": {"status": "achieved"}})
    table.when(SetGoal(goal="nothing", status="dropped")).then_refused("unknown-goal")


def test_a_dropped_goal_cannot_be_tried() -> None:
    """7.1: the GM took it off the table."""
    table = with_goals(goal("gate")).after(SetGoal(goal="gate", status="dropped"))
    table.when(Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 3})).then_refused("goal-not-open")


def test_goals_are_left_unresolved_at_the_end() -> None:
    """7.1: not achieved means the status quo; the GM says what becomes of it."""
    table = with_goals(goal("gate"), goal("wall"), goal("well")).after(tries("zadie", "well"))
    table.when(
        EndConflict(
            outcome="agreement", goals=(GoalRuling(goal="wall", status="dropped", text="It fell by itself"),)
        )
    ).then_state(
        goals={
            "gate": {"status": "unresolved"},
            "wall": {"status": "dropped"},
            "well": {"status": "achieved"},
        }
    )


def test_goals_wait_for_a_conflict() -> None:
    """6.1: achieving is an action of a conflict."""
    given(RULESET, pc("zadie", strike=3), goal("gate")).when(
        Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 3})
    ).then_refused("conflict-not-running")


def test_a_goal_set_while_a_roll_waits_has_its_effects_once() -> None:
    """7.1: achieved is achieved; the roll that waited for it lowers the defense no further."""
    table = running(
        pc("zadie", strike=9, traits=marked("Sly")),
        foe("demons"),
        goal("oil", effect=DefenseEffect(character="demons", change=-1)),
    )
    table = table.after(step(Achieve(actor="zadie", goal="oil", strike_dice={"zadie": 4}), faces(3, 1)))
    table = table.after(SetGoal(goal="oil", status="achieved"))
    assert table.view()["characters"]["demons"]["defense"] == 2
    table.when(Settle()).then_state(
        characters={"demons": {"defense": 2}}, goals={"oil": {"status": "achieved"}}
    )
