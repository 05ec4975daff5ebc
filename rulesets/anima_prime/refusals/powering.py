"""Whether powers and bonus dice fit the action, and whether they can be paid (6.3)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import Achieve, UsePower
from rulesets.anima_prime.costs import Roller, charge_costs, named_powers
from rulesets.anima_prime.describe.words import pool_dice
from rulesets.anima_prime.pool import by_type, counts_against, joins_of, targets_of
from rulesets.anima_prime.powers import PrintedPower, power_on_sheet, power_used
from rulesets.anima_prime.state import State
from rulesets.contract import RuleViolation


def extras_refused(state: State, command: Roller) -> Iterator[RuleViolation]:
    """6.3, 6.4: powers and bonus dice, where the action names any, and the charge dice for them."""
    if named_powers(command) or command.bonus:
        yield from _powers_refused(state, command)
        yield from _bonus_refused(state, command)
        yield from charge_lacking(state, command)


def _powers_refused(state: State, command: Roller) -> Iterator[RuleViolation]:
    """6.3: a power must be on the leader's sheet, join this kind of action and do something against the target."""
    used: list[str] = []
    for name in named_powers(command):
        yield from power_unknown(state, command.actor, name)
        power = power_used(state.parameters, state.characters[command.actor], name)
        if power is None:
            return
        if name in used:
            yield RuleViolation(
                "power-twice", f"{name} is named twice; once is enough", overrulable=True, power=name
            )
        used.append(name)
        yield from _does_not_join(command, power)
        ruled = (
            isinstance(command, Achieve) and command.power_dice is not None and "achieve" not in power.joins
        )
        if not ruled and not counts_against(power.dice, targets_of(state, command)):
            yield RuleViolation(
                "power-not-for-target",
                f"{name} gives no dice against this target; leave it out or choose another target",
                overrulable=True,
                power=name,
            )


def power_unknown(state: State, actor: str, power: str) -> Iterator[RuleViolation]:
    """6.3: nobody uses a power they do not have; the GM may lend a printed one."""
    one = state.characters[actor]
    if power_on_sheet(state.parameters, one, power) is None:
        lent = power_used(state.parameters, one, power) is not None
        yield RuleViolation(
            "power-not-known",
            f"{one.name} has no power {power!r} on the sheet",
            overrulable=lent,
            character=actor,
            power=power,
        )


def _bonus_refused(state: State, command: Roller) -> Iterator[RuleViolation]:
    """6.4: dice that work only against some types need such a target."""
    for bonus in command.bonus:
        if not counts_against(by_type(bonus), targets_of(state, command)):
            yield RuleViolation(
                "bonus-not-for-target",
                f"The dice of {bonus.source} do not work against this target; leave them out",
                overrulable=True,
                source=bonus.source,
            )


def charge_lacking(state: State, command: Roller | UsePower) -> Iterator[RuleViolation]:
    """6.3: all charge dice are paid before the roll."""
    actor = state.characters[command.actor]
    cost = sum(charge for _, charge in charge_costs(state, command))
    if cost > actor.charge:
        yield RuleViolation(
            "not-enough-charge",
            f"This costs {pool_dice(cost, 'charge')}; {actor.name} has {actor.charge}",
            needed=cost,
            have=actor.charge,
            character=actor.id,
        )


def _does_not_join(command: Roller, power: PrintedPower) -> Iterator[RuleViolation]:
    """6.6: the GM may let strike and action powers help an achievement by saying how many dice they give."""
    if joins_of(command) in power.joins:
        return
    if isinstance(command, Achieve) and command.power_dice is not None and power.kind != "passive":
        return
    yield RuleViolation(
        "power-not-for-action",
        f"{power.id} cannot join this action; it joins {', '.join(power.joins) or 'none'}",
        overrulable=True,
        power=power.id,
    )
