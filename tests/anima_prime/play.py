"""People who play Anima Prime at random, legally unless told to be daring.

`Player` looks at the table and says what happens next, whatever the dice show, so that it can drive any
recorder: ask it, issue the command, look at the new state, ask again. `random_session` does that in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Literal

from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    Achieve,
    AddCharacter,
    AddGoal,
    Adjust,
    Announce,
    ApplyCondition,
    Changes,
    CharacterScene,
    EndConflict,
    EndRound,
    EndTurn,
    Enter,
    HelpAsked,
    Keep,
    Maneuver,
    Offer,
    RemoveCondition,
    Reroll,
    Rule,
    Settle,
    SpendToken,
    StartConflict,
    Strike,
    UsePower,
    Withdraw,
)
from rulesets.anima_prime.sheet import Bonus, DefenseEffect, DiceByType, Power, StoryEffect, Trait
from rulesets.anima_prime.state import Character, State
from rulesets.contract import Command, Die, Event, Roll, RuleViolation
from rulesets.deciding import lawful_events

HEROES = ("zadie", "rasheem", "mira", "okoro")
OPPONENTS = {"critters": "swarm", "bull": "individual", "demons": "squad"}
CONDITIONS = ("Blinded", "Empowered", "Quickened", "Shielded", "Slowed", "Weakened", "Hexed", "Poisoned")
BLAZE = Power(
    id="blaze",
    name="Blaze",
    kind="strike",
    cost=2,
    joins=("strike",),
    dice=DiceByType(individual=4, squad=3, swarm=2),
)
FLOURISH = Power(id="flourish", name="Flourish", kind="boost", cost=1, joins=("maneuver", "strike"), dice=1)
SMOKE = Power(id="smoke", name="Smoke", kind="action", cost=1, effect="Nobody sees their own hand")


class FairDice:
    """Dice of a server: any number of them, from a source of chance that can be repeated."""

    def __init__(self, random: Random, first_number: int = 1) -> None:
        self._random = random
        self._next = first_number
        self.rolls: list[Roll] = []

    @property
    def source(self) -> Literal["server", "table"]:
        return "server"

    def roll(self, purpose: str, wanted: Sequence[tuple[str, int]]) -> Roll:
        dice = tuple(
            Die(face=self._random.randint(1, sides), origin=origin, sides=sides) for origin, sides in wanted
        )
        roll = Roll(number=self._next, purpose=purpose, dice=dice)
        self._next += 1
        self.rolls.append(roll)
        return roll

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face thrown so far."""
        return tuple(die.face for roll in self.rolls for die in roll.dice)


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
            return self._anything(state)
        if state.open_roll is not None and state.open_roll.asks is not None:
            return self._answer(state)
        missing = [name for name in (*HEROES, *OPPONENTS) if name not in state.characters]
        if missing:
            return self._hero(missing[0]) if missing[0] in HEROES else self._opponent(missing[0])
        return self._in_conflict(state) if state.conflict.status == "running" else self._between(state)

    # --- setting up -----------------------------------------------------------------------------------------

    def _hero(self, name: str) -> AddCharacter:
        return AddCharacter(
            id=name,
            side="pcs",
            kind="pc",
            action=self.random.randint(4, 10),
            action_max=10,
            defense=2,
            max_wounds=3,
            traits=tuple(
                Trait(name=trait, marked=self.random.random() < 0.5) for trait in ("Bold", "Loyal", "Sly")
            ),
            powers=("heroics", BLAZE, FLOURISH, SMOKE),
        )

    def _opponent(self, name: str) -> AddCharacter:
        return AddCharacter(
            id=name,
            side="adversity",
            kind=OPPONENTS.get(name, "squad"),  # type: ignore[arg-type]  # the table above holds only kinds
            action=self.random.randint(6, 14),
            defense=self.random.randint(1, 5),
            max_wounds=self.random.randint(1, 4),
            competence=self.random.choice((None, 1, 3)),
        )

    # --- between conflicts ----------------------------------------------------------------------------------

    def _between(self, state: State) -> Command:
        heroes = [one for one in state.characters.values() if one.side == "pcs"]
        wounded = [one for one in heroes if one.wounds]
        if wounded and self.random.random() < 0.7:
            return self._scene(state, self.random.choice(wounded), "heal")
        empty = [one for one in heroes if one.action_max is not None and one.action < one.action_max]
        if empty and self.random.random() < 0.7:
            return self._scene(state, self.random.choice(empty), "refill")
        if all(one.wounds >= one.max_wounds for one in heroes):
            return self._scene(state, heroes[0], "heal")
        fresh = [one for one in state.characters.values() if one.side == "adversity" and not one.used]
        if not fresh:
            return self._opponent(f"foe-{len(state.characters)}")
        return StartConflict(first=self.random.choice(("pcs", "adversity", "roll")), title="Again")

    def _scene(self, state: State, hero: Character, benefit: Literal["heal", "refill"]) -> CharacterScene:
        return CharacterScene(
            character=hero.id,
            benefit=benefit,
            scene=f"Scene {state.conflict.number}-{self.random.randrange(10**9)}",
        )

    # --- in a conflict --------------------------------------------------------------------------------------

    def _in_conflict(self, state: State) -> Command:
        heroes, opponents = _active(state, "pcs"), _active(state, "adversity")
        if not heroes or not opponents:
            return EndConflict(outcome="victory" if heroes else "defeat")
        if self.random.random() < 0.15:
            return self._aside(state)
        ready = [one for one in (heroes if state.conflict.turn == "pcs" else opponents) if not one.acted]
        if not ready or self.random.random() < 0.04:
            return EndTurn()
        return self._act(state, self.random.choice(ready))

    def _act(self, state: State, actor: Character) -> Command:
        ways: list[Callable[[], Command]] = []
        if actor.action:
            ways += [lambda: self._maneuver(state, actor)] * 3
        if actor.strike:
            ways += [lambda: self._strike(state, actor, free=False)] * 2
            ways += [lambda: self._achieve(state, actor)] * bool(_open_goals(state, actor))
        if actor.charge >= 2 and SMOKE in actor.powers:
            ways.append(lambda: UsePower(actor=actor.id, power="smoke"))
        return self.random.choice(ways)() if ways else EndTurn()

    def _maneuver(self, state: State, actor: Character) -> Maneuver:
        friends = (
            [one for one in _active(state, "pcs") if one.id != actor.id and one.action]
            if actor.side == "pcs"
            else []
        )
        able = [one for one in friends if not one.acted]
        helpers = self._some(able, 0.15)
        givers = self._some([one for one in friends if one not in helpers], 0.25)
        master = ("gm",) if actor.side == "pcs" and self.random.random() < 0.1 else ()
        return Maneuver(
            actor=actor.id,
            action_dice=self._up_to(min(3, actor.action)),
            helpers=tuple(
                HelpAsked(character=one.id, action_dice=self._up_to(min(3, one.action))) for one in helpers
            ),
            gifts=(*(one.id for one in givers), *master),
            bonus=self._bonus(actor),
            no_reroll=self.random.random() < 0.1,
        )

    def _bonus(self, actor: Character) -> tuple[Bonus, ...]:
        if self.random.random() > 0.2:
            return ()
        return (
            Bonus(dice=self._up_to(2), source="Whip", charge=self.random.randint(0, min(1, actor.charge))),
        )

    def _strike(self, state: State, actor: Character, *, free: bool) -> Strike:
        targets = _active(state, "pcs" if actor.side == "adversity" else "adversity")
        two = len(targets) > 1 and actor.awesome_tokens >= (3 if free else 2) and self.random.random() < 0.7
        costly = any(condition.power_cost for condition in actor.conditions)
        blaze = BLAZE in actor.powers and actor.charge >= 2 + costly and self.random.random() < 0.5
        return Strike(
            actor=actor.id,
            targets=tuple(one.id for one in self.random.sample(targets, 1 + two)),
            strike_dice=self._up_to(min(6, actor.strike)),
            power="blaze" if blaze else None,
            free=free,
        )

    def _achieve(self, state: State, actor: Character) -> Achieve:
        goal = state.goals[self.random.choice(_open_goals(state, actor))]
        friends = [
            one for one in _active(state, actor.side) if one.id != actor.id and one.strike and not one.acted
        ]
        together = goal.participation == "joint" and actor.side == "pcs"
        helpers = self._some(friends, 0.5) if together else []
        dice = {actor.id: self._up_to(min(8, actor.strike))}
        for one in helpers:
            dice[one.id] = self._up_to(min(2, one.strike))
        return Achieve(
            actor=actor.id,
            goal=goal.id,
            strike_dice=dice,
            power="heroics" if "heroics" in actor.powers and actor.charge >= 3 else None,
        )

    def _aside(self, state: State) -> Command:
        someone = self.random.choice([one for one in state.characters.values() if one.status == "active"])
        rich = [one for one in _active(state, "pcs") if one.awesome_tokens and one.strike]
        ways: list[Callable[[], Command]] = [
            lambda: self._goal(state),
            lambda: ApplyCondition(character=someone.id, condition=self.random.choice(CONDITIONS)),
            lambda: Announce(actor=someone.id, kind="maneuver", text="Watch this"),
            lambda: Adjust(character=someone.id, changes=Changes(action=1, strike=1), reason="We forgot"),
            lambda: Rule(question="Does it rain?", answer="It pours"),
            lambda: Offer(giver=self.random.choice(_active(state, "pcs")).id, to="all", gift=True),
        ]
        ways += [lambda: self._strike(state, self.random.choice(rich), free=True)] * (4 if rich else 0)
        ways += [lambda: SpendToken(payer=rich[0].id, tokens=1, text="A lucky find")] if rich else []
        ways += [lambda: self._cured(someone)] if someone.conditions else []
        ways += [lambda: Withdraw(character=someone.id)] * (self.random.random() < 0.1)
        ways += [EndRound] * (self.random.random() < 0.3)
        ways += [
            partial(Enter, character=one.id) for one in state.characters.values() if one.status == "withdrawn"
        ]
        return self.random.choice(ways)()

    def _cured(self, someone: Character) -> RemoveCondition:
        return RemoveCondition(character=someone.id, condition=self.random.choice(someone.conditions).name)

    def _goal(self, state: State) -> AddGoal:
        number = len(state.goals)
        opponent = self.random.choice(_active(state, "adversity")).id
        effect = self.random.choice(
            (DefenseEffect(character=opponent, change=-1), StoryEffect(text="The road is free"))
        )
        return AddGoal(
            id=f"goal-{number}",
            name=f"Goal {number}",
            difficulty=self.random.randint(1, 6),
            effects=(effect,),
            participation=self.random.choice(("joint", "solo")),
            scope="individual" if self.random.random() < 0.2 else "group",
            side=self.random.choice(("any", "any", "pcs", "adversity")),
            after=f"goal-{number - 1}" if number and self.random.random() < 0.3 else None,
        )

    # --- answers --------------------------------------------------------------------------------------------

    def _answer(self, state: State) -> Command:
        roll = state.open_roll
        if roll.asks == "keep":
            return self._keep(state)
        marked = [trait.name for trait in state.characters[roll.actor].traits if trait.marked]
        return Reroll(trait=self.random.choice(marked)) if self.random.random() < 0.6 else Settle()

    def _keep(self, state: State) -> Keep:
        strike, charge = earned(state, state.open_roll.dice)
        limit = state.open_roll.earn_limit
        kept = self.random.randint(max(0, limit - charge), min(strike, limit))
        return Keep(strike=kept, charge=limit - kept)

    # --- daring ---------------------------------------------------------------------------------------------

    def _anything(self, state: State) -> Command:
        ids = [*state.characters, "nobody", "gm"]
        one, other = self.random.choice(ids), self.random.choice(ids)
        few = self.random.randint(0, 9)
        goal = self.random.choice([*state.goals, "nothing"])
        return self.random.choice(
            (
                Maneuver(actor=one, action_dice=few, gifts=(other,)),
                Maneuver(actor=one, action_dice=1, helpers=(HelpAsked(character=other, action_dice=few),)),
                Strike(actor=one, targets=(other,), strike_dice=few, free=self.random.random() < 0.5),
                Strike(actor=one, targets=(other, self.random.choice(ids)), strike_dice=1, power="blaze"),
                Achieve(actor=one, goal=goal, strike_dice={one: few, other: 1}, power="heroics"),
                UsePower(
                    actor=one, power=self.random.choice(("smoke", "heroics", "nonsense")), targets=(other,)
                ),
                SpendToken(payer=one, tokens=1 + few, text="For luck"),
                Keep(strike=few, charge=5),
                Reroll(trait=self.random.choice(("Bold", "Nobody's"))),
                Settle(),
                Enter(character=one),
                Withdraw(character=one),
                EndTurn(),
                EndRound(),
                StartConflict(first="roll"),
                CharacterScene(character=one, benefit=self.random.choice(("heal", "refill"))),
                Adjust(
                    character=one,
                    changes=Changes(strike=few - 5, wounds=self.random.randint(-2, 2)),
                    reason="Oops",
                ),
                ApplyCondition(character=one, condition="Blinded"),
                RemoveCondition(character=one, condition="Blinded"),
                Offer(giver=one, to=other, gift=True, help_dice=few),
            )
        )

    # --- chance ---------------------------------------------------------------------------------------------

    def _up_to(self, most: int) -> int:
        return self.random.randint(1, most)

    def _some(self, people: Sequence[Character], chance: float) -> list[Character]:
        return [one for one in people if self.random.random() < chance]


def _active(state: State, side: str) -> list[Character]:
    return [one for one in state.characters.values() if one.side == side and one.status == "active"]


def _open_goals(state: State, actor: Character) -> list[str]:
    return [
        goal.id
        for goal in state.goals.values()
        if goal.status == "open" and goal.side in ("any", actor.side) and actor.id not in goal.achievers
    ]


def earned(state: State, dice: Sequence[Die]) -> tuple[int, int]:
    """Strike and charge successes among these dice, counted by hand: 3 to 5, and 6 (6.4)."""
    success, charge = state.parameters.success_face, state.parameters.maneuver.charge_face
    return (
        sum(success <= die.face < charge for die in dice),
        sum(die.face >= max(charge, success) for die in dice),
    )


def play(random: Random, actions: int, *, daring: float = 0.0, state: State | None = None) -> Iterator[Move]:
    """Moves of a random session, until so many were accepted. Refused tries are passed over."""
    rules = RULESET.rules[RULESET.current]()
    table = RULESET.record.start(RULESET.record.parameters()) if state is None else state
    player, number, accepted = Player(random, daring), 1, 0
    while accepted < actions:
        command, dice = player.next(table), FairDice(random, number)
        try:
            lawful = lawful_events(
                rules, table, command, dice, open_questions=RULESET.record.questions(table)
            )
        except RuleViolation:
            if not daring:
                raise
            continue
        before, number = table, number + len(dice.rolls)
        for event in lawful.events:
            table = RULESET.record.evolve(table, event)
        accepted += 1
        yield Move(command=command, faces=dice.faces, events=lawful.events, before=before, after=table)


def random_session(random: Random, actions: int) -> list[tuple[Command, tuple[int, ...] | None]]:
    """A legal session of so many commands, set-up and answers included: each with the faces it threw, if any."""
    return [(move.command, move.faces or None) for move in play(random, actions)]
