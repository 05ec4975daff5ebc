"""The words of rule tests: what `given`, `when` and `then` accept, and what they say when a test is wrong."""

from __future__ import annotations

import pytest
from duel_plays import ANN, BOB, BOBS_PLAYER, COURTYARD, CYD
from tabletape_duel import RULESET
from tabletape_duel.commands import Adjust, Attack, Begin, EndTurn
from tabletape_duel.events import DuellistAdded, TurnEnded

from rulesets.contract import RuleViolation
from rulesets.dice import Die, Roll
from rulesets.testing import ScriptedDice, given, step

ATTACK = Attack(attacker="ann", target="bob")


def test_a_history_is_of_commands_steps_and_events():
    entered = DuellistAdded(id="dot", name="Dot", side="blue", skill=9, hp=10, stamina=6, secret=False)
    table = given(RULESET, ANN, entered, Begin(), step(Attack(attacker="ann", target="dot"), dice=(6, 6, 6)))
    assert table.state.order == ("ann", "dot")
    assert table.rolls == 1


def test_rolls_are_numbered_through_the_whole_test():
    table = given(RULESET, *COURTYARD, step(ATTACK, dice=(6, 6, 6)), EndTurn())
    when = table.when(Attack(attacker="bob", target="ann"), (6, 6, 5))
    assert [event.roll.number for event in when.events] == [2]


def test_a_history_has_to_be_legal():
    with pytest.raises(
        AssertionError, match=r"EndTurn was refused: Begin the duel first. \(duel-not-begun\)"
    ):
        given(RULESET, ANN, EndTurn())


def test_events_are_compared_exactly_and_in_order():
    when = given(RULESET, *COURTYARD).when(EndTurn())
    when.then(TurnEnded(next="bob", round=1))
    with pytest.raises(AssertionError, match='-  "next": "cyd",\n\\+  "next": "bob",'):
        when.then(TurnEnded(next="cyd", round=1))
    with pytest.raises(AssertionError, match="EndTurn leads to other events"):
        when.then_nothing()


def test_every_written_face_must_be_thrown():
    with pytest.raises(AssertionError, match=r"1 dice too many: nothing threw \[2\]"):
        given(RULESET, *COURTYARD).when(ATTACK, (6, 6, 6, 2))


def test_faces_that_are_missing_are_named():
    with pytest.raises(
        AssertionError, match=r"The roll 'attack' takes 3 dice \(3 for attack:ann\); 2 are given"
    ):
        given(RULESET, *COURTYARD).when(ATTACK, (6, 6))


def test_too_few_or_too_many_faces_from_the_table_are_refused():
    table = given(RULESET, *COURTYARD)
    table.when(ATTACK, (6, 6), source="table").then_refused(
        "dice-count-mismatch", wanted={"attack:ann": 3}, given=2, overrulable=False
    )
    table.when(ATTACK, (6, 6, 6, 1), source="table").then_refused("dice-count-mismatch", too_many=1)
    table.when(ATTACK, (6, 6, 7), source="table").then_refused("face-out-of-range", face=7, sides=6)


def test_a_refusal_is_compared_by_code_and_particulars():
    when = given(RULESET, *COURTYARD).when(Attack(attacker="bob", target="ann"))
    when.then_refused("not-your-turn", overrulable=True, current="ann")
    with pytest.raises(AssertionError, match="Expected the refusal 'down', found: Wait for your turn"):
        when.then_refused("down")
    with pytest.raises(AssertionError, match='current: expected "bob", found "ann"'):
        when.then_refused("not-your-turn", current="bob")
    with pytest.raises(AssertionError, match="'not-your-turn' is overrulable"):
        when.then_refused("not-your-turn", overrulable=False)
    with pytest.raises(AssertionError, match="Attack was refused: Wait for your turn"):
        when.then()


def test_what_happened_where_a_refusal_was_expected_is_told():
    with pytest.raises(AssertionError, match=r"EndTurn should be refused \(down\), but:\n(.|\n)*TurnEnded"):
        given(RULESET, *COURTYARD).when(EndTurn()).then_refused("down")


def test_who_may_ask_is_checked():
    given(RULESET, *COURTYARD).when(EndTurn(), by=BOBS_PLAYER).then_refused("not-allowed")


def test_the_game_master_passes_over_what_may_be_overruled():
    table = given(RULESET, *COURTYARD)
    when = table.when(Attack(attacker="bob", target="ann"), (6, 6, 6), overrule=("not-your-turn", "down"))
    assert when.codes == ("not-your-turn",)
    table.when(Attack(attacker="bob", target="nil"), overrule=("unknown-duellist",)).then_refused(
        "unknown-duellist"
    )


def test_a_view_is_compared_in_part():
    when = given(RULESET, *COURTYARD).when(Adjust(duellist="cyd", stamina=2, reason="Water."))
    when.then_state(duellists={"cyd": {"stamina": 2.5}, "ann": {"hp": 10}}, order=["ann", "bob", "cyd"])
    when.then_view(BOBS_PLAYER, {"current": "ann"})
    with pytest.raises(
        AssertionError, match=r"In the view of robert:\nduellists.vex: expected {}, but there is only"
    ):
        when.then_view(BOBS_PLAYER, {"duellists": {"vex": {}}})
    with pytest.raises(AssertionError, match=r"duellists.cyd.stamina: expected 3, found 2.5"):
        when.then_state(duellists={"cyd": {"stamina": 3}})
    with pytest.raises(AssertionError, match='order: expected \\["ann"\\]'):
        when.then_state(order=["ann"])
    with pytest.raises(AssertionError, match=r"duellists.ann.down: expected 0, found false"):
        when.then_state(duellists={"ann": {"down": 0}})


def test_a_test_can_go_on_with_the_next_command():
    given(RULESET, ANN, BOB, CYD, Begin()).when(EndTurn()).when(EndTurn()).then(
        TurnEnded(next="cyd", round=1)
    )


def test_scripted_dice_fall_in_order_and_are_numbered():
    dice = ScriptedDice((3, 20, 5), source="table", first_number=4)
    assert dice.roll("attack", [("hand", 6), ("fate", 20)]) == Roll(
        number=4,
        purpose="attack",
        source="table",
        dice=(Die(face=3, origin="hand"), Die(face=20, origin="fate", sides=20)),
    )
    assert dice.left == (5,)
    with pytest.raises(RuleViolation, match="dice-count-mismatch"):
        dice.refuse_leftovers()


def test_a_roll_of_no_dice_is_a_mistake_of_the_rules():
    with pytest.raises(ValueError, match="no dice at all for 'nothing'"):
        ScriptedDice().roll("nothing", [])
