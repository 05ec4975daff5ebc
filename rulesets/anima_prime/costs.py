"""What an action costs in charge dice and Awesome Tokens, and how much may go into it (6.3 to 6.6)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rulesets.anima_prime.commands import Achieve, Maneuver, Strike, UsePower
from rulesets.anima_prime.powers import PrintedPower, cost_of, power_used, powers_of
from rulesets.anima_prime.state import Character, State, bears

Roller: TypeAlias = Maneuver | Strike | Achieve
"""A command that throws dice."""

Payable: TypeAlias = Strike | Achieve | UsePower
"""A command that Awesome Tokens can make free."""


def named_powers(command: Roller | UsePower) -> tuple[str, ...]:
    """The powers a command uses, however it names them."""
    if isinstance(command, UsePower):
        return (command.power,)
    return command.powers if command.power is None else (command.power, *command.powers)


def powers_for(state: State, command: Roller | UsePower) -> tuple[PrintedPower, ...]:
    """The powers a command uses, as the rules know them; unknown ones are left out."""
    named = named_powers(command)
    if not named:
        return ()
    actor = state.characters[command.actor]
    found = (power_used(state.parameters, actor, power) for power in named)
    return tuple(power for power in found if power is not None)


def charge_costs(state: State, command: Roller | UsePower) -> tuple[tuple[str, int], ...]:
    """6.3: the charge dice to pay before the roll, by what they are paid for."""
    bonuses = () if isinstance(command, UsePower) else command.bonus
    paid = [(bonus.source, bonus.charge) for bonus in bonuses]
    if powers := powers_for(state, command):
        dearer = sum(condition.power_cost for condition in bears(state.characters[command.actor]))
        paid = [*((power.id, cost_of(dearer, power)) for power in powers), *paid]
    return tuple([(source, charge) for source, charge in paid if charge]) if paid else ()


def token_use(command: Payable) -> Literal["free", "double", "both"] | None:
    """6.4: what tokens are spent on: a free action, a second target, or both."""
    two = isinstance(command, Strike) and len(command.targets) > 1
    if two:
        return "both" if command.free else "double"
    return "free" if command.free else None


def token_cost(state: State, command: Payable) -> int:
    """6.4: how many tokens that takes: one, two, three."""
    use = token_use(command)
    return 0 if use is None else int(getattr(state.parameters.token.costs, use))


def payers(command: Payable) -> tuple[str, ...]:
    """Whose tokens pay: those named, or else the actor's."""
    named = command.tokens_from
    if named is None:
        return (command.actor,)
    return (named,) if isinstance(named, str) else tuple(dict.fromkeys(named)) or (command.actor,)


def token_shares(state: State, command: Payable) -> tuple[tuple[str, int], ...]:
    """Who pays how many tokens: each as many as they have, in the order named."""
    due, shares = token_cost(state, command), []
    for who in payers(command):
        share = min(due, state.characters[who].awesome_tokens)
        due -= share
        shares.append((who, share))
    return tuple((who, share) for who, share in shares if share)


def strike_dice(command: Achieve) -> tuple[tuple[str, int], ...]:
    """6.6: who puts how many strike dice into an achievement: the leader, then the others by id."""
    others = sorted((who, dice) for who, dice in command.strike_dice.items() if who != command.actor)
    return ((command.actor, command.strike_dice.get(command.actor, 0)), *others)


def strike_limit(state: State, actor: Character) -> int:
    """6.5: most strike dice in a strike."""
    powers = powers_of(state.parameters, actor)
    return state.parameters.strike.max_strike_dice + sum([power.strike_limit for power in powers])


def achievement_limit(state: State, actor: Character, participants: int) -> int:
    """6.6: most strike dice in an achievement of so many participants, the leader among them."""
    reading, powers = state.parameters.achievement, powers_of(state.parameters, actor)
    raised = sum(power.achieve_limit for power in powers)
    if participants > 1:
        raised += sum(power.combined_achieve for power in powers)
    return reading.max_strike_dice + reading.per_helper * (participants - 1) + raised


def earn_limit(state: State, command: Maneuver) -> int:
    """6.4: most dice a maneuver earns."""
    powers = powers_of(state.parameters, state.characters[command.actor])
    raised = sum([power.combined_earn if command.helpers else power.solo_earn for power in powers])
    return state.parameters.maneuver.earn_limit + raised
