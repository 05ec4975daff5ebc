"""The table as each person may see it: state, open questions, choices, odds."""

import json
from fractions import Fraction
from hashlib import sha256

import pytest
from sitting import ADA, BEN, Sitting, written

from eventlog.errors import CommandMalformed
from eventlog.history.points import tape_at
from projections.table import choices_for, odds_for, state_document
from rulesets.contract import RuleViolation
from rulesets.people import GM, OBSERVER, Viewer

ATTACK = b'{"type":"attack","attacker":"ada","target":"ben"}'


def test_the_state_hash_is_that_of_the_state_served(duel: Sitting) -> None:
    for viewer in (GM, ADA, OBSERVER):
        served = state_document(duel.tape, viewer)
        spelled = json.dumps(served.state, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert served.state_hash == sha256(spelled.encode()).hexdigest()
        assert (served.at, served.version) == (3, duel.tape.version)


def test_the_state_says_what_is_open_and_who_is_asked(duel: Sitting) -> None:
    assert state_document(duel.tape, GM).state["open"] == []
    duel.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
    (question,) = json.loads(written(state_document(duel.tape, OBSERVER)))["state"]["open"]
    assert (question["id"], question["kind"], question["asks"], question["blocking"]) == (
        "q1", "defense", ["ben"], True,
    )  # fmt: skip
    assert question["options"][0]["command"] == {"type": "defend", "defense": "parry", "question": "q1"}


def test_every_point_of_the_story_can_be_shown(duel: Sitting) -> None:
    before = state_document(duel.tape, GM)
    duel.act("attack", attacker="ada", target="ben", request={"dice": (6, 6, 6)})
    assert state_document(duel.tape, GM) != before
    assert state_document(tape_at(duel.store, duel.session, 3), GM) == before


def test_choices_are_for_whoever_asks(duel: Sitting) -> None:
    assert {choice.type for choice in choices_for(duel.tape, ADA)} == {"attack", "end_turn", "conceal_dagger"}
    assert "attack" not in {choice.type for choice in choices_for(duel.tape, BEN)}
    assert choices_for(duel.tape, OBSERVER) == ()


def test_a_closed_session_leaves_nothing_to_do(duel: Sitting) -> None:
    duel.act("close")
    for viewer in (GM, ADA):
        assert choices_for(duel.tape, viewer) == ()


def test_odds_are_exact(duel: Sitting) -> None:
    outcomes = odds_for(duel.tape, ADA, ATTACK)
    assert [Fraction(each.numerator, each.denominator) for each in outcomes] == [
        Fraction(160, 216), Fraction(56, 216),
    ]  # fmt: skip
    assert odds_for(duel.tape, ADA, b'{"type":"end_turn"}') == ()
    assert odds_for(duel.tape, ADA, b'{"type":"roll","count":2,"purpose":"x"}') == ()


@pytest.mark.parametrize(
    "viewer,raw,code",
    [
        (BEN, ATTACK, "not-allowed"),
        (ADA, b'{"type":"attack","attacker":"ada","target":"nobody"}', "unknown-duellist"),
        (GM, b'{"type":"attack","attacker":"ben","target":"ada"}', "not-your-turn"),
    ],
)
def test_odds_of_what_is_refused_are_refused_alike(
    duel: Sitting, viewer: Viewer, raw: bytes, code: str
) -> None:
    with pytest.raises(RuleViolation) as caught:
        odds_for(duel.tape, viewer, raw)
    assert caught.value.code == code


def test_odds_against_somebody_hidden_are_those_against_nobody(duel: Sitting) -> None:
    duel.act("add_duellist", id="canary", side="blue", skill=10, secret=True)
    errors = []
    for target in ("canary", "nobody"):
        with pytest.raises(RuleViolation) as caught:
            odds_for(duel.tape, ADA, ATTACK.replace(b"ben", target.encode()))
        errors.append((caught.value.code, caught.value.message.replace(target, "x")))
    assert errors[0] == errors[1]


def test_odds_wait_for_the_open_question(duel: Sitting) -> None:
    duel.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
    with pytest.raises(RuleViolation) as caught:
        odds_for(duel.tape, GM, b'{"type":"end_turn"}')
    assert caught.value.code == "question-open"
    assert odds_for(duel.tape, BEN, b'{"type":"defend","question":"q1","defense":"parry"}')


def test_odds_of_what_cannot_be_read_are_refused(duel: Sitting) -> None:
    with pytest.raises(CommandMalformed):
        odds_for(duel.tape, GM, b'{"type":"fly"}')
