"""6.3 Action powers: the printed ones do what their row says, the table's own are words for the GM to apply."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import UsePower
from rulesets.anima_prime.conditions import condition_of
from rulesets.anima_prime.decide.actions import spends_action
from rulesets.anima_prime.decide.rolling import paid
from rulesets.anima_prime.decide.settling import wounded
from rulesets.anima_prime.events import (
    CharacterReturned,
    ConditionApplied,
    ConditionRemoved,
    DiceGained,
    DiceLost,
    Event,
    PowerUsed,
    WoundsHealed,
)
from rulesets.anima_prime.powers import Deed, power_used
from rulesets.anima_prime.reckoning import capped
from rulesets.anima_prime.state import Character, State


def use_power(state: State, command: UsePower) -> list[Event]:
    """Told, paid, done."""
    used = PowerUsed(
        actor=command.actor,
        power=command.power,
        targets=command.targets,
        amount=command.amount,
        text=command.text,
        free=command.free,
        spends_action=spends_action(state, free=command.free),
    )
    power = power_used(state.parameters, state.characters[command.actor], command.power)
    deed = None if power is None else power.deed
    return [used, *paid(state, command), *(() if deed is None else _done(state, command, deed))]


def _done(state: State, command: UsePower, deed: Deed) -> Iterator[Event]:
    actor = state.characters[command.actor]
    targets = [state.characters[target] for target in command.targets]
    harmed = targets[:1] if deed.heals == "second" else targets
    for target in harmed:
        yield from _conditions(deed, target)
        if deed.action_dice:
            yield from _gained(target, deed.action_dice, command.power)
        if deed.drains:
            yield from _drained(actor, target, min(deed.drains, command.amount or deed.drains), command.power)
        yield from wounded(target, max(0, min(deed.wounds, target.max_wounds - target.wounds)))
    for healed in _healed(deed, actor, targets):
        if healed.wounds and not any(condition.no_healing for condition in healed.conditions):
            yield WoundsHealed(character=healed.id, wounds=1)
            if deed.revives and healed.status == "defeated":
                yield CharacterReturned(character=healed.id)


def _healed(deed: Deed, actor: Character, targets: list[Character]) -> list[Character]:
    by_word = {"actor": [actor], "second": targets[1:2], "target": targets}
    return by_word[deed.heals] if deed.heals else []


def _conditions(deed: Deed, target: Character) -> Iterator[Event]:
    condition = None if deed.gives is None else condition_of(deed.gives)
    if condition is not None:
        yield ConditionApplied(character=target.id, condition=condition)
    for borne in target.conditions:
        if borne.name in deed.removes:
            yield ConditionRemoved(character=target.id, condition=borne.name)


def _gained(one: Character, dice: int, cause: str) -> Iterator[Event]:
    fitting = capped(one.action, dice, one.action_max)
    if fitting:
        yield DiceGained(character=one.id, pool="action", dice=fitting, cause=cause)


def _drained(actor: Character, target: Character, dice: int, cause: str) -> Iterator[Event]:
    """Dice move from one Action Pool to another, as far as they are there; what does not fit is lost."""
    taken = min(dice, target.action)
    if taken:
        yield DiceLost(character=target.id, pool="action", dice=taken, cause=cause)
        yield from _gained(actor, taken, cause)
