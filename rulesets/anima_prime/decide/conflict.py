"""6.1, 6.3, 6.7: starting a conflict, its turns and rounds, its end; and the scenes between conflicts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rulesets.anima_prime.commands import CharacterScene, EndConflict, Enter, StartConflict, Withdraw
from rulesets.anima_prime.conditions import condition_of
from rulesets.anima_prime.decide.folding import fold
from rulesets.anima_prime.events import (
    CharacterEntered,
    CharacterSettled,
    CharacterWithdrew,
    ConditionApplied,
    ConditionRemoved,
    ConflictEnded,
    ConflictStarted,
    DiceLost,
    Event,
    FirstSideRolled,
    GoalLeftUnresolved,
    RoundEnded,
    ScenePlayed,
    TokensSpent,
    TurnPassed,
)
from rulesets.anima_prime.participants import bearers_of, scene_of, starters
from rulesets.anima_prime.reckoning import capped
from rulesets.anima_prime.sheet import Side
from rulesets.anima_prime.state import Character, State, active, goals_of, seated
from rulesets.dice import Dice


def start_conflict(state: State, command: StartConflict, dice: Dice) -> list[Event]:
    """6.1: round 1, everybody enters, starting conditions lie on them; dice may say who begins."""
    entering = starters(state, command)
    first: Side | None = None if command.first == "roll" else command.first
    started = ConflictStarted(
        number=state.conflict.number + 1,
        title=command.title,
        first=first,
        group_competence=state.parameters.gc.start,
    )
    events: list[Event] = [started, *(_first_side(dice) if first is None else ())]
    events += [CharacterEntered(character=one.id) for one in entering]
    for starting in command.conditions:
        condition = condition_of(starting.condition, starting.until)
        if condition is not None:
            bearers = bearers_of(starting, entering)
            events += [ConditionApplied(character=who, condition=condition) for who in bearers]
    table = fold(state, events)
    return [*events, *turn_begins(table, table.conflict.turn)]


def _first_side(dice: Dice) -> Iterator[Event]:
    """6.3: a die of a player and one of the GM; the higher side begins, a tie is thrown again."""
    while True:
        roll = dice.roll("first", [("pcs", 6), ("adversity", 6)])
        ours, theirs = (die.face for die in roll.dice)
        if ours != theirs:
            yield FirstSideRolled(roll=roll, first="pcs" if ours > theirs else "adversity")
            return
        yield FirstSideRolled(roll=roll)


def enter(command: Enter) -> list[Event]:
    """6.1: somebody joins the conflict."""
    return [CharacterEntered(character=command.character)]


def withdraw(command: Withdraw) -> list[Event]:
    """6.7: somebody leaves it, in words and without dice."""
    return [CharacterWithdrew(character=command.character, text=command.text)]


def end_turn(state: State) -> list[Event]:
    """6.3: the turn passes to the other side; after the second side's turn the round is over."""
    conflict = state.conflict
    if conflict.turn != conflict.first:
        return end_round(state)
    other: Side = "adversity" if conflict.turn == "pcs" else "pcs"
    ending = active(state, "adversity" if other == "pcs" else "pcs")
    return [TurnPassed(to=other), *_run_out(ending, "turn"), *turn_begins(state, other)]


def end_round(state: State) -> list[Event]:
    """6.3, 6.4: both turns are over; Group Competence rises if a gift die was given."""
    events = [
        RoundEnded(round=state.conflict.round, raised=_rise(state)),
        *_run_out(seated(state), "turn", "round"),
    ]
    table = fold(state, events)
    return [*events, *turn_begins(table, table.conflict.turn)]


def _rise(state: State) -> int:
    """6.4: by one step, up to the maximum, once a round."""
    reading, conflict = state.parameters.gc, state.conflict
    due = reading.policy == "every-round" or (reading.policy == "gift-die-per-round" and conflict.gift_given)
    return max(0, min(reading.step, reading.max - conflict.group_competence)) if due else 0


def _run_out(people: tuple[Character, ...], *until: str) -> list[Event]:
    """Conditions that last a turn or a round end with it."""
    return [
        ConditionRemoved(character=one.id, condition=condition.name)
        for one in people
        for condition in one.conditions
        if condition.until in until
    ]


def turn_begins(state: State, side: Side | None) -> Iterator[Event]:
    """Conditions that take action dice take them now, and end when there are none left."""
    for one in () if side is None else active(state, side):
        have = one.action
        for condition in one.conditions:
            taken = min(condition.action_loss, have)
            have -= taken
            if taken:
                yield DiceLost(character=one.id, pool="action", dice=taken, cause=condition.name)
            if condition.action_loss and not have:
                yield ConditionRemoved(
                    character=one.id, condition=condition.name, cause="no action dice left"
                )


def end_conflict(state: State, command: EndConflict) -> list[Event]:
    """6.7: last uses of tokens, then open goals are left unresolved, then the pools settle."""
    ended: list[Event] = [ConflictEnded(outcome=command.outcome, text=command.text)]
    ended += [TokensSpent(character=one.payer, tokens=one.tokens, text=one.text) for one in command.tokens]
    rulings = {ruling.goal: ruling for ruling in command.goals}
    for goal in goals_of(state):
        if goal.status in ("open", "locked"):
            ruling = rulings.get(goal.id)
            ended.append(
                GoalLeftUnresolved(goal=goal.id)
                if ruling is None
                else GoalLeftUnresolved(goal=goal.id, status=ruling.status, text=ruling.text)
            )
    table = fold(state, ended)
    return [
        *ended,
        *chain.from_iterable(_settled(table, one) for one in seated(table) if one.status != "reserve"),
    ]


def _settled(state: State, one: Character) -> Iterator[Event]:
    """6.7: strike dice go, charge dice are halved rounding down, tokens and conditions end; all as the table reads it."""
    reading = state.parameters.end
    kept = {"half": one.charge // 2, "keep": one.charge, "zero": 0}[reading.charge]
    clears = reading.conditions == "clear"
    yield CharacterSettled(
        character=one.id,
        strike_lost=one.strike if reading.strike == "zero" else 0,
        charge_lost=one.charge - kept,
        tokens_expired=one.awesome_tokens if reading.tokens == "expire" else 0,
        conditions=tuple(borne.name for borne in one.conditions if clears and borne.until != "removed"),
        to_reserve=True,
    )


def character_scene(state: State, command: CharacterScene) -> list[Event]:
    """Scene benefits of the first edition: a wound healed, the Action Pool filled, a trait marked."""
    one = state.characters[command.character]
    return [
        ScenePlayed(
            character=one.id,
            benefit=command.benefit,
            scene=scene_of(state, command),
            healed=min(1, one.wounds) if command.benefit == "heal" else 0,
            filled=capped(one.action, one.action_max or 0, one.action_max)
            if command.benefit == "refill"
            else 0,
            trait=command.trait if command.benefit == "mark" else None,
            text=command.text,
        )
    ]
