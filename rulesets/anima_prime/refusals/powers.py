"""6.3 Action powers and 6.4 other uses of tokens: what a GM would check first."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.commands import SpendToken, UsePower
from rulesets.anima_prime.costs import payers
from rulesets.anima_prime.known import unknown_among
from rulesets.anima_prime.powers import Deed, power_used
from rulesets.anima_prime.refusals.acting import may_act, tokens_lacking, tokens_overspent
from rulesets.anima_prime.refusals.powering import charge_lacking, power_unknown
from rulesets.anima_prime.state import State
from rulesets.contract import RuleViolation


def use_power_refused(state: State, command: UsePower) -> Iterator[RuleViolation]:
    """The actor, the power, whom it is used on, and what it costs."""
    yield from may_act(state, command)
    yield from unknown_among(state, *command.targets, *payers(command))
    yield from power_unknown(state, command.actor, command.power)
    power = power_used(state.parameters, state.characters[command.actor], command.power)
    if power is not None and power.kind != "action":
        yield RuleViolation(
            "power-not-for-action",
            f"{power.id} is no action of its own; name it with the action it joins",
            overrulable=True,
            power=power.id,
        )
    if power is not None and power.deed is not None:
        yield from _targets(state, command, power.deed)
    yield from charge_lacking(state, command)
    yield from tokens_lacking(state, command)


def spend_token_refused(state: State, command: SpendToken) -> Iterator[RuleViolation]:
    """Tokens are the player's: the payer may have acted, be defeated or withdrawn."""
    yield from unknown_among(state, command.payer, command.beneficiary)
    payer = state.characters[command.payer]
    yield from tokens_overspent(payer.name, payer.awesome_tokens, command.tokens)


def _targets(state: State, command: UsePower, deed: Deed) -> Iterator[RuleViolation]:
    """As many targets as the power takes, none of them a squad or a swarm, and in a state it helps."""
    if len(set(command.targets)) < len(command.targets):
        yield RuleViolation("same-target", "Name each target once")
    if len(command.targets) < max(1, deed.targets):
        yield RuleViolation(
            "needs-target",
            f"{command.power} needs {max(1, deed.targets)} in `targets`",
            minimum=max(1, deed.targets),
        )
    if deed.targets and len(command.targets) > deed.targets:
        yield RuleViolation(
            "too-many-targets",
            f"{command.power} takes {deed.targets} in `targets`",
            overrulable=True,
            maximum=deed.targets,
        )
    for target in command.targets:
        one = state.characters[target]
        if one.kind in ("squad", "swarm") or (one.status == "defeated") != deed.revives:
            yield RuleViolation(
                "power-not-for-target",
                f"{command.power} does nothing for {one.name}",
                overrulable=True,
                character=target,
            )
