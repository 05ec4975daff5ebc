"""The contract kit names the fault of every kind of broken ruleset."""

from __future__ import annotations

import sys
from dataclasses import replace

import broken_duels as broken
import pytest
from broken_duels import RECORD, RULES, with_record, with_rules
from duel_plays import ANN, AT_THE_TABLE, COURTYARD, LOW_BLOW, PLAYS
from tabletape_duel import RULESET
from tabletape_duel.commands import Adjust, Attack, EndTurn

from rulesets.testing import CHECKS, ContractBroken, check_ruleset, example, step

FAULTS = [
    (
        "names",
        with_record(events=(*RECORD.events, broken.Dagger_Lost)),
        "Dagger_Lost has no name in CamelCase",
    ),
    ("names", with_record(events=(*RECORD.events, RECORD.events[0])), "two events are named duellist-added"),
    ("names", with_rules(commands=(*RULES.commands, broken.AnotherBegin)), "two commands are tagged 'begin'"),
    ("names", with_rules(commands=(*RULES.commands, broken.Untagged)), "Untagged needs a snake_case tag"),
    ("names", with_rules(answers=(*RULES.answers, broken.Taunt)), "Taunt is not among the commands"),
    ("names", replace(RULESET, rules={1: lambda: broken.RULES_2}), "rules 1 call themselves number 2"),
    ("names", replace(RULESET, slug="The Duel"), "the slug 'The Duel'"),
    ("structs", with_record(events=(*RECORD.events, broken.Hesitated)), "Hesitated is not frozen"),
    ("structs", with_rules(commands=(*RULES.commands, broken.Taunt)), "Taunt accepts unknown fields"),
    ("no-floats", with_record(events=(*RECORD.events, broken.Bled)), "Bled.wounds can hold a fraction"),
    ("parameters", with_record(parameters=broken.Unexplained), "bloody does not say what it decides"),
    ("upcasters", with_record(events=(*RECORD.events, broken.Healed)), "Healed version 1 has no upcaster"),
    ("upcasters", with_record(upcasters={("healed", 1): dict}), "'healed' version 1 lifts nothing"),
    ("by-hand", with_record(by_hand=(broken.Healed,)), "Healed is set by hand and is no event"),
    ("by-hand", with_record(by_hand=RECORD.by_hand * 2), "Adjusted is set by hand twice"),
    ("round-trips", broken.LOOSE, "LooseAttack changes in JSON"),
    ("round-trips", broken.LOOSE_AND_UNDECLARED, "LooseAttack is neither an event nor a command"),
    ("tables-survive", with_record(start=lambda _: ANN), "the table is a AddDuellist, not a State"),
    (
        "folding-is-pure",
        with_record(evolve=broken.evolve_in_place),
        "evolve changes the table it was given (DaggerDrawn)",
    ),
    (
        "deciding-is-pure",
        with_rules(decide=broken.decide_by_changing_the_table),
        "deciding Reveal changes the table",
    ),
    ("unknown-facts", with_record(evolve=broken.evolve_anything), "end it in assert_never"),
    ("tallies", with_record(tally=broken.tally_of_nothing), "AttackMade is tallied as"),
    (
        "rolls-are-told",
        with_rules(decide=broken.decide_with_a_vain_die),
        "(nerves) is in the field 'roll' of 0 events",
    ),
    ("anything-anywhere", with_rules(decide=broken.decide_with_second_thoughts), "after a die had fallen"),
    ("anything-anywhere", with_rules(refusals=broken.refusals_of_a_hurry), "Defend raised AttributeError"),
    (
        "anything-anywhere",
        with_rules(refusals=broken.refusals_that_let_all_be_overruled),
        "overruled, raised",
    ),
    (
        "explanations",
        with_rules(explanations={**RULES.explanations, "duel-not-begun": ""}),
        "the code 'duel-not-begun' has no explanation",
    ),
    ("odds", with_rules(odds=broken.odds_of_a_gambler), "the odds of Attack add up to 2"),
    (
        "audiences",
        with_record(audience=broken.audience_without_the_gm),
        "DaggerConcealed is hidden from the game master",
    ),
    (
        "audiences",
        with_record(audience=broken.audience_of_the_wind),
        "DaggerConcealed is for 'bob', which is nobody",
    ),
    ("hidden-things-stay-hidden", with_record(audience=broken.audience_of_all), "they see DuellistAdded"),
    ("hidden-things-stay-hidden", with_record(view=broken.view_with_shadows), "but view tells of it"),
    (
        "hidden-things-stay-hidden",
        with_record(describe=broken.describe_with_a_wink),
        "but the line of Begin names it",
    ),
    (
        "hidden-ids-are-unknown",
        with_rules(permits=broken.permits_with_a_hint),
        "Reveal that names it is answered",
    ),
    ("views", with_record(view=broken.view_of_players_only), "raised KeyError('observer')"),
    ("lines", with_record(describe=broken.describe_in_a_breath), "which is not one line of text"),
    ("lines", with_record(describe=broken.describe_only_the_end), "is described as ''"),
    ("questions", with_record(questions=broken.questions_with_bad_options), "which is no answer"),
    ("questions", with_record(questions=broken.questions_of_a_twin), "two open questions have one id"),
    ("recommended-answers", with_rules(default_answer=broken.answer_what_was_not_asked), "is refused"),
    ("recommended-answers", with_rules(default_answer=broken.answer_by_acting), "not among the answers"),
    ("choices", with_rules(choices=broken.choices_of_another_game), "the choice 'castle' is no command"),
    ("choices", with_rules(choices=broken.choices_with_a_strange_field), "asks for 'whom'"),
    ("choices", with_rules(choices=broken.choices_at_the_wrong_time), "offered while a question blocks it"),
]


@pytest.mark.parametrize(
    "check,ruleset,words", FAULTS, ids=[f"{check}: {words}" for check, _, words in FAULTS]
)
def test_the_kit_names_the_fault(check, ruleset, words):
    with pytest.raises(ContractBroken) as broken_contract:
        check_ruleset(ruleset, PLAYS, only=[check])
    assert words in str(broken_contract.value)
    assert {fault.check for fault in broken_contract.value.faults} == {check}


def test_a_parameter_without_a_recommended_value_is_a_fault():
    with pytest.raises(ContractBroken) as broken_contract:
        check_ruleset(with_record(parameters=broken.WithoutDefault), PLAYS, only=["parameters"])
    assert "there is no table to begin with" in str(broken_contract.value)
    assert "WithoutDefault.bloody has no recommended value" in str(broken_contract.value)


def test_every_check_is_shown_to_catch_something():
    elsewhere = {"plays", "record-stands-alone"}
    assert {check for check, _, _ in FAULTS} | elsewhere == set(CHECKS)


@pytest.mark.parametrize(
    "play,words",
    [
        (example(EndTurn()), "step 1 (EndTurn) was refused: Begin the duel first. (duel-not-begun)"),
        (
            example(*COURTYARD, step(EndTurn(), refused="down")),
            "step 6 (EndTurn) should be refused (down) and was not",
        ),
        (example(*COURTYARD, step(EndTurn(), dice=(3,))), "nothing threw [3]"),
        (example(step(EndTurn(), refused="duel-not-begun")), "no command of any play was accepted"),
    ],
)
def test_a_play_that_goes_otherwise_than_it_says_is_a_fault(play, words):
    with pytest.raises(ContractBroken, match="- plays: ") as broken_contract:
        check_ruleset(RULESET, [play], only=["plays"])
    assert words in str(broken_contract.value)


def test_a_random_player_who_is_never_heard_is_a_fault():
    with pytest.raises(ContractBroken, match="nothing the random player wished was legal"):
        check_ruleset(RULESET, [example(ANN)], wander=lambda _state, _chance: EndTurn(), only=["plays"])


def test_all_faults_are_told_at_once():
    ruleset = replace(
        with_record(audience=broken.audience_of_all), rules=with_rules(odds=broken.odds_of_a_gambler).rules
    )
    with pytest.raises(ContractBroken) as broken_contract:
        check_ruleset(ruleset, PLAYS, only=["odds", "hidden-things-stay-hidden"])
    assert {fault.check for fault in broken_contract.value.faults} == {"odds", "hidden-things-stay-hidden"}


def test_a_question_asked_for_ever_is_a_fault():
    """The random player is kept out: the play itself ends with the question open."""
    waiting = example(*LOW_BLOW.steps[:9])
    with pytest.raises(ContractBroken, match="50 recommended answers leave 'interpose' open"):
        check_ruleset(
            with_rules(decide=broken.decide_to_ask_for_ever), [waiting], only=["recommended-answers"]
        )


def test_events_told_twice_are_a_fault():
    """The wound is dealt only once a hit point is left to lose, so the second telling still folds."""
    hit = example(*COURTYARD, *AT_THE_TABLE.steps[5:9])
    with pytest.raises(ContractBroken, match="is in the field 'roll' of 2 events"):
        check_ruleset(with_rules(decide=broken.decide_twice_told), [hit], only=["rolls-are-told"])


def _package(folder, name, **files):
    (folder / name).mkdir()
    for module, text in files.items():
        (folder / name / f"{module}.py").write_text(text)
    return f"{name}:RULESET"


TOP = """from dataclasses import replace
from tabletape_duel import RULESET as DUEL
{imports}
def load():
    from {name} import rules
    return rules.RULES
def evolve(state, event):
    {first}
    return DUEL.record.evolve(state, event)
RULESET = replace(DUEL, record=replace(DUEL.record, evolve=evolve), rules={{1: load}})
"""
RULES_MODULE = "from tabletape_duel.rules import RULES\n"


def test_a_record_half_that_stands_alone_is_read_without_rules(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    where = _package(
        tmp_path,
        "clean_duel",
        __init__=TOP.format(imports="", first="pass", name="clean_duel"),
        rules=RULES_MODULE,
    )
    check_ruleset(RULESET, PLAYS, where=where, only=["record-stands-alone"])


@pytest.mark.parametrize(
    "name,imports,first,words",
    [
        (
            "eager_duel",
            "from eager_duel import rules",
            "pass",
            "importing eager_duel:RULESET imports its rules",
        ),
        (
            "leaning_duel",
            "",
            "import leaning_duel.rules",
            "leaning_duel.rules belongs to the rules half, which is gone",
        ),
        (
            "forgetful_duel",
            "",
            "if type(event).__name__ == 'TurnEnded': return state",
            "fold to other tables",
        ),
        ("absent_duel", "import no_such_module", "pass", "No module named 'no_such_module'"),
    ],
)
def test_a_record_half_that_leans_on_the_rules_is_a_fault(tmp_path, monkeypatch, name, imports, first, words):
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    where = _package(
        tmp_path, name, __init__=TOP.format(imports=imports, first=first, name=name), rules=RULES_MODULE
    )
    with pytest.raises(ContractBroken) as broken_contract:
        check_ruleset(RULESET, PLAYS, where=where, only=["record-stands-alone"])
    assert words in str(broken_contract.value)


def test_a_ruleset_without_entry_point_has_to_say_where_it_is():
    with pytest.raises(ContractBroken, match="no entry point 'brawl'"):
        check_ruleset(replace(RULESET, slug="brawl"), PLAYS, only=["record-stands-alone"])


def test_a_step_that_is_no_command_of_the_game_is_a_fault():
    with pytest.raises(ContractBroken, match="raised"):
        check_ruleset(RULESET, [example(*COURTYARD, broken.Untagged(duellist="ann"))], only=["plays"])


def test_a_play_that_breaks_off_is_checked_up_to_there():
    """Faults before the break are still told."""
    play = example(
        *COURTYARD, Attack(attacker="ann", target="bob"), Adjust(duellist="nobody", reason="None.")
    )
    with pytest.raises(ContractBroken) as broken_contract:
        check_ruleset(with_rules(odds=broken.odds_of_a_gambler), [play], only=["plays", "odds"])
    assert [fault.check for fault in broken_contract.value.faults] == ["plays", "odds"]
