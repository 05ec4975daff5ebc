"""People who play Anima Prime at random, legally unless told to be daring.

`Player` looks at the table and says what happens next, whatever the dice show, so that it can drive any
recorder: ask it, issue the command, look at the new state, ask again. `random_session` does that in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from anima_prime.daring import anything
from anima_prime.people import HEROES, OPPONENTS, hero, opponent
from anima_prime.talk import answer, between, in_conflict
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.state import State
from rulesets.contract import Command, Event, RuleViolation
from rulesets.testing.scripted_dice import AnyDice
from rulesets.testing.steps import heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One accepted command of a random session: what it threw, what it led to, and the table before and after."""

    command: Command
    faces: tuple[int, ...]
    events: tuple[Event, ...]
    before: State
    after: State


@dataclass(slots=True)
class Player:
    """Everybody at the table at once: says what happens next.

    `daring` is the chance that the next command is tried without looking whether it is legal.
    """

    random: Random
    daring: float = 0.0

    def next(self, state: State) -> Command:
        """The next command on this table. With `daring` 0 it is legal."""
        if self.random.random() < self.daring:
            return anything(self.random, state)
        if state.open_roll is not None and state.open_roll.asks is not None:
            return answer(self.random, state)
        missing = [name for name in (*HEROES, *OPPONENTS) if name not in state.characters]
        if missing:
            return (
                hero(self.random, missing[0]) if missing[0] in HEROES else opponent(self.random, missing[0])
            )
        return (
            in_conflict(self.random, state)
            if state.conflict.status == "running"
            else between(self.random, state)
        )


def play(random: Random, actions: int, *, daring: float = 0.0, state: State | None = None) -> Iterator[Move]:
    """Moves of a random session, until so many were accepted. Refused tries are passed over."""
    rules = RULESET.rules[RULESET.current]()
    table = RULESET.record.start(RULESET.record.parameters()) if state is None else state
    player, number, accepted = Player(random, daring), 1, 0
    while accepted < actions:
        command, dice = player.next(table), AnyDice(random, first_number=number)
        try:
            lawful = heard(RULESET.record, rules, table, command, dice)
        except RuleViolation:
            if not daring:
                raise
            continue
        before, number = table, number + len(lawful.rolls)
        for event in lawful.events:
            table = RULESET.record.evolve(table, event)
        accepted += 1
        faces = tuple(die.face for roll in lawful.rolls for die in roll.dice)
        yield Move(command=command, faces=faces, events=lawful.events, before=before, after=table)


def random_session(random: Random, actions: int) -> list[tuple[Command, tuple[int, ...] | None]]:
    """A legal session of so many commands, set-up and answers included: each with the faces it threw, if any."""
    return [(move.command, move.faces or None) for move in play(random, actions)]
