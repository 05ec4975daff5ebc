"""The rules of the duel, each in its own sentence."""

from __future__ import annotations

from fractions import Fraction

import pytest
from duel_plays import ANN, BOB, BOBS_PLAYER, COURTYARD, CYD, VEX
from tabletape_duel import RULESET
from tabletape_duel import events as fact
from tabletape_duel.commands import (
    AddDuellist,
    Adjust,
    Attack,
    Begin,
    ConcealDagger,
    Defend,
    DrawDagger,
    EndTurn,
    Interpose,
    PassBy,
    Reveal,
    Rule,
    ThrowDamage,
)
from tabletape_duel.parameters import Parameters

from rulesets.dice import Die, Roll
from rulesets.people import GM, OBSERVER, Viewer
from rulesets.testing import given, step

ANNS_PLAYER = Viewer(role="player", name="anna", characters=("ann",))
DUEL = (ANN, BOB, Begin())
LAND, MISS = (3, 4, 5), (6, 6, 1)
ATTACK = Attack(attacker="ann", target="bob")
STRUCK = (*DUEL, step(ATTACK, dice=LAND))
STRUCK_WITH_FRIEND = (*COURTYARD, step(ATTACK, dice=LAND))


def thrown(number, origin, *faces, source="server"):
    purpose = origin.partition(":")[0]
    return Roll(
        number=number,
        purpose=purpose,
        source=source,
        dice=tuple(Die(face=each, origin=origin) for each in faces),
    )


# --- attacks ------------------------------------------------------------------------------------------------


def test_an_attack_lands_on_the_skill_or_less_and_asks_for_the_defense():
    given(RULESET, *DUEL).when(ATTACK, LAND).then(
        fact.AttackMade(
            attacker="ann", target="bob", low=False, paid=1, landed=True, roll=thrown(1, "attack:ann", *LAND)
        ),
        fact.QuestionAsked(question="q1", kind="defense", asks=("bob",), defenses=("parry", "dodge", "none")),
    ).then_state(duellists={"ann": {"stamina": 2.5}})


def test_an_attack_over_the_skill_is_a_miss_and_costs_the_same():
    given(RULESET, *DUEL).when(ATTACK, MISS).then(
        fact.AttackMade(
            attacker="ann", target="bob", low=False, paid=1, landed=False, roll=thrown(1, "attack:ann", *MISS)
        )
    ).then_state(duellists={"ann": {"stamina": 2.5}, "bob": {"hp": 10}})


def test_there_is_one_attack_a_turn_unless_the_game_master_says_otherwise():
    table = given(RULESET, *DUEL, step(ATTACK, dice=MISS))
    table.when(ATTACK).then_refused("already-attacked", overrulable=True)
    assert table.when(ATTACK, MISS, overrule=["already-attacked"]).codes == ("already-attacked",)


def test_an_attack_takes_stamina_that_nobody_can_overrule():
    table = given(RULESET, AddDuellist(id="ann", side="red", skill=12, stamina=1), BOB, Begin())
    spent = table.after(step(ATTACK, dice=MISS)).after(EndTurn()).after(EndTurn())
    spent.when(ATTACK, overrule=["too-tired"]).then_refused("too-tired", overrulable=False, halves=0)


@pytest.mark.parametrize(
    "attack,code,overrulable",
    [
        (Attack(attacker="bob", target="ann"), "not-your-turn", True),
        (Attack(attacker="ann", target="ann"), "same-target", False),
        (Attack(attacker="ann", target="vex"), "still-secret", False),
        (Attack(attacker="ann", target="zed"), "unknown-duellist", False),
    ],
)
def test_an_attack_that_cannot_be_is_refused(attack, code, overrulable):
    given(RULESET, *COURTYARD).when(attack).then_refused(code, overrulable=overrulable)


def test_friends_do_not_fight_but_the_game_master_may_let_them():
    table = given(RULESET, *COURTYARD, EndTurn())
    blow = Attack(attacker="bob", target="cyd")
    table.when(blow).then_refused("same-side", overrulable=True)
    assert table.when(blow, MISS, overrule=["same-side"]).events


def test_nobody_attacks_before_the_duel_begins():
    given(RULESET, ANN, BOB).when(ATTACK).then_refused("duel-not-begun", overrulable=False)


def test_who_is_down_neither_strikes_nor_is_struck():
    table = given(RULESET, *DUEL, Adjust(duellist="bob", hp=-10, reason="A fall."))
    table.when(ATTACK).then_refused("down", overrulable=True, duellist="bob")


# --- a low blow ---------------------------------------------------------------------------------------------

LOW = step(Attack(attacker="ann", target="bob", low=True), dice=LAND)


def test_a_low_blow_that_lands_is_first_ruled_on():
    table = given(RULESET, *DUEL, LOW)
    assert [(each.kind, each.asks) for each in RULESET.record.questions(table.state)] == [
        ("low-blow", ("gm",))
    ]
    table.when(Defend(question="q1", defense="parry")).then_refused("wrong-answer")
    table.when(Rule(question="q1", counts=True), by=ANNS_PLAYER).then_refused("not-allowed")


def test_a_low_blow_that_counts_goes_on_and_a_foul_ends_there():
    table = given(RULESET, *DUEL, LOW)
    table.when(Rule(question="q1", counts=True)).then(
        fact.BlowRuled(counts=True),
        fact.QuestionAsked(question="q2", kind="defense", asks=("bob",), defenses=("parry", "dodge", "none")),
    )
    table.when(Rule(question="q1", counts=False)).then(fact.BlowRuled(counts=False)).when(EndTurn()).then(
        fact.TurnEnded(next="bob", round=1)
    )


@pytest.mark.parametrize("counts", [True, False])
def test_the_recommended_ruling_is_a_parameter(counts):
    table = given(RULESET, *DUEL, LOW, parameters=Parameters(low_blows_count=counts))
    (question,) = RULESET.record.questions(table.state)
    assert table.rules.default_answer(table.state, question) == Rule(question="q1", counts=counts)


# --- the window before the defense --------------------------------------------------------------------------


def test_friends_of_the_target_are_asked_before_the_defense():
    given(RULESET, *COURTYARD).when(ATTACK, LAND).then(
        fact.AttackMade(
            attacker="ann", target="bob", low=False, paid=1, landed=True, roll=thrown(1, "attack:ann", *LAND)
        ),
        fact.QuestionAsked(question="q1", kind="interpose", asks=("cyd",)),
    )


def test_when_all_friends_let_it_come_the_target_defends():
    dee = AddDuellist(id="dee", side="blue", skill=9)
    table = given(RULESET, ANN, BOB, CYD, dee, Begin(), step(ATTACK, dice=LAND))
    table.when(PassBy(question="q1", ally="dee")).then(fact.AllyPassed(ally="dee")).when(
        PassBy(question="q1", ally="dee")
    ).then_refused("not-asked", asks=["cyd"])
    table.after(PassBy(question="q1", ally="dee")).when(PassBy(question="q1", ally="cyd")).then(
        fact.AllyPassed(ally="cyd"),
        fact.QuestionAsked(question="q2", kind="defense", asks=("bob",), defenses=("parry", "dodge", "none")),
    )


def test_a_friend_who_steps_between_pays_and_takes_the_blow_too_tired_to_dodge():
    """Cyd has three half points, all spent on stepping in: the parry, 10 // 2 + 3, is thrown at once."""
    given(RULESET, *STRUCK_WITH_FRIEND).when(Interpose(question="q1", ally="cyd"), (2, 3, 4, 6)).then(
        fact.AllyInterposed(ally="cyd", paid=3),
        fact.DefenseMade(
            defender="cyd", defense="parry", paid=0, stopped=False, roll=thrown(2, "parry:cyd", 2, 3, 4)
        ),
        fact.WoundDealt(target="cyd", roll=thrown(3, "damage:ann", 6), amount=6, down=False),
    ).then_state(duellists={"cyd": {"stamina": 0.0, "hp": 4}, "bob": {"hp": 10}})


def test_friends_without_the_breath_for_it_are_not_asked():
    tired = AddDuellist(id="cyd", side="blue", skill=10, stamina=2)
    when = given(RULESET, ANN, BOB, tired, Begin()).when(ATTACK, LAND)
    assert [event.kind for event in when.events[1:]] == ["defense"]


def test_only_their_own_player_speaks_for_a_friend():
    given(RULESET, *STRUCK_WITH_FRIEND).when(PassBy(question="q1", ally="cyd"), by=BOBS_PLAYER).then_refused(
        "not-allowed"
    )


# --- defenses -----------------------------------------------------------------------------------------------


def test_a_parry_succeeds_on_half_the_skill_and_three():
    given(RULESET, *STRUCK).when(Defend(question="q1", defense="parry"), (2, 2, 4), by=BOBS_PLAYER).then(
        fact.DefenseMade(
            defender="bob", defense="parry", paid=0, stopped=True, roll=thrown(2, "parry:bob", 2, 2, 4)
        )
    ).when(EndTurn()).then(fact.TurnEnded(next="bob", round=1))


def test_a_dodge_costs_a_point_and_succeeds_on_ten():
    given(RULESET, *STRUCK).when(Defend(question="q1", defense="dodge"), (2, 4, 4)).then(
        fact.DefenseMade(
            defender="bob", defense="dodge", paid=2, stopped=True, roll=thrown(2, "dodge:bob", 2, 4, 4)
        )
    ).then_state(duellists={"bob": {"stamina": 2}})


def test_a_blow_that_is_not_met_goes_home_without_a_defense_roll():
    given(RULESET, *STRUCK).when(Defend(question="q1", defense="none"), (4,)).then(
        fact.DefenseMade(defender="bob", defense="none", paid=0, stopped=False),
        fact.WoundDealt(target="bob", roll=thrown(2, "damage:ann", 4), amount=4, down=False),
    )


def test_at_a_table_with_dice_the_only_defense_is_still_asked_for():
    """Nobody throws somebody else's dice."""
    tired = AddDuellist(id="bob", side="blue", skill=11, stamina=1)
    table = given(RULESET, ANN, tired, Begin())
    table.when(ATTACK, LAND, source="table").then(
        fact.AttackMade(
            attacker="ann",
            target="bob",
            low=False,
            paid=1,
            landed=True,
            roll=thrown(1, "attack:ann", *LAND, source="table"),
        ),
        fact.QuestionAsked(question="q1", kind="defense", asks=("bob",), defenses=("parry",)),
    ).when(Defend(question="q1", defense="dodge"), source="table").then_refused("too-tired", can=["parry"])


def test_at_a_table_with_dice_the_damage_is_asked_of_the_attacker():
    table = given(RULESET, *DUEL, step(ATTACK, dice=LAND, source="table"))
    when = table.when(Defend(question="q1", defense="parry"), (6, 6, 6), source="table")
    assert when.events[1] == fact.QuestionAsked(question="q2", kind="damage", asks=("ann",))
    when.when(ThrowDamage(question="q2"), (5,), source="table", by=ANNS_PLAYER).then(
        fact.WoundDealt(target="bob", roll=thrown(3, "damage:ann", 5, source="table"), amount=5, down=False)
    )


# --- wounds -------------------------------------------------------------------------------------------------

HIT = Defend(question="q1", defense="none")


def test_a_drawn_dagger_adds_two():
    table = given(
        RULESET,
        ANN,
        BOB,
        ConcealDagger(duellist="ann"),
        DrawDagger(duellist="ann"),
        Begin(),
        step(ATTACK, dice=LAND),
    )
    table.when(HIT, (4,)).then_state(duellists={"bob": {"hp": 4}})


def test_nobody_loses_more_than_they_have():
    frail = AddDuellist(id="bob", side="blue", skill=11, hp=3)
    when = given(RULESET, ANN, frail, Begin(), step(ATTACK, dice=LAND)).when(HIT, (6,))
    assert when.events[1] == fact.WoundDealt(
        target="bob", roll=thrown(2, "damage:ann", 6), amount=3, down=True
    )
    when.then_state(duellists={"bob": {"hp": 0, "down": True}})


# --- turns --------------------------------------------------------------------------------------------------


def test_the_turn_passes_over_who_is_down_and_the_round_rises_past_the_last():
    table = given(RULESET, *COURTYARD, Adjust(duellist="bob", hp=-10, reason="A fall."))
    table.when(EndTurn()).then(fact.TurnEnded(next="cyd", round=1)).when(EndTurn()).then(
        fact.TurnEnded(next="ann", round=2)
    )


def test_only_who_acts_ends_the_turn():
    table = given(RULESET, *DUEL)
    table.when(EndTurn(), by=BOBS_PLAYER).then_refused("not-allowed")
    table.when(EndTurn(), by=ANNS_PLAYER).then(fact.TurnEnded(next="bob", round=1))


def test_the_order_may_be_given_but_has_to_be_whole():
    table = given(RULESET, ANN, BOB)
    table.when(Begin(order=("bob", "ann"))).then(fact.DuelBegun(order=("bob", "ann")))
    table.when(Begin(order=("bob",))).then_refused("order-incomplete", expected=["ann", "bob"])


def test_a_duel_begins_once_and_between_two_sides():
    given(RULESET, ANN).when(Begin()).then_refused("no-opposition")
    given(RULESET, *DUEL).when(Begin()).then_refused("duel-running")


# --- books --------------------------------------------------------------------------------------------------


def test_the_books_are_corrected_while_a_question_waits_but_never_below_zero():
    table = given(RULESET, *STRUCK)
    table.when(EndTurn()).then_refused("question-open", awaited=["bob"])
    table.when(Adjust(duellist="bob", stamina=-6, reason="Out of breath.")).then_state(
        duellists={"bob": {"stamina": 0}}
    )
    table.when(Adjust(duellist="bob", hp=-11, reason="Too much.")).then_refused("pool-below-zero", hp=10)


def test_ids_are_taken_once_and_some_never():
    given(RULESET, ANN).when(ANN).then_refused("duplicate-id", overrulable=False)
    given(RULESET).when(AddDuellist(id="gm", side="red", skill=9)).then_refused("reserved-id")


def test_an_answer_to_nothing_is_refused():
    given(RULESET, *DUEL).when(HIT).then_refused("no-such-question", question="q1")


# --- secrets ------------------------------------------------------------------------------------------------

HIDDEN_DAGGER = given(RULESET, *DUEL, ConcealDagger(duellist="bob"))


def test_a_hidden_dagger_is_seen_by_its_owner_and_the_game_master_alone():
    seen = [
        HIDDEN_DAGGER.view(each)["duellists"]["bob"]["dagger"]
        for each in (GM, BOBS_PLAYER, ANNS_PLAYER, OBSERVER)
    ]
    assert seen == ["concealed", "concealed", "none", "none"]
    event = fact.DaggerConcealed(duellist="bob")
    assert RULESET.record.audience(HIDDEN_DAGGER.state, event) == ("gm", "character:bob")


def test_hiding_a_dagger_changes_nothing_for_the_others():
    """Their view, their choices and the answers they get are the same to the letter."""
    without = given(RULESET, *DUEL)
    for each in (ANNS_PLAYER, OBSERVER):
        assert HIDDEN_DAGGER.view(each) == without.view(each)
        assert HIDDEN_DAGGER.rules.choices(HIDDEN_DAGGER.state, each) == without.rules.choices(
            without.state, each
        )
    for table in (HIDDEN_DAGGER, without):
        table.when(DrawDagger(duellist="bob"), by=ANNS_PLAYER).then_refused("not-allowed")


def test_a_drawn_dagger_is_seen_by_all():
    HIDDEN_DAGGER.when(DrawDagger(duellist="bob"), by=BOBS_PLAYER).then(
        fact.DaggerDrawn(duellist="bob")
    ).then_view(OBSERVER, {"duellists": {"bob": {"dagger": "drawn"}}})


def test_only_who_has_a_dagger_draws_it_and_one_is_enough():
    given(RULESET, *DUEL).when(DrawDagger(duellist="bob")).then_refused("no-dagger")
    HIDDEN_DAGGER.when(ConcealDagger(duellist="bob")).then_refused("has-dagger")


def test_who_lies_in_wait_is_unknown_until_they_step_out():
    table = given(RULESET, *COURTYARD)
    assert "vex" not in table.view(OBSERVER)["duellists"]
    table.when(Attack(attacker="ann", target="vex"), by=ANNS_PLAYER).then_refused(
        "unknown-duellist", duellist="vex"
    )
    table.when(Reveal(duellist="vex")).then(fact.DuellistRevealed(duellist="vex")).then_view(
        OBSERVER, {"duellists": {"vex": {"name": "The Vixen"}}, "order": ["ann", "bob", "cyd", "vex"]}
    ).when(Reveal(duellist="vex")).then_refused("not-secret")
    table.when(ConcealDagger(duellist="vex")).when(DrawDagger(duellist="vex")).then_refused("still-secret")


def test_who_lies_in_wait_is_known_to_their_own_player():
    vexs_player = Viewer(role="player", name="vera", characters=("vex",))
    given(RULESET, *COURTYARD).when(ConcealDagger(duellist="vex"), by=vexs_player).then_view(
        vexs_player, {"duellists": {"vex": {"dagger": "concealed"}}}
    )


# --- what can be done ---------------------------------------------------------------------------------------


def offered(table, viewer):
    return [choice.type for choice in table.rules.choices(table.state, viewer)]


def test_everybody_is_offered_what_is_theirs():
    table = given(RULESET, *COURTYARD)
    assert offered(table, ANNS_PLAYER) == ["attack", "end_turn", "conceal_dagger"]
    assert offered(table, BOBS_PLAYER) == ["conceal_dagger"]
    assert offered(table, OBSERVER) == []
    assert offered(given(RULESET, ANN, VEX), GM) == ["conceal_dagger", "add_duellist", "reveal", "adjust"]


def test_while_the_blow_waits_only_its_answers_are_offered():
    table = given(RULESET, *STRUCK)
    assert offered(table, ANNS_PLAYER) == []
    assert offered(table, BOBS_PLAYER) == ["defend", "defend", "defend"]


def test_the_odds_of_an_attack_are_exact():
    """12 or less on three dice: 160 of 216, as every table of three dice says."""
    table = given(RULESET, *DUEL)
    chances = {
        each.text: Fraction(each.numerator, each.denominator)
        for each in table.rules.odds(table.state, ATTACK)
    }
    assert chances == {"The blow lands": Fraction(160, 216), "A miss": Fraction(56, 216)}


def test_the_odds_of_a_defense_are_its_own():
    """A parry of 8 succeeds in 56 of 216 throws, a dodge of 10 in half of them."""
    table = given(RULESET, *STRUCK)
    stopped = [
        table.rules.odds(table.state, Defend(question="q1", defense=each))[0].numerator
        for each in ("parry", "dodge")
    ]
    assert stopped == [56, 108]


def test_an_action_is_told_in_one_line():
    when = given(RULESET, *STRUCK).when(Defend(question="q1", defense="parry"), (6, 6, 6, 4))
    assert RULESET.record.describe(when.state, when.events) == "Bob parries in vain; Bob loses 4"
