"""Laws of the record that hold in every session: folding, refusing, asking, telling, hiding."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given

from anima_prime.play import Player, play, random_session
from anima_prime.sessions import RECORD, SEEDS, chance, current_rules, few, session
from anima_prime.table import foe, player
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import Maneuver
from rulesets.anima_prime.state import State
from rulesets.contract import Command, RuleViolation
from rulesets.dice import Roll
from rulesets.people import GM, OBSERVER
from rulesets.testing import given as table_with
from rulesets.testing.scripted_dice import AnyDice
from rulesets.testing.steps import heard


@few
@given(SEEDS)
def test_the_fold_of_the_events_is_the_live_state(seed) -> None:
    """Replaying what was written, through its written form, gives the same table."""
    moves = session(seed, 60)
    state = RECORD.start(RECORD.parameters())
    for event in (event for move in moves for event in move.events):
        written = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
        assert written == event
        state = RECORD.evolve(state, written)
    assert state == moves[-1].after
    assert msgspec.json.decode(msgspec.json.encode(state), type=RECORD.state) == state


@few
@given(SEEDS)
def test_evolving_changes_nothing_that_was(seed) -> None:
    """A table, once seen, stays as it was."""
    for move in session(seed, 60):
        state = move.before
        for event in move.events:
            seen = msgspec.json.encode(state)
            following = RECORD.evolve(state, event)
            assert msgspec.json.encode(state) == seen
            state = following
        assert state == move.after


@few
@given(SEEDS)
def test_the_same_dice_lead_to_the_same_events(seed) -> None:
    """Deciding again with the same faces gives the same facts."""
    again = session(seed, 60)
    assert [move.events for move in again] == [move.events for move in session(seed, 60)]


@few
@given(SEEDS)
def test_a_refusal_throws_nothing(seed: int) -> None:
    """Whatever is tried, a refused command has drawn no die and says what to do."""
    bold = Player(chance(seed), daring=1.0)
    refused = [
        _refusal(bold.next(move.after), move.after, seed) for move in session(seed, 40) for _ in range(8)
    ]
    for violation, thrown in ((violation, thrown) for violation, thrown in refused if violation):
        assert not thrown
        assert violation.message
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", violation.code)


def _refusal(command: Command, state: State, seed: int) -> tuple[RuleViolation | None, list[Roll]]:
    """Why a command is refused, if it is, and what was thrown."""
    dice = AnyDice(chance(seed))
    try:
        heard(RECORD, current_rules(), state, command, dice)
    except RuleViolation as violation:
        return violation, dice.rolls
    return None, dice.rolls


@few
@given(SEEDS)
def test_a_question_has_a_default_that_is_legal(seed) -> None:
    """Whoever is asked may leave it to the recommended answer."""
    rules = current_rules()
    for move in session(seed, 60):
        for question in RECORD.questions(move.after):
            answer = rules.default_answer(move.after, question)
            heard(RECORD, rules, move.after, answer, AnyDice(chance(seed)))
            assert question.options


@few
@given(SEEDS)
def test_a_maneuver_on_offer_is_legal(seed):
    """Whatever happened, the least and the most action dice a choice names are not refused."""
    rules = current_rules()
    for move in session(seed, 60):
        for choice in rules.choices(move.after, GM):
            dice = {field.name: field for field in choice.fields}.get("action_dice")
            for number in {dice.minimum, dice.maximum} if dice and choice.type == "maneuver" else ():
                wish = Maneuver(actor=choice.actor, action_dice=number)
                assert not list(rules.refusals(move.after, wish))


@few
@given(SEEDS)
def test_every_action_has_a_line(seed) -> None:
    """The timeline says something for everything that happened, and nothing is written in two lines."""
    for move in session(seed, 60, daring=0.2):
        if move.events:
            line = RECORD.describe(move.after, move.events)
            assert line.strip()
            assert "\n" not in line


QUEEN = foe("veiled", "individual", name="Hollow Queen", secret=True, competence=3, max_wounds=4)


@few
@given(SEEDS)
def test_the_hidden_shows_nowhere(seed) -> None:
    """A hidden opponent that plays along is in no player's view, choices, events or lines."""
    rules = current_rules()
    for viewer in (player("zadie"), OBSERVER):
        for number, move in enumerate(play(chance(seed), 70, state=table_with(RULESET, QUEEN).state)):
            visible = [event for event in move.events if RECORD.audience(move.after, event) == ("everyone",)]
            told = [
                msgspec.json.encode(visible).decode(),
                RECORD.describe(move.after, visible) if visible else "",
            ]
            if number % 5 == 0:
                told += [msgspec.json.encode(RECORD.view(move.after, viewer)).decode()]
                told += [msgspec.json.encode(rules.choices(move.after, viewer)).decode()]
            for text in told:
                assert "veiled" not in text
                assert "Hollow Queen" not in text
    assert "Hollow Queen" in msgspec.json.encode(RECORD.view(move.after, GM)).decode()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_random_session_is_repeatable(seed) -> None:
    """The same seed plays the same session."""
    assert random_session(chance(seed), 50) == random_session(chance(seed), 50)
    assert len(random_session(chance(seed), 50)) == 50
