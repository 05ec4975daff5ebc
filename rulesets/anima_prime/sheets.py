"""A new sheet with the numbers it leaves to the readings filled in."""

from __future__ import annotations

from dataclasses import dataclass

from rulesets.anima_prime.commands import AddCharacter
from rulesets.anima_prime.parameters import Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The numbers of a sheet; None where neither the sheet nor a reading gives one."""

    action: int | None
    action_max: int | None
    charge: int
    charge_max: int | None
    defense: int | None
    max_wounds: int | None


def numbers_of(parameters: Parameters, command: AddCharacter) -> Numbers:
    """What a sheet says, and what the parameters `pc` say where a player character's does not.

    Without a maximum anywhere, the Action Pool holds as many dice as it starts with.
    """
    reading = parameters.pc
    pc = command.kind == "pc"
    action = command.action if command.action is not None or not pc else reading.action_start
    action_max = command.action_max if command.action_max is not None or not pc else reading.action_max
    return Numbers(
        action=action,
        action_max=action if action_max is None else action_max,
        charge=command.charge,
        charge_max=command.charge_max if command.charge_max is not None or not pc else reading.charge_max,
        defense=command.defense if command.defense is not None or not pc else reading.defense,
        max_wounds=command.max_wounds if command.max_wounds is not None or not pc else reading.wounds,
    )
