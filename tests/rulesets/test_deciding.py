"""How a command becomes events: the open question first, then every refusal, then the dice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from broken_duels import decide_with_second_thoughts
from duel_plays import COURTYARD
from msgspec.structs import replace as changed
from tabletape_duel import RULESET
from tabletape_duel.commands import Adjust, Attack, EndTurn, PassBy
from tabletape_duel.rules import RULES

from rulesets.contract import RuleViolation
from rulesets.deciding import lawful_events, question_open
from rulesets.errors import RulesetBroken
from rulesets.testing import ScriptedDice, given, step

ATTACK = Attack(attacker="ann", target="bob")
BEGUN = given(RULESET, *COURTYARD).state
STRUCK = given(RULESET, *COURTYARD, step(ATTACK, dice=(1, 1, 1))).state


def test_while_a_question_blocks_only_answers_and_books_are_heard():
    waiting = RULESET.record.questions(STRUCK)
    assert question_open(RULES, PassBy(question="q1", ally="cyd"), waiting) is None
    assert question_open(RULES, Adjust(duellist="ann", reason="Wine."), waiting) is None
    refusal = question_open(RULES, EndTurn(), waiting)
    assert refusal is not None
    assert (refusal.code, refusal.overrulable) == ("question-open", False)
    assert refusal.fields == {"question": "q1", "kind": "interpose", "awaited": ["cyd"]}


def test_a_question_that_does_not_block_lets_everything_pass():
    (waiting,) = RULESET.record.questions(STRUCK)
    assert question_open(RULES, EndTurn(), [changed(waiting, blocking=False)]) is None


def test_refusals_are_heard_in_order_and_the_first_not_overruled_stands():
    tired = given(RULESET, *COURTYARD, step(ATTACK, dice=(6, 6, 6)), EndTurn()).state
    with pytest.raises(RuleViolation, match="not-your-turn"):
        lawful_events(RULES, tired, ATTACK, ScriptedDice())
    with pytest.raises(RuleViolation, match="already-attacked"):
        lawful_events(RULES, tired, ATTACK, ScriptedDice(), {"not-your-turn"})
    lawful = lawful_events(
        RULES, tired, ATTACK, ScriptedDice((6, 6, 6)), {"not-your-turn", "already-attacked", "down"}
    )
    assert lawful.codes == ("not-your-turn", "already-attacked")
    assert [roll.purpose for roll in lawful.rolls] == ["attack"]


def test_what_keeps_the_books_cannot_be_overruled():
    ghost = Attack(attacker="ann", target="ghost")
    with pytest.raises(RuleViolation, match="unknown-duellist"):
        lawful_events(RULES, BEGUN, ghost, ScriptedDice(), {"unknown-duellist"})


def test_a_refused_command_has_thrown_nothing():
    dice = ScriptedDice((1, 2, 3))
    with pytest.raises(RuleViolation):
        lawful_events(RULES, BEGUN, Attack(attacker="bob", target="ann"), dice)
    assert dice.left == (1, 2, 3)


def test_rules_that_refuse_after_a_die_fell_are_broken():
    hasty = replace(RULES, decide=decide_with_second_thoughts)
    low = Attack(attacker="ann", target="bob", low=True)
    with pytest.raises(RulesetBroken, match="refused Attack after a die had fallen: Not in this house"):
        lawful_events(hasty, BEGUN, low, ScriptedDice((6, 6, 6)))


def test_typed_faces_that_do_not_fit_a_later_roll_are_the_fault_of_who_typed_them():
    def decide_with_a_second_roll(state, command, dice):
        return [*RULES.decide(state, command, dice), dice.roll("fate", [("fate", 20)])]

    twice = replace(RULES, decide=decide_with_a_second_roll)
    with pytest.raises(RuleViolation, match="dice-count-mismatch"):
        lawful_events(twice, BEGUN, ATTACK, ScriptedDice((6, 6, 6), source="table"))
