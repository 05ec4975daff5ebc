"""What holds in every session, however it is played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anima_prime.play import FairDice, Move, Player, earned, play, random_session
from anima_prime.table import foe, player
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import Achieve, Maneuver, Strike, UsePower
from rulesets.anima_prime.events import (
    AchievementResolved,
    ChargePaid,
    ConflictStarted,
    DiceRerolled,
    DiceRolled,
    GoalAchieved,
    RoundEnded,
    StrikeResolved,
)
from rulesets.anima_prime.state import State
from rulesets.contract import GM, OBSERVER, Command, Roll, Rules, RuleViolation
from rulesets.deciding import lawful_events
from rulesets.testing import given as table_with

SEEDS = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
RECORD = RULESET.record


def chance(seed: int) -> Random:
    """Chance that can be repeated."""
    return Random(seed)  # noqa: S311 - a test wants the same dice again, not secret ones


def session(seed: int, actions: int = 90, daring: float = 0.0) -> list[Move]:
    """A random session, repeatable."""
    return list(play(chance(seed), actions, daring=daring))


def current_rules() -> Rules[State]:
    """Today's reading of the rule book."""
    return RULESET.rules[RULESET.current]()


def rolls(moves: list[Move], kind: type) -> Iterator[list[Move]]:
    """Each action of a kind with the answers it led to, up to the move that settled it."""
    group: list[Move] = []
    for move in moves:
        if isinstance(move.command, kind) or group:
            group.append(move)
            if move.after.open_roll is None:
                yield group
                group = []


def dice_of(group: list[Move]) -> list:
    """The dice of a roll as they lay in the end."""
    dice: list = []
    for event in (event for move in group for event in move.events):
        if isinstance(event, DiceRolled):
            dice = list(event.roll.dice)
        if isinstance(event, DiceRerolled):
            for place, die in zip(event.places, event.roll.dice, strict=True):
                assert dice[place].face <= 2, "only failed dice are thrown again"
                dice[place] = die
    return dice


def pool(state, name: str) -> dict[str, int]:
    """One pool of everybody."""
    return {one.id: getattr(one, name) for one in state.characters.values()}


def paid(group: list[Move]) -> Counter:
    """Charge dice paid in an action, by character."""
    count: Counter = Counter()
    for event in (event for move in group for event in move.events):
        if isinstance(event, ChargePaid):
            count[event.character] += event.charge
    return count


@few
@given(SEEDS)
def test_maneuvers_conserve_dice(seed) -> None:
    """Laws 1 and 2: what went in is gone and what was earned is there, or everything is back."""
    for group in rolls(session(seed), Maneuver):
        command, before, after = group[0].command, group[0].before, group[-1].after
        total = sum(earned(before, dice_of(group)))
        put_in = Counter({command.actor: command.action_dice})
        put_in.update({one.character: one.action_dice for one in command.helpers})
        put_in.update(giver for giver in command.gifts if giver != "gm")
        cost = put_in if total else Counter()
        assert pool(after, "action") == {
            who: dice - cost[who] for who, dice in pool(before, "action").items()
        }
        gained = sum(pool(after, "strike").values()) - sum(pool(before, "strike").values())
        gained += sum(pool(after, "charge").values()) - sum(pool(before, "charge").values())
        assert gained + sum(paid(group).values()) == min(before.parameters.maneuver.earn_limit, total)
        token = (
            after.characters[command.actor].awesome_tokens - before.characters[command.actor].awesome_tokens
        )
        assert token == (total >= 5 and after.characters[command.actor].side == "pcs")


@few
@given(SEEDS)
def test_strikes_and_achievements_conserve_dice(seed) -> None:
    """Law 3: strike dice come back from a failure and are used up by a success."""
    moves = session(seed)
    for group in (*rolls(moves, Strike), *rolls(moves, Achieve)):
        command, before, after = group[0].command, group[0].before, group[-1].after
        put_in = command.strike_dice if isinstance(command, Achieve) else {command.actor: command.strike_dice}
        used = Counter(put_in) if _succeeded(group) else Counter()
        assert pool(after, "strike") == {
            who: dice - used[who] for who, dice in pool(before, "strike").items()
        }
        assert pool(after, "charge") == {
            who: dice - paid(group)[who] for who, dice in pool(before, "charge").items()
        }
        assert pool(after, "action") == pool(before, "action")


def _succeeded(group: list[Move]) -> bool:
    for event in group[-1].events:
        if isinstance(event, AchievementResolved):
            return event.achieved
        if isinstance(event, StrikeResolved):
            return any(result.successes > result.defense for result in event.results)
    raise AssertionError("a settled roll has a result")


@few
@given(SEEDS)
def test_wounds_follow_the_successes(seed) -> None:
    """6.5: floor((successes - 1) / defense), as many as there are free circles."""
    for group in rolls(session(seed), Strike):
        for event in group[-1].events:
            for result in event.results if isinstance(event, StrikeResolved) else ():
                target = group[-1].before.characters[result.target]
                wounds = (result.successes - 1) // result.defense if result.successes > result.defense else 0
                assert result.wounds == min(wounds, target.max_wounds - target.wounds)
                assert result.surplus == wounds - result.wounds
                assert group[-1].after.characters[result.target].wounds == target.wounds + result.wounds


@few
@given(SEEDS)
def test_no_pool_below_zero_and_competence_only_rises(seed) -> None:
    """Law 4: pools from 0, wounds up to the circles; Group Competence from 1 to 4, by one in a round."""
    for move in session(seed, daring=0.2):
        for one in move.after.characters.values():
            assert min(one.action, one.strike, one.charge, one.awesome_tokens, one.wounds) >= 0
            assert one.wounds <= one.max_wounds
        before, after = move.before.conflict, move.after.conflict
        if after.number == before.number and after.number:
            ended = sum(isinstance(event, RoundEnded) for event in move.events)
            assert (
                before.group_competence <= after.group_competence <= min(4, before.group_competence + ended)
            )
            assert after.group_competence >= 1


@few
@given(SEEDS)
def test_one_action_in_a_round(seed) -> None:
    """Law 5: everybody acts at most once in a round, free actions aside."""
    acted: set[str] = set()
    for move in session(seed, daring=0.2):
        spent = _spends(move)
        assert not acted.intersection(spent)
        acted.update(spent)
        if any(isinstance(event, RoundEnded | ConflictStarted) for event in move.events):
            acted.clear()


def _spends(move: Move) -> list[str]:
    """Whose action of the round a command takes."""
    command = move.command
    if isinstance(command, Maneuver):
        return [command.actor, *(one.character for one in command.helpers)]
    if isinstance(command, Achieve):
        others = [who for who in command.strike_dice if who != command.actor]
        return others if command.free else [command.actor, *others]
    if isinstance(command, Strike | UsePower) and not command.free:
        return [command.actor]
    return []


@few
@given(SEEDS)
def test_marks_are_used_once(seed) -> None:
    """Law 6: a reroll unmarks one marked trait; within a conflict nothing marks it again."""
    for move in session(seed):
        rerolled = {(event.actor, event.trait) for event in move.events if isinstance(event, DiceRerolled)}
        before, after = _marks(move.before), _marks(move.after)
        assert before - after == rerolled
        if move.before.conflict.status == "running":
            assert after <= before


def _marks(state) -> set[tuple[str, str]]:
    return {(one.id, trait.name) for one in state.characters.values() for trait in one.traits if trait.marked}


@few
@given(SEEDS)
def test_goals_are_achieved_once(seed) -> None:
    """Law 7: nobody reopens goals here, so each is achieved once, individual ones once by each."""
    done: Counter = Counter()
    for move in session(seed):
        for event in move.events:
            if isinstance(event, GoalAchieved):
                goal = move.before.goals[event.goal]
                who = move.after.goals[event.goal].achievers[-1:] if goal.scope == "individual" else ()
                done[(event.goal, who)] += 1
    assert set(done.values()) <= {1}


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
    dice = FairDice(chance(seed))
    try:
        lawful_events(current_rules(), state, command, dice, open_questions=RECORD.questions(state))
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
            lawful_events(rules, move.after, answer, FairDice(chance(seed)), open_questions=(question,))
            assert question.options


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
