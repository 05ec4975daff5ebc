"""Whole plays, run as a recorder would run them, with everything kept that a check may want to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

import msgspec

from rulesets.contract import Command, Event, Rules, Ruleset, RuleViolation
from rulesets.deciding import Lawful
from rulesets.dice import Dice, Roll
from rulesets.testing.scripted_dice import AnyDice, ScriptedDice
from rulesets.testing.steps import Step, as_step, heard

Wander: TypeAlias = "Callable[[Any, Random], Command | Step | None]"
"""A random player: from the table and a source of chance to the next command; None ends the play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A scripted play under some parameters (None for the recommended ones)."""

    steps: tuple[Command | Step, ...]
    parameters: msgspec.Struct | None = None


def example(*steps: Command | Step, parameters: msgspec.Struct | None = None) -> Example:
    """A scripted play. Steps without faces throw any dice; every step must be legal unless it says `refused`."""
    return Example(steps=steps, parameters=parameters)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One accepted command of a play: the table before it, and its events, each with the table after it."""

    before: Any
    command: Command
    events: tuple[Event, ...]
    states: tuple[Any, ...]
    rolls: tuple[Roll, ...]

    @property
    def facts(self) -> Iterator[tuple[Any, Event]]:
        """Its events in order, each behind the table it led to."""
        return zip(self.states, self.events, strict=True)

    @property
    def after(self) -> Any:
        """The table after the whole action."""
        return self.states[-1] if self.states else self.before


@dataclass(slots=True, kw_only=True)
class Play:
    """What came of a play, up to its end or to the first step that went wrong."""

    parameters: msgspec.Struct
    start: Any
    actions: list[Action] = field(default_factory=list)
    wishes: list[Command] = field(default_factory=list)
    """Everything asked for in this play, granted or not."""
    rolls: int = 0
    fault: str | None = None

    @property
    def state(self) -> Any:
        """The table now."""
        return self.actions[-1].after if self.actions else self.start

    @property
    def tables(self) -> Iterator[Any]:
        """The table between actions, from the beginning on."""
        yield self.start
        yield from (action.after for action in self.actions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A ruleset under examination, with the plays it was put through."""

    ruleset: Ruleset[Any]
    rules: Rules[Any]
    plays: tuple[Play, ...]
    where: str | None = None
    """`module:NAME` of the ruleset, for the check that needs a fresh interpreter."""

    @property
    def actions(self) -> Iterator[Action]:
        """Every accepted command of every play."""
        return (action for play in self.plays for action in play.actions)

    @property
    def tables(self) -> Iterator[Any]:
        """Every table between actions of every play."""
        return (state for play in self.plays for state in play.tables)

    def lawful(self, state: Any, command: Command, dice: Dice, overrule: Sequence[str] = ()) -> Lawful:
        """What the command leads to on this table. Raises what `heard` raises."""
        return heard(self.ruleset.record, self.rules, state, command, dice, overruled=overrule)


def run_example(ruleset: Ruleset[Any], scripted: Example) -> Play:
    """Play the steps; any surprise stops the play and is its `fault`."""
    play = _opened(ruleset, scripted.parameters)
    steps = [as_step(item) for item in scripted.steps]
    play.wishes = [this.command for this in steps]
    chance = Random(1)  # noqa: S311 - the same dice in every run, on purpose
    _run(ruleset, play, steps, chance, forgiving=False)
    return play


def run_random(
    ruleset: Ruleset[Any], openings: Sequence[Play], wander: Wander, seed: int, length: int
) -> Play:
    """Let a random player go on from somewhere in one of these plays; being refused is no surprise there."""
    chance = Random(seed)  # noqa: S311 - the same play in every run, on purpose
    opening = chance.choice(openings)
    known = opening.actions[: chance.randint(0, len(opening.actions))]
    play = Play(parameters=opening.parameters, start=opening.start, actions=known)
    play.rolls = sum(len(action.rolls) for action in known)

    def steps() -> Iterator[Step]:
        for _ in range(length):
            wish = wander(play.state, chance)
            if wish is None:
                return
            this = as_step(wish)
            play.wishes.append(this.command)
            yield this

    begun = len(known)
    _run(ruleset, play, steps(), chance, forgiving=True)
    if len(play.actions) == begun and play.fault is None:
        play.fault = f"seed {seed}: nothing the random player wished was legal"
    return play


def _opened(ruleset: Ruleset[Any], parameters: msgspec.Struct | None) -> Play:
    chosen = ruleset.record.parameters() if parameters is None else parameters
    return Play(parameters=chosen, start=ruleset.record.start(chosen))


def _run(
    ruleset: Ruleset[Any], play: Play, steps: Iterable[Step], chance: Random, *, forgiving: bool
) -> None:
    subject = Subject(ruleset=ruleset, rules=ruleset.rules[ruleset.current](), plays=())
    for number, this in enumerate(steps, 1):
        try:
            play.fault = _take(subject, play, this, chance, forgiving=forgiving)
        except Exception as error:  # noqa: BLE001 - whatever a ruleset raises is its fault and must be told
            play.fault = f"raised {error!r}"
        if play.fault is not None:
            play.fault = f"step {number} ({type(this.command).__name__}) {play.fault}"
            return


def _take(subject: Subject, play: Play, this: Step, chance: Random, *, forgiving: bool) -> str | None:
    """Take one step of a play. Answers what is wrong with it, if anything."""
    dice: ScriptedDice
    if this.dice is None:
        dice = AnyDice(chance, source=this.source, first_number=play.rolls + 1)
    else:
        dice = ScriptedDice(this.dice, source=this.source, first_number=play.rolls + 1)
    try:
        subject.rules.permits(play.state, this.command, this.by)
        lawful = subject.lawful(play.state, this.command, dice, this.overrule)
        dice.refuse_leftovers()
    except RuleViolation as refusal:
        expected = refusal.code == this.refused or forgiving
        return None if expected else f"was refused: {refusal}"
    if this.refused is not None:
        return f"should be refused ({this.refused}) and was not"
    play.actions.append(_action(subject, play.state, this.command, lawful))
    play.rolls += len(lawful.rolls)
    return None


def _action(subject: Subject, state: Any, command: Command, lawful: Lawful) -> Action:
    before, states = state, []
    for event in lawful.events:
        state = subject.ruleset.record.evolve(state, event)
        states.append(state)
    return Action(
        before=before, command=command, events=lawful.events, states=tuple(states), rolls=lawful.rolls
    )
