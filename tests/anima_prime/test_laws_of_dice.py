"""Laws of the game that hold in every session: dice, actions, marks and goals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import given

from anima_prime.people import earned
from anima_prime.play import Move
from anima_prime.sessions import SEEDS, few, session
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
